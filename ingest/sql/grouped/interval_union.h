// The length of the union of many intervals: what the function covered() gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace cinderscope {

class IntervalUnion {
 public:
  explicit IntervalUnion(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : intervals_(memory) {}

  // Half open; nothing if it has no length. Cheap where intervals come by begin; O(log n) else.
  void add(std::int64_t begin, std::int64_t end);
  void add(const IntervalUnion& other);
  std::int64_t length();  // at most INT64_MAX
  std::size_t kept_bytes() const { return intervals_.capacity() * sizeof(Interval); }

 private:
  struct Interval {
    std::int64_t begin = 0, end = 0;
  };
  void merge();

  // Up to `merged_` ascending and apart, behind them as they came. They are merged whenever those
  // that came are as many again, so that memory follows the union, not what was added.
  std::pmr::vector<Interval> intervals_;
  std::size_t merged_ = 0;
};

}  // namespace cinderscope
