// The calls of a profile: each a caller and a function, so that equal stacks are one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/build/sample_stacks.h"

namespace cinderscope {

// Functions are numbers of the format's own, equal where two frames belong to one call. A call's
// caller has a smaller number than it has.
class CallNodes {
 public:
  // The call of `function` by `caller` (kNoCall: outermost); made where there is none yet.
  std::uint32_t call(std::uint32_t caller, std::uint32_t function);

  std::size_t size() const { return caller_.size(); }
  std::uint32_t caller(std::uint32_t call) const { return caller_[call]; }
  std::uint32_t function(std::uint32_t call) const { return function_[call]; }
  std::uint32_t depth(std::uint32_t call) const {  // 1: outermost; 0 of kNoCall
    return call == kNoCall ? 0 : depth_[call];
  }

  // The same as a tree for write_samples() and lay_out_weights(), by the names of the functions;
  // the record of each slice is its call's number. Takes what this has.
  CallTree tree(std::span<const StringId> name_of_function) &&;

 private:
  std::size_t slot_of(std::uint32_t caller, std::uint32_t function) const;
  void grow();

  std::vector<std::uint32_t> caller_, function_, depth_;
  std::vector<std::uint32_t> slots_;  // open addressing: call + 1, 0 is free
};

}  // namespace cinderscope
