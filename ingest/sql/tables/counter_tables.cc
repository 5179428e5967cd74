// The tables counter and counter_sample: a row a series, and its values.
#include <algorithm>

#include "ingest/sql/tables/all_tables.h"

namespace cinderscope {

namespace {

using enum ColumnKind;

struct SeriesPlace {
  std::uint32_t input = 0;
  TrackId track = kNoTrack;
  const CounterSeries* series = nullptr;
};

std::vector<SeriesPlace> all_series(const QueryData& data) {
  std::vector<SeriesPlace> all;
  for (std::uint32_t input = 0; input < data.inputs().size(); ++input) {
    const std::vector<Track>& tracks = data.timeline(input).tracks;
    for (std::uint32_t i = 0; i < tracks.size(); ++i) {
      for (const CounterSeries& series : tracks[i].series) {
        all.push_back({input, TrackId{i}, &series});
      }
    }
  }
  return all;
}

void give_number(sqlite3_context* out, double value) {
  sqlite3_result_double(out, value);
}

class Counters final : public RowList {
 public:
  explicit Counters(const QueryData& data) : data_(data), all_(all_series(data)) {}

  std::int64_t count() const override { return static_cast<std::int64_t>(all_.size()); }
  void cell(std::int64_t row, int column, sqlite3_context* out) const override {
    const auto& [input, id, series] = all_[static_cast<std::size_t>(row)];
    const Track& track = data_.timeline(input).tracks[index(id)];
    const bool empty = series->time_ns.empty();
    switch (column) {
      case 0:
        return sqlite3_result_int64(out, row + 1);
      case 1:
        return sqlite3_result_int64(out, data_.trace_key(input, id));
      case 2:
        return give_key(out, data_.track_key(input, id));
      case 3:
        return give_key(out, data_.process_key(input, track.process));
      case 4:
        return give_lasting_text(out, data_.text(input, track.name));
      case 5:
        if (series->name == kEmptyString) return sqlite3_result_null(out);
        return give_lasting_text(out, data_.text(input, series->name));
      case 6:
        return give(out, series->time_ns.size());
      default:
        if (empty) return sqlite3_result_null(out);
        return give_number(out, column == 7 ? series->min : series->max);
    }
  }

 private:
  const QueryData& data_;
  std::vector<SeriesPlace> all_;
};

class SampleCursor final : public TableCursor {
 public:
  SampleCursor(const QueryData& data, const std::vector<SeriesPlace>& all)
      : data_(data), all_(all) {}

  int filter(const PlanText& plan, std::span<sqlite3_value*> arguments) override {
    NumberSet trace, counters, times;
    for (std::size_t i = 0; i < plan.terms.size(); ++i) {
      NumberSet& set = plan.terms[i].column == 0   ? trace
                       : plan.terms[i].column == 1 ? counters
                                                   : times;
      set.keep(numbers_of(plan.terms[i], arguments[i]));
    }
    trace_ = std::move(trace);
    counters_ = std::move(counters);
    times_ = std::move(times);
    series_ = all_.size();
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (begin_series(i)) break;
    }
    return SQLITE_OK;
  }
  int next() override {
    while (++at_ < end_) {
      if (passes()) return SQLITE_OK;
      if (at_ % 4096 == 0 && data_.stopped()) return SQLITE_INTERRUPT;
    }
    const std::size_t last = series_;
    series_ = all_.size();
    for (std::size_t i = last + 1; i < all_.size(); ++i) {
      if (begin_series(i)) break;
    }
    return data_.stopped() ? SQLITE_INTERRUPT : SQLITE_OK;
  }
  bool eof() const override { return series_ >= all_.size(); }
  int column(sqlite3_context* out, int column) override {
    const auto& [input, track, series] = all_[series_];
    switch (column) {
      case 0:
        sqlite3_result_int64(out, data_.trace_key(input, track));
        break;
      case 1:
        sqlite3_result_int64(out, static_cast<sqlite3_int64>(series_) + 1);
        break;
      case 2:
        sqlite3_result_int64(out, series->time_ns[at_]);
        break;
      case 3: {
        const std::int64_t until_ns = at_ + 1 < series->time_ns.size()
                                          ? series->time_ns[at_ + 1]
                                          : data_.timeline(input).end_ns;
        sqlite3_result_int64(out, std::max<std::int64_t>(0, until_ns - series->time_ns[at_]));
        break;
      }
      default:
        give_number(out, series->value[at_]);
    }
    return SQLITE_OK;
  }
  sqlite3_int64 rowid() const override {
    return static_cast<sqlite3_int64>(series_) << 40 | static_cast<sqlite3_int64>(at_);
  }

