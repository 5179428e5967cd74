// The calls of a profile: each a caller and a function, so that equal stacks are one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/base/large_pages.h"
#include "ingest/build/sample_stacks.h"

namespace cinderscope {

// Functions are numbers of the format's own, equal where two frames belong to one call. A call's
// caller has a smaller number than it has.
//
// Stacks resemble the one before: each call remembers the callee that was asked for last, and a
// call that has one callee only, as most have, is in no table.
class CallNodes {
 public:
  // The call of `function` by `caller` (kNoCall: outermost); made where there is none yet.
  std::uint32_t call(std::uint32_t caller, std::uint32_t function) {
    const LastCallee& last = last_callee_[caller + 1];
    if (last.function == function && last.call != kNoCall) return last.call & kNumber;
    return other_call(caller, function);
  }

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
  static constexpr std::uint32_t kNumber = 0x7fffffff, kInTable = 0x80000000;
  struct LastCallee {
    // kNoCall: there is no callee. Else its number, and whether all callees are in the table.
    std::uint32_t call = kNoCall;
    std::uint32_t function = 0;
  };
  struct Slot {
    std::uint32_t caller = 0, function = 0, number = kNoCall;  // kNoCall: free
  };

  std::uint32_t other_call(std::uint32_t caller, std::uint32_t function);
  std::uint32_t new_call(std::uint32_t caller, std::uint32_t function);
  Slot& slot_of(std::uint32_t caller, std::uint32_t function);
  void add_to_table(std::uint32_t call);

  LargePageVector<std::uint32_t> caller_, function_, depth_;
  LargePageVector<LastCallee> last_callee_ = LargePageVector<LastCallee>(1);  // by caller + 1
  // Open addressing; has all callees of the calls that have several.
  LargePageVector<Slot> table_;
  std::size_t table_count_ = 0;
};

}  // namespace cinderscope
