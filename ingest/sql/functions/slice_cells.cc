#include "ingest/sql/functions/slice_cells.h"

#include "ingest/sql/sql_table.h"

namespace cinderscope {

void SliceCells::give(sqlite3_context* out, const NumberedPlace& place, SliceColumn column) {
  const NumberedRow& row = *place.row;
  const SliceRow& slices = *row.slices;
  const auto flag = [&](std::uint8_t of) {
    sqlite3_result_int(out, (slices.flags(place.index) & of) != 0 ? 1 : 0);
  };
  switch (column) {
    case SliceColumn::number:
      return give_key(out, static_cast<std::int64_t>(row.first_number + place.index));
    case SliceColumn::trace_id:
      return sqlite3_result_int64(out, keys_of(data_, row).trace);
    case SliceColumn::track_id:
      return sqlite3_result_int64(out, keys_of(data_, row).track);
    case SliceColumn::thread_id:
      return give_key(out, keys_of(data_, row).thread);
    case SliceColumn::process_id:
      return give_key(out, keys_of(data_, row).process);
    case SliceColumn::ts:
      return sqlite3_result_int64(out, slices.begin_ns(place.index));
    case SliceColumn::dur:
      return sqlite3_result_int64(out, slices.duration_ns(place.index));
    case SliceColumn::ts_end:
      return sqlite3_result_int64(out, slices.end_ns(place.index));
    case SliceColumn::self_dur:
      return sqlite3_result_int64(out, nesting_.self_ns(row, place.index));
    case SliceColumn::depth:
      return sqlite3_result_int64(out, nesting_.depth(row, place.index));
    case SliceColumn::parent_slice_id:
      return give_key(out, static_cast<std::int64_t>(nesting_.parent(row, place.index)));
    case SliceColumn::name_id:
      return sqlite3_result_int64(out, data_.name_key(row.input, slices.name(place.index)));
    case SliceColumn::name:
      return give_lasting_text(out, data_.text(row.input, slices.name(place.index)));
    case SliceColumn::category: {
      const std::string& category = records_.text_of(place).category;
      return category.empty() ? sqlite3_result_null(out) : give_text(out, category);
    }
    case SliceColumn::unfinished:
      return flag(kUnfinished);
    case SliceColumn::overlapping:
      return flag(kOverlapping);
    case SliceColumn::cut_begin:
      return flag(kCutBegin);
    case SliceColumn::cut_end:
      return flag(kCutEnd);
    default:
      return sqlite3_result_null(out);
  }
}

}  // namespace cinderscope
