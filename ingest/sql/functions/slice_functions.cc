// The table functions that give slices: ancestor, descendant, child, overlap, slice_at.
#include <memory>
#include <utility>

#include "ingest/sql/functions/all_functions.h"
#include "ingest/sql/functions/slice_cells.h"
#include "ingest/sql/functions/slice_runs.h"
#include "ingest/sql/functions/table_function.h"
#include "ingest/sql/tables/all_tables.h"

namespace cinderscope {

namespace {

using enum ColumnKind;

// Gives runs of slices one after the other; begin() of the function finds them.
class SliceFunction : public FunctionCursor {
 public:
  SliceFunction(const QueryData& data, int first_argument, std::size_t arguments)
      : FunctionCursor(first_argument, arguments), data_(data), cells_(data) {}

  bool eof() const override { return next_run_ >= runs_.size() && at_ == end_; }

 protected:
  // What is to be given; an error message, or none.
  virtual std::string find() = 0;

  int begin() override {
    runs_.clear();
    next_run_ = 0;
    at_ = end_ = 0;
    if (std::string wrong = find(); !wrong.empty()) return fail(std::move(wrong));
    return go_to_run();
  }
  int advance() override {
    ++at_;
    return go_to_run();
  }
  void cell(sqlite3_context* out, int column) override {
    cells_.give(out, {row_, at_}, static_cast<SliceColumn>(column));
  }

  void add(std::uint32_t input, const RowRun& run) { runs_.push_back({input, run}); }
  // The slice of an argument; nullopt where there is none of the number.
  std::optional<NumberedPlace> slice_argument(std::size_t i) const {
    const std::optional<std::int64_t> number = arguments().integer(i);
    if (!number || *number < 1) return std::nullopt;
    return data_.slice_numbers().place_of(static_cast<std::uint64_t>(*number));
  }

  const QueryData& data_;

 private:
  struct OfInput {
    std::uint32_t input;
    RowRun run;
  };
  int go_to_run() {
    while (at_ == end_ && next_run_ < runs_.size()) {
      const auto& [input, run] = runs_[next_run_++];
      const std::uint64_t number = data_.slice_numbers().number_of(input, run.first);
      if (number == 0) continue;
      row_ = data_.slice_numbers().place_of(number)->row;
      at_ = run.first.slice;
      end_ = run.end;
    }
    return data_.stopped() ? SQLITE_INTERRUPT : SQLITE_OK;
  }

  SliceCells cells_;
  std::vector<OfInput> runs_;
  std::size_t next_run_ = 0;
  const NumberedRow* row_ = nullptr;
  std::uint64_t at_ = 0, end_ = 0;
};

enum class Relation : std::uint8_t { ancestors, descendants, children };

template <Relation kRelation>
class RelatedSlices final : public SliceFunction {
 public:
  using SliceFunction::SliceFunction;

 protected:
  std::string find() override {
    const std::optional<NumberedPlace> place = slice_argument(0);
    if (!place) return {};
    const std::uint32_t input = place->row->input;
    const Timeline& timeline = data_.timeline(input);
    if constexpr (kRelation == Relation::ancestors) {
      for (const SliceRef& each : ancestors_of(timeline, place->slice())) {
        add(input, {each, each.slice + 1});
      }
    } else if constexpr (kRelation == Relation::children) {
      for (const RowRun& run : children_of(timeline, place->slice(), &data_.stop_flag())) {
        add(input, run);
      }
    } else {
      std::uint64_t levels = UINT64_MAX;
      if (arguments().has(1)) {
        const std::optional<std::int64_t> given = arguments().integer(1);
        if (!given || *given < 0) return "descendant(): levels is a whole number from 0 on";
        levels = static_cast<std::uint64_t>(*given);
      }
      for (const RowRun& run :
           descendants_of(timeline, place->slice(), levels, &data_.stop_flag())) {
        add(input, run);
      }
    }
    return {};
  }
};

class OverlappingSlices final : public SliceFunction {
 public:
  using SliceFunction::SliceFunction;

