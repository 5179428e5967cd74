#include "ingest/build/profile/call_nodes.h"

#include <numeric>
#include <utility>

namespace cinderscope {

std::size_t PairNumbers::slot_of(std::uint32_t first, std::uint32_t second) const {
  std::uint64_t hash = (std::uint64_t{first} << 32 | second) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) return slot;
    const std::uint32_t number = slots_[slot] - 1;
    if (first_[number] == first && second_[number] == second) return slot;
  }
}

std::uint32_t PairNumbers::number_of(std::uint32_t first, std::uint32_t second) {
  if (slots_.size() < 2 * (first_.size() + 1)) grow();
  const std::size_t slot = slot_of(first, second);
  if (slots_[slot] == 0) {
    first_.push_back(first);
    second_.push_back(second);
    slots_[slot] = size();
  }
  return slots_[slot] - 1;
}

void PairNumbers::grow() {
  slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), 0);
  for (std::uint32_t i = 0; i < size(); ++i) slots_[slot_of(first_[i], second_[i])] = i + 1;
}

std::uint32_t CallNodes::call(std::uint32_t caller, std::uint32_t function) {
  const std::uint32_t call = pairs_.number_of(caller, function);
  if (call == depth_.size()) depth_.push_back(depth(caller) + 1);
  return call;
}

CallTree CallNodes::tree(std::span<const StringId> name_of_function) && {
  CallTree tree{.parent = pairs_.take_first(), .depth = std::move(depth_)};
  const std::vector<std::uint32_t> functions = pairs_.take_second();
  tree.name.reserve(functions.size());
  for (const std::uint32_t function : functions) tree.name.push_back(name_of_function[function]);
  tree.record.resize(functions.size());
  std::iota(tree.record.begin(), tree.record.end(), RecordOffset{0});
  pairs_ = {};
  return tree;
}

}  // namespace cinderscope
