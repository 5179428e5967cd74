// Deals slices that partly overlap out to rows on which begins and ends nest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

namespace cinderscope {

// Slices come by begin, of equal begins the longer first. Each goes to the first row on which it
// nests. O(log rows) a slice.
class OverlapRows {
 public:
  struct Place {
    std::uint32_t row = 0;
    std::int64_t end = 0;  // at most that of the slice around it on the row
  };
  // One that ends at most `tolerance` behind the slice around it nests.
  Place add(std::int64_t begin, std::int64_t end, std::int64_t tolerance) {
    while (!ends_.empty() && ends_.top().first <= begin) {
      const std::size_t row = ends_.top().second;
      ends_.pop();
      open_[row].pop_back();
      note(row);
    }
    const std::size_t row = first_with(end - tolerance);
    if (row == open_.size()) add_row();
    std::vector<std::int64_t>& open = open_[row];
    const std::int64_t kept = open.empty() || open.back() >= end ? end : open.back();
    if (kept > begin) {
      open.push_back(kept);
      ends_.emplace(kept, row);
      note(row);
    }
    return {static_cast<std::uint32_t>(row), kept};
  }

 private:
  // A tree of the largest innermost end below each node; an empty row takes anything.
  void note(std::size_t row) {
    std::size_t at = leaves_ + row;
    most_[at] = open_[row].empty() ? INT64_MAX : open_[row].back();
    for (at /= 2; at > 0; at /= 2) {
      most_[at] = most_[2 * at] > most_[2 * at + 1] ? most_[2 * at] : most_[2 * at + 1];
    }
  }
  std::size_t first_with(std::int64_t end) const {
    if (leaves_ == 0 || most_[1] < end) return open_.size();
    std::size_t at = 1;
    while (at < leaves_) at = most_[2 * at] >= end ? 2 * at : 2 * at + 1;
    return at - leaves_;
  }
  void add_row() {
    open_.emplace_back();
    if (open_.size() > leaves_) {
      leaves_ = leaves_ == 0 ? 1 : 2 * leaves_;
      most_.assign(2 * leaves_, INT64_MIN);
      for (std::size_t row = 0; row < open_.size(); ++row) note(row);
    } else {
      note(open_.size() - 1);
    }
  }

  using End = std::pair<std::int64_t, std::size_t>;
  std::vector<std::vector<std::int64_t>> open_;  // ends of each row, outermost first
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::size_t leaves_ = 0;
  std::vector<std::int64_t> most_;
};

}  // namespace cinderscope
