// A set of indices that is compared in O(1): a million hidden threads are compared in every frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <utility>

namespace cinderscope {

// Like std::set, and converts from and to one. Two sets are equal if their sizes and the hashes of
// their members are.
class IndexSet {
 public:
  using value_type = std::uint32_t;
  using const_iterator = std::set<std::uint32_t>::const_iterator;

  IndexSet() = default;
  IndexSet(std::initializer_list<std::uint32_t> indices) {
    for (const std::uint32_t each : indices) insert(each);
  }
  IndexSet(const std::set<std::uint32_t>& indices) {  // NOLINT(google-explicit-constructor)
    for (const std::uint32_t each : indices) insert(each);
  }
  operator const std::set<std::uint32_t>&() const { return indices_; }  // NOLINT

  bool insert(std::uint32_t each) {
    const std::size_t before = indices_.size();
    indices_.insert(indices_.end(), each);  // mostly they come in order
    if (indices_.size() == before) return false;
    hash_ ^= mixed(each);
    return true;
  }
  std::size_t erase(std::uint32_t each) {
    const std::size_t gone = indices_.erase(each);
    if (gone > 0) hash_ ^= mixed(each);
    return gone;
  }
  void clear() {
    indices_.clear();
    hash_ = 0;
  }
  bool contains(std::uint32_t each) const { return indices_.contains(each); }
  std::size_t size() const { return indices_.size(); }
  bool empty() const { return indices_.empty(); }
  const_iterator begin() const { return indices_.begin(); }
  const_iterator end() const { return indices_.end(); }

  // Size and hash of the members: stands for the content in keys.
  using Print = std::pair<std::size_t, std::uint64_t>;
  Print print() const { return {indices_.size(), hash_}; }
  friend bool operator==(const IndexSet& a, const IndexSet& b) { return a.print() == b.print(); }

 private:
  static std::uint64_t mixed(std::uint64_t value) {  // splitmix64
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
  }
  std::set<std::uint32_t> indices_;
  std::uint64_t hash_ = 0;
};

}  // namespace cinderscope
