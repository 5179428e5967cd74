// Which rows of a track are free at a time: finds the first one, so that no slices share a place.
#pragma once

#include <cstdint>
#include <vector>

namespace cinderscope {

// Asked with times that never step back. A row is busy until the end last given for it.
class FreeRows {
 public:
  // The first row >= `from` that is free at `time`; may be one more than there are so far. Constant
  // time where a near row is free, else O(log rows).
  std::uint32_t first_free(std::uint32_t from, std::int64_t time);
  bool is_free(std::uint32_t row, std::int64_t time) const {
    return row >= busy_until_.size() || busy_until_[row] <= time;
  }
  void occupy(std::uint32_t row, std::int64_t until);

 private:
  void build_tree();

  std::vector<std::int64_t> busy_until_;
  // Heap-shaped tree of minima over busy_until_, made when a search had to go far.
  std::vector<std::int64_t> tree_;
  std::uint32_t leaves_ = 0;
};

}  // namespace cinderscope
