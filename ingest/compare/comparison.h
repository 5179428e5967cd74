// The table of a comparison: both values of each name, their difference and what is to be thought
// of it. Made of ComparedSides without looking at any call, so that another measure costs nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/compare/compared_sides.h"

namespace cinderscope {

enum class Measure : std::uint8_t {
  self,
  total,
  mean,
  median,
  p90,
  p99,
  count,
  max,  // of conditions only: no table is made of it
};
std::string_view word_of(Measure measure);
std::optional<Measure> measure_of_word(std::string_view word);  // not of max
bool is_sum(Measure measure);                                   // self, total, count: may be scaled
bool is_duration(Measure measure);                              // all but count

enum class Scale : std::uint8_t {
  recorded,
  per,    // per call of a name
  share,  // of the run's self time; of its calls for Measure::count
};
std::string_view word_of(Scale scale);

struct ComparisonOptions {
  Measure measure = Measure::self;
  Scale scale = Scale::recorded;
  std::string per;            // a name as compared or as read
  double noise = 0.05;        // a change beyond is one, where nothing can be tested
  double same = 0.02;         // an interval within is no change
  std::optional<double> min;  // in the unit of values; none: the default
  double b_divisor = 1;       // of B's times, where its unit is wrong

  bool operator==(const ComparisonOptions&) const = default;
};

enum class Verdict : std::uint8_t { more, less, same, added, gone, unclear, small };
inline constexpr std::size_t kVerdicts = 7;
std::string_view word_of(Verdict verdict);  // added is "new"
std::optional<Verdict> verdict_of_word(std::string_view word);

enum class Tested : std::uint8_t {
  runs,    // three or more a side: verdicts are tested
  spread,  // fewer: intervals tell how steady a difference is within the recordings
  none,
};
std::string_view word_of(Tested tested);

// A value of a side or a difference. Exact in `whole` unless it is scaled.
struct ComparedValue {
  std::int64_t whole = 0;
  double value = 0;
};

struct ComparedRow {
  std::uint32_t name = 0;  // in ComparedSides::names
  Verdict verdict = Verdict::unclear;
  OfSides<ComparedValue> value{};
  OfSides<bool> occurs{};  // in any run
  ComparedValue difference;
  // Absent where there is nothing to divide by, nothing to test, …
  std::optional<double> change;     // B / A - 1
  std::optional<double> low, high;  // of change: 95 %
  std::optional<double> p, p_adjusted;
  std::optional<double> chance;
};

struct Comparison {
  ComparisonOptions options;
  Tested tested = Tested::none;
  double alpha = 0.05;
  ComparedValue min;               // what the larger value of a row must reach
  OfSides<ComparedValue> value{};  // of the whole part: self time, busy time or calls
  ComparedValue difference;
  std::optional<double> change;
  std::optional<std::uint32_t> per;  // the compared name of options.per
  std::vector<ComparedRow> rows;     // by compared name
  std::array<std::uint32_t, kVerdicts> verdicts{};
  std::uint32_t in_both = 0, only_a = 0, only_b = 0;
  bool whole_numbers() const { return options.scale == Scale::recorded && options.b_divisor == 1; }
  std::uint32_t count(Verdict verdict) const { return verdicts[static_cast<std::size_t>(verdict)]; }
};

// Fast: some milliseconds for 10 000 names. An Error: there is no name options.per on both sides'
// runs, or the measure has no such scale, or is a time where sides count different things.
Result<Comparison> compare_sides(const ComparedSides& sides, const ComparisonOptions& options);

// The value of a measure in each run; NaN: a duration of a name that does not occur.
std::vector<double> run_values(const ComparedSides& sides, const Comparison& comparison, Side side,
                               std::uint32_t name);
// The value of another measure, with change and interval as the row would have them.
ComparedRow row_of(const ComparedSides& sides, const Comparison& comparison, std::uint32_t name,
                   Measure measure);

// The same of the whole part: its self time, busy time or calls, with the interval over runs.
ComparedRow part_row(const ComparedSides& sides, const Comparison& comparison, Measure measure);

enum class RowSort : std::uint8_t { difference, change, a, b, name, p };
std::optional<RowSort> row_sort_of_word(std::string_view word);
// Indices of rows: largest first, by |difference| or |ln of change|; p the smallest first, names
// from A. Equal ones by name. `wanted`: a bit for each verdict, 0: all but small.
std::vector<std::uint32_t> rows_in_order(const ComparedSides& sides, const Comparison& comparison,
                                         RowSort sort, std::uint32_t wanted = 0);

// "5 runs each, tested", "One run each: what differs here may differ between any two runs. …"
std::string tested_sentence(const ComparedSides& sides, const Comparison& comparison);
// "120 names in both, 1 new, 2 gone; 19 more, 16 less, 37 unclear"
std::string counts_sentence(const Comparison& comparison);
// One sentence for each warning.
std::vector<std::string> warning_sentences(const ComparedSides& sides,
                                           const Comparison& comparison);

// Colours of change: 0 is the same; 1, 2, 3 beyond 2 %, 10 %, 50 % of the larger by the smaller,
// negative where B has less. 3 and -3 where one of them is 0. 0 where both are below `min`.
int change_step(double a, double b, double min = 0);

}  // namespace cinderscope
