#include "ingest/build/free_rows.h"

#include <algorithm>
#include <bit>

namespace cinderscope {

namespace {

constexpr std::uint32_t kNearRows = 64;  // beyond these a tree is cheaper than looking at each

}  // namespace

std::uint32_t FreeRows::first_free(std::uint32_t from, std::int64_t time) {
  const auto rows = static_cast<std::uint32_t>(busy_until_.size());
  for (std::uint32_t row = from; row < from + kNearRows; ++row) {
    if (row >= rows || busy_until_[row] <= time) return row;
  }
  if (tree_.empty()) build_tree();
  // Up from the leaf to the first right-hand subtree with a free row, then down to its first leaf.
  std::uint32_t node = leaves_ + from + kNearRows;
  if (node >= 2 * leaves_) return std::max(from, rows);
  while (tree_[node] > time) {
    while ((node & 1) != 0) node /= 2;  // a right child: go on from its parent
    if (node == 0) return rows;
    ++node;
  }
  while (node < leaves_) node = tree_[std::size_t{2} * node] <= time ? 2 * node : 2 * node + 1;
  return std::min(node - leaves_, rows);
}

void FreeRows::occupy(std::uint32_t row, std::int64_t until) {
  if (row >= busy_until_.size()) busy_until_.resize(std::size_t{row} + 1, INT64_MIN);
  busy_until_[row] = std::max(busy_until_[row], until);
  if (tree_.empty()) return;
  if (row >= leaves_) {
    build_tree();
    return;
  }
  std::uint32_t node = leaves_ + row;
  tree_[node] = busy_until_[row];
  for (node /= 2; node != 0; node /= 2)
    tree_[node] = std::min(tree_[std::size_t{2} * node], tree_[std::size_t{2} * node + 1]);
}

void FreeRows::build_tree() {
  leaves_ = std::bit_ceil(static_cast<std::uint32_t>(busy_until_.size()) * 2);
  tree_.assign(std::size_t{leaves_} * 2, INT64_MIN);
  std::copy(busy_until_.begin(), busy_until_.end(), tree_.begin() + leaves_);
  for (std::uint32_t node = leaves_ - 1; node != 0; --node) {
    tree_[node] = std::min(tree_[std::size_t{2} * node], tree_[std::size_t{2} * node + 1]);
  }
}

}  // namespace cinderscope
