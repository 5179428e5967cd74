// All calls of a scope added up by their chain of callers: what a flame graph shows.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/model/slice_set.h"

namespace cinderscope {

// What calls weigh in a flame graph.
enum class CallWeight : std::uint8_t {
  time,   // for how long they lasted
  calls,  // how many they are, with all that they called in turn
};

// The calls of one name that were made through the same chain of callers.
struct CallTotal {
  StringId name = kEmptyString;
  std::uint32_t caller = 0;                          // index of what called these
  std::uint32_t depth = 0;                           // 1: outermost
  std::uint32_t first_callee = 0, callee_count = 0;  // in AggregatedCallTree::callees
  std::uint64_t count = 0;
  std::uint64_t all_calls = 0;  // of these and all that they called in turn; by callers: as `count`
  std::int64_t total_ns = 0, self_ns = 0, longest_ns = 0;
  SliceRef longest;

  std::uint64_t weight(CallWeight by) const {
    return by == CallWeight::calls ? all_calls : static_cast<std::uint64_t>(total_ns);
  }
};

struct AggregatedCallTree {
  std::vector<CallTotal> totals;       // [0] stands for all calls; callers before their callees
  std::vector<std::uint32_t> callees;  // of each total by time, the largest first
  std::vector<std::uint32_t> callees_by_calls;  // the same by the other weight
  std::uint64_t left_out = 0;  // calls that count as self time of their callers: too many
  bool bottom_up = false;      // see reversed()
  bool whole = false;          // false: cancelled

  bool empty() const { return totals.size() < 2; }
  std::span<const std::uint32_t> callees_of(std::uint32_t total,
                                            CallWeight by = CallWeight::time) const {
    const CallTotal& of = totals[total];
    return std::span(by == CallWeight::calls ? callees_by_calls : callees)
        .subspan(of.first_callee, of.callee_count);
  }
};

inline constexpr std::size_t kMaxCallTotals = 2'000'000;  // some 170 MB

// Any thread. Thread tracks, or the one track of the scope, whatever its kind; slices of async
// tracks have no callers, since groups share rows by room only. Calls are cut at the scope's edges.
// Of blocks of children only those that are loaded are there to count. Once there are `most`
// totals, calls with yet other callers are only counted in `left_out`. `jobs` threads share the
// tracks, with totals of their own until the end.
AggregatedCallTree call_totals(const SliceSet& slices, const SliceScope& scope,
                               const std::atomic<bool>& cancelled,
                               std::size_t most = kMaxCallTotals, unsigned jobs = 1);

// The same from the inside out: outermost stand the names by self time, below each what called it,
// with the part of that self time (total_ns) and those calls (count) that it is to blame for.
// Chains end after kMaxCallers.
inline constexpr std::uint32_t kMaxCallers = 100;
AggregatedCallTree reversed(const AggregatedCallTree& totals, const std::atomic<bool>& cancelled,
                            std::size_t most = kMaxCallTotals);

// The calls of one function, whatever called it: [0] of both stands for them. Of calls that it
// makes to itself, however far below, only the outermost count there; the others are among the
// callees.
struct FunctionTotals {
  AggregatedCallTree callees;  // what it called, and that in turn
  AggregatedCallTree callers;  // what called it, and that in turn; numbers are the function's own
};
FunctionTotals function_totals(const AggregatedCallTree& totals, StringId function,
                               const std::atomic<bool>& cancelled,
                               std::size_t most = kMaxCallTotals);

}  // namespace cinderscope
