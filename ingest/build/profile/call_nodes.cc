#include "ingest/build/profile/call_nodes.h"

#include <new>
#include <utility>

namespace cinderscope {
namespace {

std::uint32_t hash_of_call(std::uint32_t caller, std::uint32_t function) {
  const std::uint64_t product = (std::uint64_t{caller} << 32 | function) * 0x9e3779b97f4a7c15u;
  return static_cast<std::uint32_t>(product ^ product >> 32);
}

}  // namespace

CallNodes::Slot& CallNodes::slot_of(std::uint32_t caller, std::uint32_t function,
                                    std::uint32_t hash) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = table_[at];
    if (slot.number == kNoCall) return slot;
    // The call itself lies elsewhere in memory: it is looked at only where it is probably meant.
    if (slot.hash != hash) continue;
    if (caller_[slot.number] == caller && this->function(slot.number) == function) return slot;
  }
}

void CallNodes::grow_table() {
  const LargePageVector<Slot> old = std::exchange(
      table_, LargePageVector<Slot>(table_.empty() ? std::size_t{1024} : 2 * table_.size()));
  const std::size_t mask = table_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number == kNoCall) continue;
    std::size_t at = slot.hash & mask;
    while (table_[at].number != kNoCall) at = (at + 1) & mask;
    table_[at] = slot;
  }
}

// Which is not in it yet.
void CallNodes::add_to_table(std::uint32_t call) {
  if (table_.size() < 2 * (table_count_ + 1)) grow_table();
  const std::uint32_t hash = hash_of_call(caller_[call], function(call));
  slot_of(caller_[call], function(call), hash) = {hash, call};
  ++table_count_;
}

std::uint32_t CallNodes::new_call(std::uint32_t caller, std::uint32_t function) {
  const auto call = static_cast<std::uint32_t>(caller_.size());
  if (call == kNumber) throw std::bad_alloc();  // they take more than 24 GB
  caller_.push_back(caller);
  function_.push_back(StringId{function});
  last_callee_.push_back(kNoCall);
  return call;
}

std::uint32_t CallNodes::other_call(std::uint32_t caller, std::uint32_t function,
                                    std::uint32_t last) {
  if (last == kNoCall) {
    const std::uint32_t only = new_call(caller, function);
    last_callee_[caller + 1] = only;
    return only;
  }
  if ((last & kInTable) == 0) add_to_table(last);
  if (table_.size() < 2 * (table_count_ + 1)) grow_table();
  const std::uint32_t hash = hash_of_call(caller, function);
  Slot& slot = slot_of(caller, function, hash);
  if (slot.number == kNoCall) {
    slot = {hash, new_call(caller, function)};
    ++table_count_;
  }
  last_callee_[caller + 1] = slot.number | kInTable;
  return slot.number;
}

void CallNodes::expect(std::size_t calls) {
  caller_.reserve(calls);
  function_.reserve(calls);
  last_callee_.reserve(calls + 1);
}

CallTree CallNodes::tree_without_depths(std::span<const StringId> name_of_function) && {
  last_callee_ = LargePageVector<std::uint32_t>(1, kNoCall);
  table_ = {};
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
