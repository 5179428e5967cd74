#include "ingest/sql/tables/slices_table.h"

#include <algorithm>
#include <limits>

#include "ingest/sql/tables/record_texts.h"
#include "ingest/sql/tables/slice_scan.h"
#include "ingest/sql/tables/track_words.h"

namespace cinderscope {

namespace {

class SliceCursor final : public TableCursor {
 public:
  SliceCursor(const QueryData& data, const RowsOfTable& rows)
      : data_(data), rows_(rows), filter_(data, rows), scan_(data, filter_), records_(data) {}

  int filter(const PlanText& plan, std::span<sqlite3_value*> arguments) override {
    error_ = filter_.set(plan.terms, arguments);
    if (!error_.empty()) return SQLITE_ERROR;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < plan.terms.size(); ++i) {
      if (plan.terms[i].column >= 0) continue;
      // As SQLite takes them: a negative LIMIT is none, a negative OFFSET is 0.
      const std::int64_t number = sqlite3_value_int64(arguments[i]);
      const bool is_limit = plan.terms[i].op == SQLITE_INDEX_CONSTRAINT_LIMIT;
      const std::uint64_t none = is_limit ? rows_.numbers(data_).count() : 0;
      most += number < 0 ? none : static_cast<std::uint64_t>(number);
    }
    row_ = nullptr;
    return shown(scan_.begin(static_cast<ScanOrder>(plan.order), most));
  }
  int next() override { return shown(scan_.next()); }
  bool eof() const override { return scan_.at_end(); }
  sqlite3_int64 rowid() const override {
    const std::uint64_t number = scan_.row().first_number + scan_.index();
    return static_cast<sqlite3_int64>(number);
  }
  int column(sqlite3_context* out, int column) override {
    give_column(out, rows_.columns[static_cast<std::size_t>(column)]);
    return SQLITE_OK;
  }

 private:
  int shown(bool goes_on) {
    if (!goes_on) return SQLITE_INTERRUPT;
    if (!scan_.at_end() && &scan_.row() != row_) {
      row_ = &scan_.row();
      keys_ = keys_of(data_, *row_);
      depth_known_ = row_is_depth(data_, *row_);
      if (depth_known_) depth_ = depth_of_row(data_, *row_);
      chunk_ = UINT64_MAX;
    }
    return SQLITE_OK;
  }

  // The slice's value in the chunk's column. Where many of a chunk are asked for, all of the column
  // are unpacked at once.
  template <class T, class Read>
  T value(std::array<T, kChunkSlices>& unpacked, std::uint32_t what, Read read) {
    const std::uint64_t chunk = scan_.index() / kChunkSlices;
    if (chunk != chunk_) {
      chunk_ = chunk;
      unpacked_ = 0;
    }
    const SliceChunk& of = *row_->slices->chunks[chunk];
    const std::uint32_t k = SliceRow::in_chunk(scan_.index());
    if ((unpacked_ & what) == 0) {
      if (scan_.density() < kWorthUnpacking) {
        T one;
        read(of, k, std::span<T>(&one, 1));
        return one;
      }
      read(of, 0, std::span<T>(unpacked.data(), of.count()));
      unpacked_ |= what;
    }
    return unpacked[k];
  }
  std::int64_t begin_ns() {
    return value(begins_, 1, [](const SliceChunk& chunk, std::uint32_t k, auto out) {
      chunk.read_begins(k, out);
    });
  }
  std::int64_t duration_ns() {
    return value(durations_, 2, [](const SliceChunk& chunk, std::uint32_t k, auto out) {
      chunk.read_durations(k, out);
    });
  }
  StringId name() {
    return StringId{value(names_, 4, [](const SliceChunk& chunk, std::uint32_t k, auto out) {
      chunk.read_names(k, out);
    })};
  }

  void give_flag(sqlite3_context* out, std::uint8_t flag) const {
    const SliceChunk& chunk = row_->slices->chunk_of(scan_.index());
    const bool set = chunk.has_flags() && (chunk.flags(SliceRow::in_chunk(scan_.index())) & flag);
    sqlite3_result_int(out, set ? 1 : 0);
  }

