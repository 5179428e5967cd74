// Sets of whole numbers: what conditions leave of a column's values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cinderscope {

// A single stretch of numbers, as most conditions leave, takes no memory beside.
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
  static NumberSet of_all(std::vector<std::int64_t> numbers);
  static NumberSet any_of(std::span<const NumberSet> sets);

  bool operator==(const NumberSet&) const = default;
  bool is_all() const { return parts_.empty() && hull_ == Interval{}; }
  bool empty() const { return hull_.first > hull_.last; }
  bool is_interval() const { return parts_.empty() && !empty(); }
  // The least and the greatest; of an empty set first() > last().
  std::int64_t first() const { return hull_.first; }
  std::int64_t last() const { return hull_.last; }
  // Ascending; no two of them touch.
  std::span<const Interval> intervals() const {
    if (!parts_.empty()) return parts_;
    return {&hull_, empty() ? std::size_t{0} : std::size_t{1}};
  }
  bool holds(std::int64_t number) const;
  // The numbers of [first, last] that it holds, where `last` is not the largest of all.
  std::uint64_t count_in(std::int64_t first, std::int64_t last) const;
  std::vector<std::int64_t> numbers_in(std::int64_t first, std::int64_t last) const;

  NumberSet others() const;  // those that are not in it
  void keep(const NumberSet& set);

 private:
  explicit NumberSet(std::vector<Interval> parts);

  Interval hull_;
  std::vector<Interval> parts_;  // none: all between the ends of the hull
};

// A value beside a column of whole numbers, in the order of SQLite: what is no number is above all
// numbers, but for NULL, with which every comparison fails.
struct NumberOperand {
  enum class Kind : std::uint8_t { null, integer, real, above_all };
  Kind kind = Kind::null;
  std::int64_t integer = 0;
  double real = 0;
};
NumberSet numbers_up_to(const NumberOperand& operand, bool included);
NumberSet numbers_above(const NumberOperand& operand, bool included);
NumberSet numbers_equal(const NumberOperand& operand);

}  // namespace cinderscope
