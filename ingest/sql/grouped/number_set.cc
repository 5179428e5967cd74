#include "ingest/sql/grouped/number_set.h"

#include <algorithm>

namespace cinderscope {

NumberSet NumberSet::none() {
  NumberSet set;
  set.intervals_.clear();
  return set;
}

NumberSet NumberSet::of(std::int64_t first, std::int64_t last) {
  if (first > last) return none();
  NumberSet set;
  set.intervals_[0] = {first, last};
  return set;
}

NumberSet NumberSet::any_of(std::vector<NumberSet> sets) {
  std::vector<Interval> all;
  for (const NumberSet& set : sets) {
    all.insert(all.end(), set.intervals_.begin(), set.intervals_.end());
  }
  std::ranges::sort(all, {}, &Interval::first);
  NumberSet out = none();
  for (const Interval& each : all) {
    std::vector<Interval>& kept = out.intervals_;
    const bool touches =
        !kept.empty() && (kept.back().last == INT64_MAX || each.first <= kept.back().last + 1);
    if (touches) {
      kept.back().last = std::max(kept.back().last, each.last);
    } else {
      kept.push_back(each);
    }
  }
  return out;
}

bool NumberSet::holds(std::int64_t number) const {
  const auto after = std::ranges::partition_point(
      intervals_, [number](const Interval& each) { return each.last < number; });
  return after != intervals_.end() && after->first <= number;
}

NumberSet NumberSet::others() const {
  NumberSet out = none();
  std::int64_t from = INT64_MIN;
  for (const Interval& each : intervals_) {
    if (each.first > from) out.intervals_.push_back({from, each.first - 1});
    if (each.last == INT64_MAX) return out;
    from = each.last + 1;
  }
  out.intervals_.push_back({from, INT64_MAX});
  return out;
}

void NumberSet::keep(const NumberSet& set) {
  std::vector<Interval> kept;
  auto a = intervals_.begin();
  auto b = set.intervals_.begin();
  while (a != intervals_.end() && b != set.intervals_.end()) {
    const std::int64_t first = std::max(a->first, b->first), last = std::min(a->last, b->last);
    if (first <= last) kept.push_back({first, last});
    if (a->last < b->last) {
      ++a;
    } else {
      ++b;
    }
  }
  intervals_ = std::move(kept);
}

}  // namespace cinderscope
