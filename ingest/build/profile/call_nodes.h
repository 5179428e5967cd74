// The calls of a profile: each a caller and a function, so that equal stacks are one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ingest/build/sample_stacks.h"

namespace cinderscope {

// Pairs of numbers, numbered densely in the order of their first coming.
class PairNumbers {
 public:
  std::uint32_t number_of(std::uint32_t first, std::uint32_t second);  // new where it is not known

  std::uint32_t size() const { return static_cast<std::uint32_t>(first_.size()); }
  std::uint32_t first(std::uint32_t number) const { return first_[number]; }
  std::uint32_t second(std::uint32_t number) const { return second_[number]; }
  // Both lists, which it has no longer.
  std::vector<std::uint32_t> take_first() { return std::move(first_); }
  std::vector<std::uint32_t> take_second() { return std::move(second_); }

 private:
  std::size_t slot_of(std::uint32_t first, std::uint32_t second) const;
  void grow();

  std::vector<std::uint32_t> first_, second_;
  std::vector<std::uint32_t> slots_;  // open addressing: number + 1, 0 is free
};

// Functions are numbers of the format's own, equal where two frames belong to one call. A call's
// caller has a smaller number than it has.
class CallNodes {
 public:
  // The call of `function` by `caller` (kNoCall: outermost); made where there is none yet.
  std::uint32_t call(std::uint32_t caller, std::uint32_t function);

  std::size_t size() const { return pairs_.size(); }
  std::uint32_t caller(std::uint32_t call) const { return pairs_.first(call); }
  std::uint32_t function(std::uint32_t call) const { return pairs_.second(call); }
  std::uint32_t depth(std::uint32_t call) const {  // 1: outermost; 0 of kNoCall
    return call == kNoCall ? 0 : depth_[call];
  }

  // The same as a tree for write_samples() and lay_out_weights(), by the names of the functions;
  // the record of each slice is its call's number. Takes what this has.
  CallTree tree(std::span<const StringId> name_of_function) &&;

 private:
  PairNumbers pairs_;  // of caller and function
  std::vector<std::uint32_t> depth_;
};

}  // namespace cinderscope
