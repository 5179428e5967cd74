// The table functions that give times and numbers: idle, bucket, series.
#include <algorithm>
#include <memory>
#include <optional>

#include "ingest/base/saturating.h"
#include "ingest/sql/functions/all_functions.h"
#include "ingest/sql/functions/idle_times.h"
#include "ingest/sql/functions/table_function.h"

namespace cinderscope {

namespace {

using enum ColumnKind;

class IdleCursor final : public FunctionCursor {
 public:
  IdleCursor(const QueryData& data, int first, std::size_t count)
      : FunctionCursor(first, count), data_(data) {}

  bool eof() const override { return !idle_; }

 protected:
  int begin() override {
    idle_.reset();
    const auto key = arguments().integer(0);
    const auto track = key ? data_.track_of(*key) : std::nullopt;
    if (!track) return SQLITE_OK;
    const auto from = arguments().integer(1), to = arguments().integer(2);
    if ((arguments().has(1) && !from) || (arguments().has(2) && !to)) {
      return fail("idle(): times are whole numbers");
    }
    input_ = track->input;
    times_.emplace(data_.timeline(input_), track->id, from, to, &data_.stop_flag());
    return advance();
  }
  int advance() override {
    idle_ = times_->next();
    return data_.stopped() ? SQLITE_INTERRUPT : SQLITE_OK;
  }
  void cell(sqlite3_context* out, int column) override {
    const auto slice = [&](const SliceRef& ref) {
      const std::uint64_t number = ref ? data_.slice_numbers().number_of(input_, ref) : 0;
      give_key(out, static_cast<std::int64_t>(number));
    };
    switch (column) {
      case 0:
        return sqlite3_result_int64(out, idle_->begin_ns);
      case 1:
        return sqlite3_result_int64(out, saturating_difference(idle_->end_ns, idle_->begin_ns));
      case 2:
        return slice(idle_->before);
      default:
        return slice(idle_->after);
    }
  }

 private:
  const QueryData& data_;
  std::uint32_t input_ = 0;
  std::optional<IdleTimes> times_;
  std::optional<IdleTime> idle_;
};

// Numbers first, first + step, ... as long as they lie before or at `last`.
struct Steps {
  std::int64_t at = 0, step = 1, last = 0;
  bool more = false;

  void advance() {
    std::int64_t next = 0;
    more = !__builtin_add_overflow(at, step, &next) && (step > 0 ? next <= last : next >= last);
    at = next;
  }
};

class BucketCursor final : public FunctionCursor {
 public:
  BucketCursor(const QueryData& data, int first, std::size_t count)
      : FunctionCursor(first, count), data_(data) {}

  bool eof() const override { return !steps_.more; }

 protected:
  int begin() override {
    steps_ = {};
    if (!arguments().has(0)) return SQLITE_OK;
    const auto step = arguments().integer(0);
    if (!step || *step < 1) return fail("bucket(): the step is a whole number from 1 on");
    const auto from = arguments().integer(1), to = arguments().integer(2);
    if ((arguments().has(1) && !from) || (arguments().has(2) && !to)) {
      return fail("bucket(): times are whole numbers");
    }
    std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;  // of all traces
    for (const QueryInput& input : data_.inputs()) {
      if (input.timeline->empty()) continue;
      begin_ns = std::min(begin_ns, input.timeline->begin_ns);
      end_ns = std::max(end_ns, input.timeline->end_ns);
    }
    begin_ns = from.value_or(begin_ns);
    end_ns = to.value_or(end_ns);
    if (begin_ns < end_ns) steps_ = {begin_ns, *step, end_ns - 1, true};
    return SQLITE_OK;
  }
  int advance() override {
    steps_.advance();
    return SQLITE_OK;
  }
  void cell(sqlite3_context* out, int column) override {
    sqlite3_result_int64(out, column == 0 ? steps_.at : saturating_sum(steps_.at, steps_.step));
  }

 private:
  const QueryData& data_;
  Steps steps_;
};

class SeriesCursor final : public FunctionCursor {
 public:
  SeriesCursor(const QueryData&, int first, std::size_t count) : FunctionCursor(first, count) {}

  bool eof() const override { return !steps_.more; }

 protected:
  int begin() override {
    steps_ = {};
    if (!arguments().has(0) || !arguments().has(1)) return SQLITE_OK;
    const auto from = arguments().integer(0), to = arguments().integer(1);
    const auto step = arguments().has(2) ? arguments().integer(2) : 1;
    if (!from || !to || !step || *step == 0) {
      return fail("series(): from, to and step are whole numbers, the step not 0");
    }
    steps_ = {*from, *step, *to, *step > 0 ? *from <= *to : *from >= *to};
    return SQLITE_OK;
  }
  int advance() override {
    steps_.advance();
    return SQLITE_OK;
  }
  void cell(sqlite3_context* out, int) override { sqlite3_result_int64(out, steps_.at); }

 private:
  Steps steps_;
};

constexpr int kAnyRows = 100, kAnyCost = 100;

}  // namespace

const TableEntry& idle_function() {
  static const TableEntry entry = {
      .name = "idle",
      .help = "The times in which nothing runs on a track",
      .columns = {{"ts", time},
                  {"dur", duration},
                  {"before_slice_id", slice, "Ends where it begins"},
                  {"after_slice_id", slice, "The next one"},
                  {"on_track", integer, "track_id", true},
                  {"from_ts", time, "From the track's first slice", true},
                  {"to_ts", time, "Up to its last", true}},
      .make = make_function<IdleCursor, idle_function, kAnyRows, kAnyCost>,
      .is_function = true};
  return entry;
}

const TableEntry& bucket_function() {
  static const TableEntry entry = {
      .name = "bucket",
      .help = "Equal steps of time, to be joined with what is in them",
      .columns = {{"ts", time},
                  {"ts_end", time},
                  {"step", duration, {}, true},
                  {"from_ts", time, "The trace's begin", true},
                  {"to_ts", time, "The trace's end", true}},
      .make = make_function<BucketCursor, bucket_function, kAnyRows, kAnyCost>,
      .is_function = true};
  return entry;
}

const TableEntry& series_function() {
  static const TableEntry entry = {
      .name = "series",
      .help = "Whole numbers from one to another",
      .columns = {{"value", integer},
                  {"from_value", integer, {}, true},
                  {"to_value", integer, {}, true},
                  {"step", integer, "1", true}},
      .make = make_function<SeriesCursor, series_function, kAnyRows, kAnyCost>,
      .is_function = true};
  return entry;
}

}  // namespace cinderscope