 protected:
  std::string find() override {
    const auto from = arguments().integer(0), to = arguments().integer(1);
    if ((arguments().has(0) && !from) || (arguments().has(1) && !to)) {
      return "overlap(): times are whole numbers";
    }
    if (!from || !to) return {};
    if (arguments().has(2)) {
      const auto key = arguments().integer(2);
      const auto track = key ? data_.track_of(*key) : std::nullopt;
      if (track) add_track(track->input, track->id, *from, *to);
      return {};
    }
    for (std::uint32_t input = 0; input < data_.inputs().size(); ++input) {
      for (const TrackSlices& track : data_.slices(input).tracks) {
        if (track.kind == TrackKind::thread) add_track(input, track.track, *from, *to);
      }
    }
    return {};
  }

 private:
  void add_track(std::uint32_t input, TrackId track, std::int64_t from, std::int64_t to) {
    for (const RowRun& run : overlapping(data_.timeline(input), track, from, to)) add(input, run);
  }
};

class SliceAtTime final : public SliceFunction {
 public:
  using SliceFunction::SliceFunction;

 protected:
  std::string find() override {
    const auto key = arguments().integer(0), ns = arguments().integer(1);
    const auto track = key ? data_.track_of(*key) : std::nullopt;
    if (!track || !ns) return {};
    const auto depth = arguments().integer(2);
    if (arguments().has(2) && !depth) return "slice_at(): depth is a whole number from 1 on";
    const SliceRef slice = slice_at_time(data_.timeline(track->input), track->id, *ns, depth);
    if (slice) add(track->input, {slice, slice.slice + 1});
    return {};
  }
};

// Few slices, found without a scan.
constexpr int kFewRows = 25, kFewCost = 20;

}  // namespace

const TableEntry& ancestor_function() {
  static const TableEntry entry = {
      .name = "ancestor",
      .help = "The slices that contain a slice, from the nearest out",
      .columns = with_arguments(slice_table().columns, {{"of_slice_id", slice}}),
      .make =
          make_function<RelatedSlices<Relation::ancestors>, ancestor_function, kFewRows, kFewCost>,
      .is_function = true};
  return entry;
}

const TableEntry& descendant_function() {
  static const TableEntry entry = {
      .name = "descendant",
      .help = "The slices that lie in a slice, so many levels deep, or all",
      .columns =
          with_arguments(slice_table().columns, {{"of_slice_id", slice}, {"levels", integer}}),
      .make = make_function<RelatedSlices<Relation::descendants>, descendant_function, kFewRows,
                            kFewCost>,
      .is_function = true};
  return entry;
}

const TableEntry& child_function() {
  static const TableEntry entry = {
      .name = "child",
      .help = "The slices that lie directly in a slice",
      .columns = with_arguments(slice_table().columns, {{"of_slice_id", slice}}),
      .make = make_function<RelatedSlices<Relation::children>, child_function, kFewRows, kFewCost>,
      .is_function = true};
  return entry;
}

const TableEntry& overlap_function() {
  static const TableEntry entry = {
      .name = "overlap",
      .help = "The slices of all threads, or of a track, that overlap [from, to)",
      .columns = with_arguments(slice_table().columns,
                                {{"from_ts", time}, {"to_ts", time}, {"on_track", integer}}),
      .make = make_function<OverlappingSlices, overlap_function, kFewRows, kFewCost>,
      .is_function = true};
  return entry;
}

const TableEntry& slice_at_function() {
  static const TableEntry entry = {
      .name = "slice_at",
      .help = "The innermost slice of a track at a time, or the one so deep",
      .columns = with_arguments(slice_table().columns,
                                {{"on_track", integer}, {"at_ts", time}, {"at_depth", integer}}),
      .make = make_function<SliceAtTime, slice_at_function, kFewRows, kFewCost>,
      .is_function = true};
  return entry;
}

}  // namespace cinderscope
