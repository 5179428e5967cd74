#include "ingest/build/profile/call_nodes.h"

#include <new>
#include <utility>

namespace cinderscope {

CallNodes::Slot& CallNodes::slot_of(std::uint32_t caller, std::uint32_t function) {
  std::uint64_t hash = (std::uint64_t{caller} << 32 | function) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = table_[at];
    if (slot.number == kNoCall || (slot.caller == caller && slot.function == function)) return slot;
  }
}

void CallNodes::add_to_table(std::uint32_t call) {
  if (table_.size() < 2 * (table_count_ + 1)) {
    const LargePageVector<Slot> old = std::exchange(
        table_, LargePageVector<Slot>(table_.empty() ? std::size_t{1024} : 2 * table_.size()));
    for (const Slot& slot : old) {
      if (slot.number != kNoCall) slot_of(slot.caller, slot.function) = slot;
    }
  }
  slot_of(caller_[call], function_[call]) = {caller_[call], function_[call], call};
  ++table_count_;
}

std::uint32_t CallNodes::new_call(std::uint32_t caller, std::uint32_t function) {
  const auto call = static_cast<std::uint32_t>(caller_.size());
  if (call == kNumber) throw std::bad_alloc();  // they take more than 40 GB
  caller_.push_back(caller);
  function_.push_back(function);
  depth_.push_back(depth(caller) + 1);
  last_callee_.emplace_back();
  return call;
}

std::uint32_t CallNodes::other_call(std::uint32_t caller, std::uint32_t function) {
  const std::uint32_t last = last_callee_[caller + 1].call;
  std::uint32_t call = kNoCall;
  if (last == kNoCall) {
    call = new_call(caller, function);
    last_callee_[caller + 1] = {call, function};
    return call;
  }
  if ((last & kInTable) == 0) add_to_table(last);
  call = slot_of(caller, function).number;
  if (call == kNoCall) {
    call = new_call(caller, function);
    add_to_table(call);
  }
  last_callee_[caller + 1] = {call | kInTable, function};
  return call;
}

CallTree CallNodes::tree(std::span<const StringId> name_of_function) && {
  last_callee_ = LargePageVector<LastCallee>(1);
  table_ = {};
  table_count_ = 0;
  CallTree tree{.parent = std::exchange(caller_, {}), .depth = std::exchange(depth_, {})};
  const LargePageVector<std::uint32_t> functions = std::exchange(function_, {});
  tree.name.reserve(functions.size());
  for (const std::uint32_t function : functions) tree.name.push_back(name_of_function[function]);
  tree.records = CallTree::Records::calls;
  return tree;
}

}  // namespace cinderscope
