// Which slices of a track contain a later one, where slices may partly overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cinderscope {

// The slices that can still contain a later one, outermost first. Slices come by begin, of equal
// begins the longer first; times are in any unit. Intervals are half open, and a slice without
// length contains nothing. Amortised O(1) a slice.
//
// One that ends before a later one does is given up although it may go on: what it could contain,
// the later one contains too, and is the inner one of both.
template <class Value>
class Containers {
 public:
  struct Container {
    std::int64_t end = 0;  // not after that of the container around it
    Value value{};
  };

  // A slice that ends at most `tolerance` after its container counts as contained.
  explicit Containers(std::int64_t tolerance = 0) : tolerance_(tolerance) {}

  // Gives up what does not contain [begin, end), which comes next; true if something that had not
  // ended was among it: so the slice partly overlaps an earlier one.
  bool narrow(std::int64_t begin, std::int64_t end) {
    bool overlaps = false;
    while (!open_.empty()) {
      const std::int64_t open_end = open_.back().end;
      const bool ended = open_end <= begin;
      if (!ended && open_end >= end - tolerance_) break;
      overlaps |= !ended;
      open_.pop_back();
    }
    return overlaps;
  }
  // The slice for which narrow() was called contains what lies in it from now on.
  void add(std::int64_t begin, std::int64_t end, Value value) {
    if (!open_.empty() && open_.back().end < end) end = open_.back().end;
    if (end > begin) open_.push_back({end, std::move(value)});
  }

  // After narrow(): the parent of the slice, null if it has none, and how many contain it.
  Container* innermost() { return open_.empty() ? nullptr : &open_.back(); }
  std::size_t depth() const { return open_.size(); }
  const std::vector<Container>& all() const { return open_; }

 private:
  std::int64_t tolerance_;
  std::vector<Container> open_;
};

}  // namespace cinderscope
