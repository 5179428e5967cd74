// Calls of a profile that has no clock, laid out by their weight: each as wide as all that was
// measured in it.
#pragma once

#include <cstdint>
#include <span>

#include "ingest/base/diagnostics.h"
#include "ingest/base/large_pages.h"
#include "ingest/build/profile/stack_chains.h"
#include "ingest/build/sample_stacks.h"
#include "ingest/build/track_writer.h"
#include "ingest/model/string_pool.h"

namespace cinderscope {

class FieldReader;
class FieldWriter;

// What was measured in each call of a tree, or in each chain of calls: first of stacks that end
// there, after sum_up() of all that lies in it as well.
class CallWeights {
 public:
  // A stack that ends in the call. Negative ones, of a difference, are as wide as others.
  void add(std::uint32_t call, std::int64_t weight);
  void expect(std::size_t calls);  // there will probably be this many
  std::size_t calls() const { return size_.size(); }
  std::uint64_t negative_count() const { return negative_count_; }
  // The caller of each (kNoCall: none), which comes before it, as those of CallNodes and CallChains
  // do.
  void sum_up(std::span<const std::uint32_t> callers);
  // Those that had these numbers until now, in their order.
  void renumber(std::span<const std::uint32_t> numbers);
  // Of each call, where these are of chains.
  CallWeights of_calls(const CallChains& chains) const;

  std::int64_t size(std::uint32_t call) const { return size_[call]; }  // the width: never negative
  std::int64_t sum(std::uint32_t call) const {                         // with its sign
    return sum_.empty() ? size_[call] : sum_[call];
  }
  // For a prepared copy of the trace.
  void save(FieldWriter& out) const;
  void restore(FieldReader& in);
  std::uint64_t kept_bytes() const {
    return (size_.capacity() + sum_.capacity()) * sizeof(std::int64_t);
  }

 private:
  LargePageVector<std::int64_t> size_;
  LargePageVector<std::int64_t> sum_;  // empty as long as nothing is negative
  std::uint64_t negative_count_ = 0;
};

// A slice for each call that has a size: outermost ones side by side from 0, callees from their
// caller's begin, the largest first, equal ones by the bytes of their names. What is left of a call
// at its end is its own. Those whose sum is negative are marked (kNegative). Returns where the last
// one ends. Sizes are summed up.
std::int64_t lay_out_weights(const CallTree& tree, const CallWeights& weights,
                             const StringPool& names, TrackWriter& out, Diagnostics& diagnostics);
// The same by chains, whose weights these are; records are the numbers of calls.
std::int64_t lay_out_weights(const CallChains& chains, const CallWeights& weights,
                             const StringPool& names, TrackWriter& out, Diagnostics& diagnostics);

}  // namespace cinderscope