  void give_column(sqlite3_context* out, SliceColumn column) {
    const std::uint64_t at = scan_.index();
    switch (column) {
      case SliceColumn::number:
        return sqlite3_result_int64(out, rowid());
      case SliceColumn::trace_id:
        return sqlite3_result_int64(out, keys_.trace);
      case SliceColumn::track_id:
        return sqlite3_result_int64(out, keys_.track);
      case SliceColumn::thread_id:
        return give_key(out, keys_.thread);
      case SliceColumn::process_id:
        return give_key(out, keys_.process);
      case SliceColumn::ts:
        return sqlite3_result_int64(out, begin_ns());
      case SliceColumn::dur:
        return sqlite3_result_int64(out, duration_ns());
      case SliceColumn::ts_end:
        return sqlite3_result_int64(out, begin_ns() + duration_ns());
      case SliceColumn::self_dur:
        return sqlite3_result_int64(out, filter_.nesting().self_ns(*row_, at));
      case SliceColumn::depth:
        return sqlite3_result_int64(out,
                                    depth_known_ ? depth_ : filter_.nesting().depth(*row_, at));
      case SliceColumn::parent_slice_id:
        return give_key(out, static_cast<std::int64_t>(filter_.nesting().parent(*row_, at)));
      case SliceColumn::name_id:
        return sqlite3_result_int64(out, data_.name_key(row_->input, name()));
      case SliceColumn::name:
        return give_lasting_text(out, data_.text(row_->input, name()));
      case SliceColumn::category: {
        const auto ahead = [this](std::span<NumberedPlace> places) { return scan_.ahead(places); };
        const RecordText& text = records_.text_of({row_, at}, ahead);
        return text.category.empty() ? sqlite3_result_null(out) : give_text(out, text.category);
      }
      case SliceColumn::unfinished:
        return give_flag(out, kUnfinished);
      case SliceColumn::overlapping:
        return give_flag(out, kOverlapping);
      case SliceColumn::cut_begin:
        return give_flag(out, kCutBegin);
      case SliceColumn::cut_end:
        return give_flag(out, kCutEnd);
      case SliceColumn::kind:
        return give_lasting_text(out, kind_word(row_->kind));
      case SliceColumn::scope: {
        const bool global = data_.timeline(row_->input).tracks[index(row_->track)].global;
        const bool wide = row_->kind == TrackKind::marks;
        return give_lasting_text(out, !wide ? "t" : global ? "g" : "p");
      }
      case SliceColumn::slice_around:
        return give_key(out, static_cast<std::int64_t>(slice_around(data_, {row_, at})));
      default: {
        const RowText text = row_text(data_, *row_, column);
        return text.has ? give_text(out, text.text) : sqlite3_result_null(out);
      }
    }
  }

  static constexpr std::uint32_t kWorthUnpacking = 100;
  const QueryData& data_;
  const RowsOfTable& rows_;
  SliceFilter filter_;
  SliceScan scan_;
  RecordTexts records_;
  const NumberedRow* row_ = nullptr;
  RowKeys keys_;
  bool depth_known_ = false;
  std::uint32_t depth_ = 0;
  std::uint64_t chunk_ = UINT64_MAX;  // whose columns are unpacked
  std::uint32_t unpacked_ = 0;        // which
  std::array<std::int64_t, kChunkSlices> begins_, durations_;
  std::array<std::uint32_t, kChunkSlices> names_;
};

bool is_comparison(int op) {
  return op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_LT ||
         op == SQLITE_INDEX_CONSTRAINT_LE || op == SQLITE_INDEX_CONSTRAINT_GT ||
         op == SQLITE_INDEX_CONSTRAINT_GE;
}

class SliceTable final : public SqlTable {
 public:
  SliceTable(const QueryData& data, const RowsOfTable& rows) : data_(data), rows_(rows) {
    for (const NumberedRow& row : rows.numbers(data).rows()) {
      if (!rows.has(row)) continue;
      ++row_count_;
      slices_ += static_cast<double>(row.count());
    }
    for (std::uint32_t i = 0; i < data.inputs().size(); ++i) {
      const Timeline& timeline = data.timeline(i);
      begin_ns_ = std::min(begin_ns_, static_cast<double>(timeline.begin_ns));
      end_ns_ = std::max(end_ns_, static_cast<double>(timeline.end_ns));
    }
  }

  std::unique_ptr<TableCursor> open() const override {
    return std::make_unique<SliceCursor>(data_, rows_);
  }

