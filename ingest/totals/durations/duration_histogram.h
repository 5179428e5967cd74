// All calls of one name: how many, how long, and how their durations spread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "ingest/model/scope.h"
#include "ingest/model/slice_set.h"

namespace cinderscope {

// Calls of [shortest_ns, longest_ns], both included, so that a search for them finds the same ones.
struct DurationBar {
  std::int64_t shortest_ns = 0, longest_ns = 0;
  std::uint64_t count = 0;
};

inline constexpr std::size_t kMaxDurationBars = 48;

struct DurationHistogram {
  StringId name = kEmptyString;
  std::uint64_t count = 0;
  std::int64_t min_ns = 0, max_ns = 0;
  // Nearest rank: the smallest duration that so many of the calls do not exceed.
  std::int64_t median_ns = 0, p90_ns = 0, p99_ns = 0;
  // Without gaps from min to max; fewer where there are not so many different whole numbers. On the
  // logarithmic axis calls of no length at all have the first bar for themselves.
  std::vector<DurationBar> log_bars, linear_bars;
  // These take longer, since they depend on other calls as well: time during which at least one
  // call of the name went on, added up over tracks, and time that no deeper call covers.
  bool has_times = false;
  std::int64_t total_ns = 0, self_ns = 0;
  bool whole = false;  // false: cancelled
};

// Any thread. What of the scope's tracks is counted is what aggregate_calls() counts, but calls are
// not cut at the edges of its range. `show_first` may be empty; it gets all but the times, as soon
// as that is known. Needs memory for at most kMaxKeptDurations of them at once; of more calls the
// columns are gone through once again for every twelve bits of the longest duration.
inline constexpr std::uint64_t kMaxKeptDurations = 8'000'000;
DurationHistogram duration_histogram(
    const SliceSet& slices, StringId name, const Scope& scope, const std::atomic<bool>& cancelled,
    const std::function<void(const DurationHistogram&)>& show_first,
    std::uint64_t most_kept = kMaxKeptDurations);

// The bar that holds `duration_ns`; bars.size() if none does.
std::size_t bar_of(const std::vector<DurationBar>& bars, std::int64_t duration_ns);

}  // namespace cinderscope
