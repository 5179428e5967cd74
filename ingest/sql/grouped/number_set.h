// Sets of whole numbers: what conditions leave of a column's values.
#pragma once

#include <cstdint>
#include <vector>

namespace cinderscope {

class NumberSet {
 public:
  struct Interval {
    std::int64_t first = INT64_MIN, last = INT64_MAX;  // both belong to it
    bool operator==(const Interval&) const = default;
  };

  NumberSet() = default;  // all numbers
  static NumberSet none();
  static NumberSet of(std::int64_t first, std::int64_t last);  // none if first > last
  static NumberSet of(std::int64_t number) { return of(number, number); }
  static NumberSet any_of(std::vector<NumberSet> sets);

  bool is_all() const { return intervals_.size() == 1 && intervals_[0] == Interval{}; }
  bool empty() const { return intervals_.empty(); }
  bool is_interval() const { return intervals_.size() == 1; }
  // Of a set that is not empty.
  std::int64_t first() const { return intervals_.front().first; }
  std::int64_t last() const { return intervals_.back().last; }
  const std::vector<Interval>& intervals() const { return intervals_; }
  bool holds(std::int64_t number) const;

  NumberSet others() const;  // those that are not in it
  void keep(const NumberSet& set);

 private:
  std::vector<Interval> intervals_{Interval{}};  // ascending; no two of them touch
};

}  // namespace cinderscope