  int plan(sqlite3_index_info& info) const override {
    PlanWriter plan(info);
    Estimate estimate{slices_, 1};
    bool all_taken = true;
    int limit = -1, offset = -1;
    for (int i = 0; i < info.nConstraint && !data_.plain(); ++i) {
      const auto& constraint = info.aConstraint[i];
      if (constraint.op == SQLITE_INDEX_CONSTRAINT_LIMIT) {
        limit = i;
      } else if (constraint.op == SQLITE_INDEX_CONSTRAINT_OFFSET) {
        offset = i;
      } else {
        const bool done = constraint.usable && take(info, i, plan, estimate);
        all_taken &= done;
      }
    }
    const ScanOrder order =
        data_.plain() ? ScanOrder::number : order_of(info, all_taken, limit, offset, plan);
    const double rows = std::max(1.0, slices_ * estimate.walked * estimate.given);
    const double walked = std::max(1.0, slices_ * estimate.walked);
    // Each scan looks at the rows of tracks; few are walked where slices are named.
    const double begun = estimate.direct ? 1 : static_cast<double>(row_count_) * kWalkedRowCost;
    return plan.finish(rows, begun + walked * kWalkedRowCost + rows * kRowCost,
                       static_cast<int>(order));
  }

 private:
  struct Estimate {
    double walked = 1, given = 1;  // shares of all slices; of what is walked
    bool direct = false;

    Estimate(double slices, double share) : walked(share), all(slices) {}
    double all;
    void leave(double count) { walked = std::min(walked, all > 0 ? count / all : 1); }
  };

  // How much of the trace's time lies on the side of a bound; a third where it is not known yet.
  double time_share(sqlite3_index_info& info, int i) const {
    constexpr double kUnknown = 0.33;
    sqlite3_value* value = nullptr;
    if (sqlite3_vtab_rhs_value(&info, i, &value) != SQLITE_OK || value == nullptr) return kUnknown;
    if (end_ns_ <= begin_ns_) return kUnknown;
    const double before =
        std::clamp((sqlite3_value_double(value) - begin_ns_) / (end_ns_ - begin_ns_), 0.0, 1.0);
    const int op = info.aConstraint[i].op;
    if (op == SQLITE_INDEX_CONSTRAINT_EQ) return 1e-6;
    const bool up = op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE;
    return up ? 1 - before : before;
  }

  // True: SQLite need not test the constraint itself.
  bool take(sqlite3_index_info& info, int i, PlanWriter& plan, Estimate& estimate) const {
    const auto& constraint = info.aConstraint[i];
    const int op = constraint.op;
    const bool equal = op == SQLITE_INDEX_CONSTRAINT_EQ;
    if (constraint.iColumn < 0) return false;
    const SliceColumn column = rows_.columns[static_cast<std::size_t>(constraint.iColumn)];
    switch (column) {
      case SliceColumn::name:
      case SliceColumn::trace_name:
      case SliceColumn::process_name:
      case SliceColumn::pid:
      case SliceColumn::thread_name:
      case SliceColumn::tid: {
        if (!can_take_text(info, i)) return false;
        const bool done = is_text_test_done(info, i);
        plan.take(i, done);
        const bool is_name = column == SliceColumn::name;
        const auto distinct =
            static_cast<double>(is_name ? data_.name_count() : data_.thread_count());
        (is_name ? estimate.given : estimate.walked) *=
            equal                              ? 1 / std::max(1.0, std::min(distinct, 200.0))
            : op == SQLITE_INDEX_CONSTRAINT_NE ? 0.9
                                               : 0.1;
        return done;
      }
      case SliceColumn::category:
      case SliceColumn::kind:
      case SliceColumn::scope:
      case SliceColumn::slice_around:
        return false;
      default:
        break;
    }
    if (!is_comparison(op)) return false;
    const auto share_of = [&](std::int64_t count) {
      estimate.walked *= equal ? 1 / std::max(1.0, static_cast<double>(count)) : 0.5;
    };
    switch (column) {
      case SliceColumn::number:
        if (equal) {
          estimate.leave(sqlite3_vtab_in(&info, i, -1) != 0 ? 25 : 1);
          estimate.direct = true;
        } else {
          estimate.walked *= 0.5;
        }
        break;
      case SliceColumn::parent_slice_id:
        if (equal) {
          estimate.leave(sqlite3_vtab_in(&info, i, -1) != 0 ? 100 : 4);
          estimate.direct = true;
        } else {
          estimate.given *= 0.5;
        }
        break;
      case SliceColumn::trace_id:
        share_of(static_cast<std::int64_t>(data_.traces().size()));
        break;
      case SliceColumn::track_id:
        share_of(data_.track_count());
        estimate.direct |= equal;
        break;
      case SliceColumn::thread_id:
        share_of(data_.thread_count());
        break;
      case SliceColumn::process_id:
        share_of(data_.process_count());
        break;
      case SliceColumn::depth:
        share_of(8);
        break;
      case SliceColumn::ts:
      case SliceColumn::ts_end:
        estimate.walked *= time_share(info, i);
        break;
      case SliceColumn::name_id:
        estimate.given *= equal ? 0.005 : 0.5;
        break;
      case SliceColumn::unfinished:
      case SliceColumn::overlapping:
      case SliceColumn::cut_begin:
      case SliceColumn::cut_end:
        estimate.given *= 0.5;
        break;
      default:
        estimate.given *= 0.3;
    }
    plan.take(i, true);
    return true;
  }

