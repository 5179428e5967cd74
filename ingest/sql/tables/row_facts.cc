#include "ingest/sql/tables/row_facts.h"

#include <utility>

namespace cinderscope {

RowKeys keys_of(const QueryData& data, const NumberedRow& row) {
  const Track& track = data.timeline(row.input).tracks[index(row.track)];
  return {data.trace_key(row.input, track.process), data.process_key(row.input, track.process),
          data.thread_key(row.input, track.thread), data.track_key(row.input, row.track)};
}

RowText row_text(const QueryData& data, const NumberedRow& row, SliceColumn column) {
  const Timeline& timeline = data.timeline(row.input);
  const Track& track = timeline.tracks[index(row.track)];
  const Process* process = index(track.process) < timeline.processes.size()
                               ? &timeline.processes[index(track.process)]
                               : nullptr;
  const Thread* thread =
      track.thread == kNoThread ? nullptr : &timeline.threads[index(track.thread)];
  const auto text = [&](StringId name, bool may_be_empty) {
    return RowText{data.text(row.input, name), may_be_empty || name != kEmptyString};
  };
  switch (column) {
    case SliceColumn::trace_name: {
      const bool of_file = process != nullptr && process->file < timeline.files.size();
      return {of_file ? timeline.files[process->file].name : data.inputs()[row.input].name, true};
    }
    case SliceColumn::process_name:
      return process == nullptr ? RowText() : text(process->name, false);
    case SliceColumn::pid:
      return process == nullptr ? RowText() : text(process->pid, true);
    case SliceColumn::thread_name:
      return thread == nullptr ? RowText() : text(thread->name, false);
    default:
      return thread == nullptr ? RowText() : text(thread->tid, true);
  }
}

bool row_is_depth(const QueryData& data, const NumberedRow& row) {
  const Track& track = data.timeline(row.input).tracks[index(row.track)];
  return !track.has_overlaps && !is_packed(track.kind);
}

bool nests_plainly(const QueryData& data, const NumberedRow& row) {
  const Track& track = data.timeline(row.input).tracks[index(row.track)];
  return !track.has_overlaps && !is_packed(track.kind) && track.blocks.size() == 1;
}

std::uint32_t depth_of_row(const QueryData& data, const NumberedRow& row) {
  const Track& track = data.timeline(row.input).tracks[index(row.track)];
  return track.blocks[index(row.block)]->base_depth + row.row + 1;
}

std::uint64_t slice_around(const QueryData& data, const NumberedPlace& instant) {
  const NumberedRow& row = *instant.row;
  if (index(row.block) != 0 || row.row != 0) {
    return data.slice_numbers().number_of(row.input,
                                          call_around(data.timeline(row.input), instant.instant()));
  }
  const std::int64_t time_ns = row.slices->begin_ns(instant.index);
  const bool plain = !data.timeline(row.input).tracks[index(row.track)].has_overlaps;
  std::uint64_t found = 0;
  std::pair<std::int64_t, std::int64_t> innermost;  // begin, and end backwards
  for (const NumberedRow& each : data.slice_numbers().rows_of(row.input, row.track)) {
    if (index(each.block) != 0) break;
    const std::uint64_t at = each.slices->last_begun(time_ns);
    const bool inside = at < each.count() && each.slices->end_ns(at) > time_ns;
    if (inside) {
      const std::pair place(each.slices->begin_ns(at), -each.slices->end_ns(at));
      if (found != 0 && place < innermost) continue;
      innermost = place;
      found = each.first_number + at;
    } else if (plain) {
      break;  // what nests is on the rows above
    }
  }
  return found;
}

}  // namespace cinderscope
