// Two sides with the numbers of all their runs by compared name: what everything shown is made of.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/compare/compared_names.h"
#include "ingest/compare/measured_groups.h"
#include "ingest/compare/measured_run.h"

namespace cinderscope {

struct LeftOutRun {
  std::string path, error;
};

// The runs of a side; those that are still loaded are shared with whoever shows them.
struct SideRuns {
  std::vector<std::shared_ptr<const MeasuredRun>> runs;
  std::vector<LeftOutRun> left_out;
};

// One run by compared name. Immutable.
struct ComparedRun {
  std::shared_ptr<const MeasuredRun> run;
  std::vector<std::uint32_t> compared_of;  // by index in MeasuredRun::names
  std::vector<NameStatistics> numbers;     // by compared name; count 0: it does not occur
  // Some numbers of merged names are estimated_group()'s.
  bool estimated = false;
};

// What is odd about the two sides, to be said above the table.
struct ComparisonWarnings {
  bool time_against_events = false;  // durations do not compare: only Measure::count is there
  bool nothing_in_common = false;
  std::optional<double> unit_factor;   // nearly all names take so many times as long in B, or A / B
  bool unit_in_b = false;              // it is B that takes longer
  std::optional<double> calls_factor;  // one side has so many times the calls: at least 1.5
  bool more_calls_in_b = false;
  std::optional<std::uint32_t> per;  // compared name to offer for Scale::per
};

struct ComparedSides {
  ComparedNames names;
  OfSides<std::vector<std::string_view>>
      side_names;  // what ComparedName::names counts; of the runs
  OfSides<std::vector<ComparedRun>> runs;
  OfSides<std::vector<LeftOutRun>> left_out;
  std::vector<std::string> labels;  // by compared name: how it is shown
  // By compared name: the share of all pairs in which a call of B takes longer than one of A; ties
  // count half. NaN: it is not in both. Empty until durations of all runs are known.
  std::vector<double> chance;
  // By compared name: half the width of the interval of ln(B / A) that the spans of these runs
  // give, where a side has fewer than three. NaN: too few calls. Empty until durations are known.
  std::vector<double> spread;
  ComparisonWarnings warnings;

  std::size_t run_count(Side side) const { return runs[side].size(); }
  // Three runs a side or more: differences are tested.
  bool testable() const { return std::min(run_count(side_a), run_count(side_b)) >= 3; }
  bool axes_differ() const;  // one counts time, the other events
  TimeAxis axis() const;     // of A, else of B
  // `weight` asks for numbers of calls: these have no list of weights of their own.
  bool counts_calls(std::string_view weight) const;
};

// Names that became one and are in a run more than once have to be measured together:
// `groups_of(side, run, groups)` does that with measure_groups(), or gives nothing where the slices
// are gone, or is empty.
using MeasureGroups = std::function<std::optional<std::vector<NameStatistics>>(
    Side side, std::size_t run, std::span<const NameGroup> groups)>;

// Any thread. An Error: a rename is no expression. Of no use once cancelled.
Result<ComparedSides> compare_runs(const OfSides<SideRuns>& sides, const NameRules& rules,
                                   const MeasureGroups& groups_of,
                                   const std::atomic<bool>& cancelled);

// By a name as compared, as read or as shown, in this order.
std::optional<std::uint32_t> find_name(const ComparedSides& sides, std::string_view name);

// To the nearest whole number, halves up; 0 of nothing.
std::int64_t mean_of_runs(std::span<const std::int64_t> values);

// The numbers of a side as they are printed beside each other: means over its runs, rounded to
// whole units, halves up; min and max of all runs. Means of durations are over the runs in which
// the name occurs.
struct SideNumbers {
  std::uint64_t count = 0;
  std::int64_t total_ns = 0, self_ns = 0, mean_ns = 0, median_ns = 0, p90_ns = 0, p99_ns = 0;
  std::int64_t min_ns = 0, max_ns = 0;
  std::size_t runs = 0;     // in which it occurs
  bool unfinished = false;  // more than 1 % of its time is of calls that never ended
};
SideNumbers side_numbers(const ComparedSides& sides, Side side, std::uint32_t name);

// Durations of one name on an axis that both sides share.
struct ComparedBar {
  std::int64_t shortest_ns = 0, longest_ns = 0;  // both included
  OfSides<std::uint64_t> count{};
};
struct ComparedHistogram {
  OfSides<std::uint64_t> count{};
  std::vector<ComparedBar> bars;  // logarithmic, without gaps; at most kMaxDurationBars
};
// Cheap: from the buckets that are kept, whose borders are those of the bars.
ComparedHistogram compared_histogram(const ComparedSides& sides, std::uint32_t name);

}  // namespace cinderscope