  ScanOrder order_of(sqlite3_index_info& info, bool all_taken, int limit, int offset,
                     PlanWriter& plan) const {
    if (info.nOrderBy != 1) return ScanOrder::number;
    if (info.aOrderBy[0].iColumn < 0) return ScanOrder::number;
    const SliceColumn column = rows_.columns[static_cast<std::size_t>(info.aOrderBy[0].iColumn)];
    const bool descending = info.aOrderBy[0].desc != 0;
    const int distinct = sqlite3_vtab_distinct(&info);
    const auto consume = [&](ScanOrder order) {
      info.orderByConsumed = 1;
      return order;
    };
    const bool by_track =
        column == SliceColumn::track_id || (column == SliceColumn::thread_id && rows_.of_threads);
    if (distinct == 2) {  // one of each value will do
      const std::uint64_t columns = std::uint64_t{1} << info.aOrderBy[0].iColumn;
      const bool alone = all_taken && (info.colUsed & ~columns) == 0;
      if (column == SliceColumn::name && alone && data_.inputs().size() == 1) {
        return consume(ScanOrder::first_of_name);
      }
      if (by_track) return consume(alone ? ScanOrder::first_of_track : ScanOrder::number);
      return ScanOrder::number;
    }
    if (distinct == 1) {  // equal ones need only be neighbours
      return by_track || column == SliceColumn::number ? consume(ScanOrder::number)
                                                       : ScanOrder::number;
    }
    if (column == SliceColumn::number && !descending) return consume(ScanOrder::number);
    if (column == SliceColumn::ts && row_count_ <= kMostMergedRows) {
      return consume(descending ? ScanOrder::begin_descending : ScanOrder::begin);
    }
    if (column != SliceColumn::dur || !all_taken || distinct != 0 || limit < 0) {
      return ScanOrder::number;
    }
    if (!is_small(info, limit) || (offset >= 0 && !is_small(info, offset))) {
      return ScanOrder::number;
    }
    plan.take_limit(limit);
    if (offset >= 0) plan.take_limit(offset);
    return consume(descending ? ScanOrder::longest : ScanOrder::shortest);
  }

  // LIMIT and OFFSET of so many slices are kept in a heap.
  static bool is_small(sqlite3_index_info& info, int i) {
    constexpr std::int64_t kMostPicked = 500'000;
    sqlite3_value* value = nullptr;
    return info.aConstraint[i].usable && sqlite3_vtab_rhs_value(&info, i, &value) == SQLITE_OK &&
           value != nullptr && sqlite3_value_type(value) == SQLITE_INTEGER &&
           sqlite3_value_int64(value) >= 0 && sqlite3_value_int64(value) <= kMostPicked;
  }

  static constexpr double kInfinite = std::numeric_limits<double>::infinity();
  static constexpr std::uint64_t kMostMergedRows = 20'000;  // 300 bytes each
  const QueryData& data_;
  const RowsOfTable& rows_;
  std::uint64_t row_count_ = 0;
  double slices_ = 0, begin_ns_ = kInfinite, end_ns_ = -kInfinite;
};

}  // namespace

std::unique_ptr<SqlTable> slices_table(const QueryData& data, const RowsOfTable& rows) {
  return std::make_unique<SliceTable>(data, rows);
}

}  // namespace cinderscope
