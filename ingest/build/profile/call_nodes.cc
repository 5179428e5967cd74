#include "ingest/build/profile/call_nodes.h"

#include <algorithm>
#include <new>
#include <utility>

#include "ingest/build/passing_memory.h"

namespace cinderscope {
namespace {

constexpr std::size_t kFirstSlots = 1024;

}  // namespace

CallNodes::Slot& CallNodes::slot_of(std::uint32_t caller, std::uint32_t function) {
  std::uint64_t hash = (std::uint64_t{caller} << 32 | function) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = table_[at];
    if (slot.number == kNoCall || (slot.caller == caller && slot.function == function)) return slot;
  }
}

// To a power of 2 that leaves half of them free.
void CallNodes::resize_table(std::size_t slots) {
  const LargePageVector<Slot> old = std::exchange(table_, LargePageVector<Slot>(slots));
  for (const Slot& slot : old) {
    if (slot.number != kNoCall) slot_of(slot.caller, slot.function) = slot;
  }
}

// Which is not in it yet.
void CallNodes::add_to_table(std::uint32_t call) {
  if (table_.size() < 2 * (table_count_ + 1))
    resize_table(std::max(kFirstSlots, 2 * table_.size()));
  slot_of(caller_[call], function(call)) = {caller_[call], function(call), call};
  ++table_count_;
}

std::uint32_t CallNodes::new_call(std::uint32_t caller, std::uint32_t function) {
  const auto call = static_cast<std::uint32_t>(caller_.size());
  if (call == kMostCalls) throw std::bad_alloc();  // they take more than 24 GB
  caller_.push_back(caller);
  function_.push_back(StringId{function});
  only_callee_.push_back(kNoCall);
  return call;
}

std::uint32_t CallNodes::other_call(std::uint32_t caller, std::uint32_t function,
                                    std::uint32_t only) {
  if (only == kNoCall) {
    const std::uint32_t call = new_call(caller, function);
    only_callee_[caller + 1] = call;
    return call;
  }
  if (only != kSeveral) {
    add_to_table(only);
    only_callee_[caller + 1] = kSeveral;
  }
  if (table_.size() < 2 * (table_count_ + 1))
    resize_table(std::max(kFirstSlots, 2 * table_.size()));
  Slot& slot = slot_of(caller, function);
  if (slot.number == kNoCall) {
    slot = {caller, function, new_call(caller, function)};
    ++table_count_;
  }
  return slot.number;
}

CallTree CallNodes::tree_without_depths(std::span<const StringId> name_of_function) && {
  only_callee_ = LargePageVector<std::uint32_t>(1, kNoCall);
  release(table_);
  table_count_ = 0;
  CallTree tree{.name = std::exchange(function_, {}), .parent = std::exchange(caller_, {})};
  for (StringId& name : tree.name) name = name_of_function[index(name)];
  tree.records = CallTree::Records::calls;
  return tree;
}

CallTree CallNodes::tree(std::span<const StringId> name_of_function) && {
  CallTree tree = std::move(*this).tree_without_depths(name_of_function);
  tree.depth.reserve(tree.parent.size());
  for (const std::uint32_t caller : tree.parent) {  // callers come first
    tree.depth.push_back(caller == kNoCall ? 1 : tree.depth[caller] + 1);
  }
  return tree;
}

}  // namespace cinderscope
