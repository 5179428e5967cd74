#include "ingest/build/profile/call_nodes.h"

#include <numeric>
#include <utility>

namespace cinderscope {

std::size_t CallNodes::slot_of(std::uint32_t caller, std::uint32_t function) const {
  std::uint64_t hash = (std::uint64_t{caller} << 32 | function) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) return slot;
    const std::uint32_t call = slots_[slot] - 1;
    if (caller_[call] == caller && function_[call] == function) return slot;
  }
}

std::uint32_t CallNodes::call(std::uint32_t caller, std::uint32_t function) {
  if (slots_.size() < 2 * (size() + 1)) grow();
  const std::size_t slot = slot_of(caller, function);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  depth_.push_back(depth(caller) + 1);
  caller_.push_back(caller);
  function_.push_back(function);
  slots_[slot] = static_cast<std::uint32_t>(size());
  return slots_[slot] - 1;
}

void CallNodes::grow() {
  slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), 0);
  for (std::uint32_t i = 0; i < size(); ++i) slots_[slot_of(caller_[i], function_[i])] = i + 1;
}

CallTree CallNodes::tree(std::span<const StringId> name_of_function) && {
  CallTree tree{.parent = std::move(caller_), .depth = std::move(depth_)};
  tree.name.reserve(function_.size());
  for (const std::uint32_t function : function_) tree.name.push_back(name_of_function[function]);
  tree.record.resize(function_.size());
  std::iota(tree.record.begin(), tree.record.end(), RecordOffset{0});
  slots_.clear();
  return tree;
}

}  // namespace cinderscope
