#include "ingest/sql/grouped/interval_union.h"

#include <algorithm>

#include "ingest/base/saturating.h"

namespace cinderscope {

namespace {

constexpr std::size_t kLeastAtOnce = 1024;

}  // namespace

void IntervalUnion::add(std::int64_t begin, std::int64_t end) {
  if (end <= begin) return;
  if (!intervals_.empty()) {
    Interval& last = intervals_.back();
    // The last one may belong to those that are merged: it may grow only if it stays their last.
    if (begin >= last.begin && begin <= last.end) {
      last.end = std::max(last.end, end);
      return;
    }
  }
  if (intervals_.size() - merged_ >= std::max(merged_, kLeastAtOnce)) merge();
  const bool behind =
      merged_ == intervals_.size() && (merged_ == 0 || begin > intervals_.back().end);
  intervals_.push_back({begin, end});
  if (behind) ++merged_;
}

void IntervalUnion::add(const IntervalUnion& other) {
  for (const Interval& each : other.intervals_) add(each.begin, each.end);
}

void IntervalUnion::merge() {
  const auto by_begin = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
  const auto middle = intervals_.begin() + static_cast<std::ptrdiff_t>(merged_);
  std::sort(middle, intervals_.end(), by_begin);
  std::inplace_merge(intervals_.begin(), middle, intervals_.end(), by_begin);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    const Interval each = intervals_[i];
    if (kept > 0 && each.begin <= intervals_[kept - 1].end) {
      intervals_[kept - 1].end = std::max(intervals_[kept - 1].end, each.end);
    } else {
      intervals_[kept++] = each;
    }
  }
  intervals_.resize(kept);
  merged_ = kept;
}

std::int64_t IntervalUnion::length() {
  merge();
  std::int64_t length = 0;
  for (const Interval& each : intervals_) {
    length = saturating_sum(length, saturating_difference(each.end, each.begin));
  }
  return length;
}

}  // namespace cinderscope