 private:
  bool passes() const {
    return times_.is_interval() || times_.holds(all_[series_].series->time_ns[at_]);
  }
  bool begin_series(std::size_t i) {
    const auto& [input, track, series] = all_[i];
    const auto key = static_cast<std::int64_t>(i) + 1;
    if (!counters_.holds(key) || !trace_.holds(data_.trace_key(input, track))) return false;
    const std::vector<std::int64_t>& all = series->time_ns;
    at_ = static_cast<std::size_t>(std::ranges::lower_bound(all, times_.first()) - all.begin());
    end_ = static_cast<std::size_t>(std::ranges::upper_bound(all, times_.last()) - all.begin());
    series_ = i;
    while (at_ < end_ && !passes()) ++at_;
    if (at_ < end_) return true;
    series_ = all_.size();
    return false;
  }

  const QueryData& data_;
  const std::vector<SeriesPlace>& all_;
  NumberSet trace_, counters_, times_;
  std::size_t series_ = 0, at_ = 0, end_ = 0;
};

class SampleTable final : public SqlTable {
 public:
  explicit SampleTable(const QueryData& data) : data_(data), all_(all_series(data)) {
    for (const SeriesPlace& each : all_) {
      samples_ += static_cast<double>(each.series->time_ns.size());
    }
  }

  int plan(sqlite3_index_info& info) const override {
    PlanWriter plan(info);
    double rows = samples_;
    for (int i = 0; i < info.nConstraint && !data_.plain(); ++i) {
      const auto& constraint = info.aConstraint[i];
      const int op = constraint.op;
      const bool equal = op == SQLITE_INDEX_CONSTRAINT_EQ;
      const bool bound = op == SQLITE_INDEX_CONSTRAINT_LT || op == SQLITE_INDEX_CONSTRAINT_LE ||
                         op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE;
      if (!constraint.usable || constraint.iColumn < 0 || constraint.iColumn > 2) continue;
      if (!equal && !bound) continue;
      plan.take(i, true);
      const double each = constraint.iColumn == 0   ? static_cast<double>(data_.traces().size())
                          : constraint.iColumn == 1 ? static_cast<double>(all_.size())
                                                    : rows;
      rows /= std::max(1.0, equal ? each : 3);
    }
    return plan.finish(rows, rows * kRowCost + static_cast<double>(all_.size()) * kWalkedRowCost);
  }
  std::unique_ptr<TableCursor> open() const override {
    return std::make_unique<SampleCursor>(data_, all_);
  }

 private:
  const QueryData& data_;
  std::vector<SeriesPlace> all_;
  double samples_ = 0;
};

}  // namespace

const TableEntry& counter_table() {
  static const TableEntry entry = {
      .name = "counter",
      .help = "Counters, a row a series",
      .columns = {{"counter_id", integer},
                  {"trace_id", integer},
                  {"track_id", integer},
                  {"process_id", integer},
                  {"counter_name", text},
                  {"series", text, "NULL: it has no name of its own"},
                  {"samples", integer},
                  {"min", real},
                  {"max", real}},
      .make =
          [](QueryData& data) {
            return listed_table(
                data,
                [](const QueryData& of) -> std::unique_ptr<RowList> {
                  return std::make_unique<Counters>(of);
                },
                true);
          },
      .row_count =
          [](const QueryData& data) { return static_cast<std::int64_t>(all_series(data).size()); }};
  return entry;
}

const TableEntry& counter_sample_table() {
  static const TableEntry entry = {
      .name = "counter_sample",
      .help = "Values of counters",
      .columns = {{"trace_id", integer},
                  {"counter_id", integer},
                  {"ts", time},
                  {"dur", duration, "Until the next; of the last until the trace's end"},
                  {"value", real}},
      .make = [](QueryData& data) -> std::unique_ptr<SqlTable> {
        return std::make_unique<SampleTable>(data);
      },
      .row_count =
          [](const QueryData& data) {
            std::size_t samples = 0;
            for (const SeriesPlace& each : all_series(data)) samples += each.series->time_ns.size();
            return static_cast<std::int64_t>(samples);
          }};
  return entry;
}

}  // namespace cinderscope
