#include "ingest/sql/number_set.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cinderscope {

NumberSet::NumberSet(std::vector<Interval> parts) : hull_(none().hull_) {
  if (parts.empty()) return;
  hull_ = {parts.front().first, parts.back().last};
  if (parts.size() > 1) parts_ = std::move(parts);
}

NumberSet NumberSet::none() {
  NumberSet set;
  set.hull_ = {INT64_MAX, INT64_MIN};
  return set;
}

NumberSet NumberSet::of(std::int64_t first, std::int64_t last) {
  if (first > last) return none();
  NumberSet set;
  set.hull_ = {first, last};
  return set;
}

NumberSet NumberSet::of_all(std::vector<std::int64_t> numbers) {
  std::ranges::sort(numbers);
  std::vector<Interval> parts;
  for (const std::int64_t number : numbers) {
    const bool touches =
        !parts.empty() && (number == parts.back().last || number - 1 == parts.back().last);
    if (touches) {
      parts.back().last = number;
    } else {
      parts.push_back({number, number});
    }
  }
  return NumberSet(std::move(parts));
}

NumberSet NumberSet::any_of(std::span<const NumberSet> sets) {
  std::vector<Interval> all;
  for (const NumberSet& set : sets) {
    const std::span<const Interval> of = set.intervals();
    all.insert(all.end(), of.begin(), of.end());
  }
  std::ranges::sort(all, {}, &Interval::first);
  std::vector<Interval> kept;
  for (const Interval& each : all) {
    const bool touches =
        !kept.empty() && (kept.back().last == INT64_MAX || each.first <= kept.back().last + 1);
    if (touches) {
      kept.back().last = std::max(kept.back().last, each.last);
    } else {
      kept.push_back(each);
    }
  }
  return NumberSet(std::move(kept));
}

bool NumberSet::holds(std::int64_t number) const {
  if (number < hull_.first || number > hull_.last) return false;
  if (parts_.empty()) return true;
  const auto after = std::ranges::partition_point(
      parts_, [number](const Interval& each) { return each.last < number; });
  return after->first <= number;
}

std::uint64_t NumberSet::count_in(std::int64_t first, std::int64_t last) const {
  std::uint64_t count = 0;
  for (const Interval& each : intervals()) {
    const std::int64_t from = std::max(each.first, first), to = std::min(each.last, last);
    if (from <= to) count += static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from) + 1;
  }
  return count;
}

std::vector<std::int64_t> NumberSet::numbers_in(std::int64_t first, std::int64_t last) const {
  std::vector<std::int64_t> numbers;
  for (const Interval& each : intervals()) {
    const std::int64_t to = std::min(each.last, last);
    for (std::int64_t at = std::max(each.first, first); at <= to; ++at) numbers.push_back(at);
  }
  return numbers;
}

NumberSet NumberSet::others() const {
  std::vector<Interval> out;
  std::int64_t from = INT64_MIN;
  for (const Interval& each : intervals()) {
    if (each.first > from) out.push_back({from, each.first - 1});
    if (each.last == INT64_MAX) return NumberSet(std::move(out));
    from = each.last + 1;
  }
  out.push_back({from, INT64_MAX});
  return NumberSet(std::move(out));
}

void NumberSet::keep(const NumberSet& set) {
  if (parts_.empty() && set.parts_.empty()) {
    *this = of(std::max(first(), set.first()), std::min(last(), set.last()));
    return;
  }
  std::vector<Interval> kept;
  const std::span<const Interval> one = intervals(), other = set.intervals();
  auto a = one.begin();
  auto b = other.begin();
  while (a != one.end() && b != other.end()) {
    const std::int64_t first = std::max(a->first, b->first), last = std::min(a->last, b->last);
    if (first <= last) kept.push_back({first, last});
    if (a->last < b->last) {
      ++a;
    } else {
      ++b;
    }
  }
  *this = NumberSet(std::move(kept));
}

NumberSet numbers_up_to(const NumberOperand& operand, bool included) {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  using Kind = NumberOperand::Kind;
  if (operand.kind == Kind::null) return NumberSet::none();
  if (operand.kind == Kind::integer) {
    if (included) return NumberSet::of(INT64_MIN, operand.integer);
    if (operand.integer == INT64_MIN) return NumberSet::none();
    return NumberSet::of(INT64_MIN, operand.integer - 1);
  }
  if (operand.kind != Kind::real || operand.real >= kEnd) return NumberSet();
  if (operand.real < -kEnd) return NumberSet::none();
  const double below = std::floor(operand.real);
  const auto number = static_cast<std::int64_t>(below);
  if (included || below != operand.real) return NumberSet::of(INT64_MIN, number);
  return number == INT64_MIN ? NumberSet::none() : NumberSet::of(INT64_MIN, number - 1);
}

NumberSet numbers_above(const NumberOperand& operand, bool included) {
  if (operand.kind == NumberOperand::Kind::null) return NumberSet::none();
  return numbers_up_to(operand, !included).others();
}

NumberSet numbers_equal(const NumberOperand& operand) {
  NumberSet set = numbers_up_to(operand, true);
  set.keep(numbers_above(operand, true));
  return set;
}

}  // namespace cinderscope
