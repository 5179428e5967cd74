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
// Most calls have one callee, which is remembered with them; those of others are in a table. A call
// takes 12 bytes and a callee is found by two places at most that lie anywhere. Where there are
// many stacks that nothing in the file numbers, StackChains is faster.
class CallNodes {
 public:
  // The call of `function` by `caller` (kNoCall: outermost); made where there is none yet.
  std::uint32_t call(std::uint32_t caller, std::uint32_t function) {
    const std::uint32_t only = only_callee_[caller + 1];
    if (only < kSeveral && this->function(only) == function) return only;
    return other_call(caller, function, only);
  }

  std::size_t size() const { return caller_.size(); }
  std::uint32_t caller(std::uint32_t call) const { return caller_[call]; }
  std::uint32_t function(std::uint32_t call) const {
    return static_cast<std::uint32_t>(function_[call]);
  }

  // The same as a tree, by the names of the functions; the record of each slice is its call's
  // number. Takes what this has. Depths are needed by write_samples() alone.
  CallTree tree(std::span<const StringId> name_of_function) &&;
  CallTree tree_without_depths(std::span<const StringId> name_of_function) &&;

 private:
  static constexpr std::uint32_t kMostCalls = 0x7fffffff, kSeveral = kNoCall - 1;
  struct Slot {
    std::uint32_t caller = 0, function = 0, number = kNoCall;  // kNoCall: free
  };

  std::uint32_t other_call(std::uint32_t caller, std::uint32_t function, std::uint32_t only);
  std::uint32_t new_call(std::uint32_t caller, std::uint32_t function);
  Slot& slot_of(std::uint32_t caller, std::uint32_t function);
  void add_to_table(std::uint32_t call);
  void resize_table(std::size_t slots);

  LargePageVector<std::uint32_t> caller_;
  // Numbers of functions; tree() puts their names in their places.
  LargePageVector<StringId> function_;
  // By caller + 1: its callee; kSeveral: they are in the table; kNoCall: there is none.
  LargePageVector<std::uint32_t> only_callee_ = LargePageVector<std::uint32_t>(1, kNoCall);
  // Open addressing; has all callees of the calls that have several.
  LargePageVector<Slot> table_;
  std::size_t table_count_ = 0;
};

}  // namespace cinderscope
