// Calls of a profile that has no clock, laid out by their weight: each as wide as all that was
// measured in it.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/base/large_pages.h"
#include "ingest/build/sample_stacks.h"
#include "ingest/build/track_writer.h"
#include "ingest/model/string_pool.h"

namespace cinderscope {

class FieldReader;
class FieldWriter;

// What was measured in each call of a tree: first of stacks that end there, after sum_up() of all
// that lies in it as well.
class CallWeights {
 public:
  // A stack that ends in the call. Negative ones, of a difference, are as wide as others.
  void add(std::uint32_t call, std::int64_t weight);
  void expect(std::size_t calls);  // there will probably be this many
  std::size_t calls() const { return size_.size(); }
  std::uint64_t negative_count() const { return negative_count_; }
  // Callers come before callees, as those of CallNodes do.
  void sum_up(const CallTree& tree);

  std::int64_t size(std::uint32_t call) const { return size_[call]; }  // the width: never negative
  std::int64_t sum(std::uint32_t call) const {                         // with its sign
    return sum_.empty() ? size_[call] : sum_[call];
  }
  void prefetch([[maybe_unused]] std::uint32_t call) const {
#if defined(__GNUC__)
    __builtin_prefetch(&size_[call]);
#endif
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

}  // namespace cinderscope
