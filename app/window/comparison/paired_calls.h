// The calls of one name on both sides of a comparison, the k-th of a thread with the k-th of its
// partner.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/compare/compared_names.h"
#include "ingest/model/record_text.h"
#include "ingest/model/slice_set.h"

namespace cinderscope {

struct LinedCall {
  std::int64_t begin_ns = 0, end_ns = 0;
  SliceRef slice;
  bool outermost = true;  // not inside a call of the same name
};

// The k-th call of a thread and of its partner.
struct CallPair {
  LinedCall a, b;
};

// Pairs that are neighbours in time, so that a view looks at a part of them.
struct PairSpan {
  std::int64_t a_begin_ns = INT64_MAX, a_end_ns = INT64_MIN;
  std::int64_t b_begin_ns = INT64_MAX, b_end_ns = INT64_MIN;
  std::int64_t longest_ns = 0;
};

struct TrackPair {
  TrackId a = kNoTrack, b = kNoTrack;
};

// Pairs are calls whose argument of this key has the same value, the k-th of each value.
struct PairedBy {
  std::string key;  // of any level; empty: by number, whatever the arguments are
  OfSides<std::shared_ptr<const RecordReader>> readers;
};
inline constexpr std::size_t kMostReadCalls = 200'000;  // a side: arguments are read one by one

// The first call of these names, in (track, time), that lasts so long; nothing if there is none.
std::optional<LinedCall> call_of_duration(const SliceSet& set, const std::vector<StringId>& names,
                                          std::int64_t duration_ns, const Scope& scope,
                                          const std::atomic<bool>& cancelled);

inline constexpr std::size_t kMostLinedCalls = 1'000'000;  // a side

struct PairedCalls {
  static constexpr std::size_t kSpanPairs = 64;
  std::vector<CallPair> pairs;     // by begin in A
  std::vector<PairSpan> spans;     // of kSpanPairs each
  OfSides<std::uint64_t> count{};  // of calls, paired or not
  bool left_out = false;           // a side has more than kMostLinedCalls, or kMostReadCalls
  bool whole = false;              // false: cancelled

  // The pair of a call of one side; none if it has no partner.
  std::optional<std::size_t> pair_of(Side side, const SliceRef& slice) const;
};

// `names` are ids of each side's strings; only calls of its part have numbers. Calls of threads
// without a partner have none either, but where no pair of threads has the name on both sides all
// calls are paired by time.
PairedCalls paired_calls(const SliceSet& a, const SliceSet& b,
                         const OfSides<std::vector<StringId>>& names,
                         const std::vector<TrackPair>& threads, const std::atomic<bool>& cancelled,
                         const PairedBy& by = {}, const OfSides<Scope>& parts = {});

}  // namespace cinderscope
