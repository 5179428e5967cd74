#include "ingest/totals/child_time.h"

#include <algorithm>
#include <numeric>

#include "ingest/base/saturating.h"

namespace cinderscope {

void Intervals::add(std::int64_t begin_ns, std::int64_t end_ns) {
  if (begin_ns >= end_ns) return;
  if (!ends.empty() && begin_ns <= ends.back()) {
    ends.back() = std::max(ends.back(), end_ns);
    return;
  }
  begins.push_back(begin_ns);
  ends.push_back(end_ns);
}

Intervals merged(const Intervals& a, const Intervals& b) {
  Intervals out;
  out.begins.reserve(std::max(a.begins.size(), b.begins.size()));
  out.ends.reserve(std::max(a.begins.size(), b.begins.size()));
  std::size_t i = 0, j = 0;
  while (i < a.begins.size() || j < b.begins.size()) {
    const bool from_a = j == b.begins.size() || (i < a.begins.size() && a.begins[i] <= b.begins[j]);
    if (from_a) {
      out.add(a.begins[i], a.ends[i]);
      ++i;
    } else {
      out.add(b.begins[j], b.ends[j]);
      ++j;
    }
  }
  return out;
}

Intervals intervals_of(std::span<const SliceSpan> rows) {
  // Rows of several blocks lie one behind the other, but their order is that of loading.
  std::vector<const SliceSpan*> by_begin;
  for (const SliceSpan& row : rows) by_begin.push_back(&row);
  std::sort(by_begin.begin(), by_begin.end(), [](const SliceSpan* a, const SliceSpan* b) {
    return a->row->begin_ns(a->first) < b->row->begin_ns(b->first);
  });
  Intervals out;
  std::vector<std::pair<std::int64_t, std::int64_t>> disordered;
  std::int64_t reached_ns = INT64_MIN;
  for (const SliceSpan* span : by_begin) {
    for (std::uint64_t i = span->first; i < span->last; ++i) {
      const std::int64_t begin_ns = span->row->begin_ns(i), end_ns = span->row->end_ns(i);
      if (begin_ns < reached_ns) {
        disordered.emplace_back(begin_ns, end_ns);
        continue;
      }
      reached_ns = begin_ns;
      out.add(begin_ns, end_ns);
    }
  }
  if (disordered.empty()) return out;
  std::sort(disordered.begin(), disordered.end());
  Intervals others;
  for (const auto& [begin_ns, end_ns] : disordered) others.add(begin_ns, end_ns);
  return merged(out, others);
}

ChildTimeCursor::ChildTimeCursor(const Intervals& intervals, std::int64_t from_ns)
    : begins_(intervals.begins.data()),
      ends_(intervals.ends.data()),
      count_(intervals.begins.size()) {
  at_ = static_cast<std::size_t>(
      std::upper_bound(intervals.ends.begin(), intervals.ends.end(), from_ns) -
      intervals.ends.begin());
}

ChildTimeCursor::ChildTimeCursor(const SliceRow& row, std::int64_t from_ns)
    : row_(&row), next_(row.lower_bound(from_ns)) {
  while (next_ > 0 && row.end_ns(next_ - 1) > from_ns) --next_;
}

bool ChildTimeCursor::fill() {
  if (row_ == nullptr || next_ >= row_->count()) return false;
  const SliceChunk& chunk = row_->chunk_of(next_);
  const std::uint32_t first = SliceRow::in_chunk(next_);
  count_ = chunk.count() - first;
  row_begins_.resize(kChunkSlices);
  row_ends_.resize(kChunkSlices);
  chunk.read_begins(first, {row_begins_.data(), count_});
  chunk.read_durations(first, {row_ends_.data(), count_});
  for (std::size_t i = 0; i < count_; ++i) row_ends_[i] += row_begins_[i];
  begins_ = row_begins_.data();
  ends_ = row_ends_.data();
  at_ = 0;
  next_ += count_;
  return true;
}

std::int64_t ChildTimeCursor::covered(std::int64_t begin_ns, std::int64_t end_ns) {
  std::int64_t sum_ns = 0, reached_ns = begin_ns;
  const auto take = [&](std::int64_t from_ns, std::int64_t to_ns) {
    from_ns = std::max(from_ns, reached_ns);
    to_ns = std::min(to_ns, end_ns);
    if (to_ns <= from_ns) return;
    sum_ns = saturating_sum(sum_ns, saturating_difference(to_ns, from_ns));
    reached_ns = to_ns;
  };
  if (passed_end_ns_ > begin_ns) take(passed_begin_ns_, passed_end_ns_);
  while (at_ < count_ || fill()) {
    if (begins_[at_] >= end_ns) break;
    take(begins_[at_], ends_[at_]);
    if (ends_[at_] > end_ns) break;  // goes on under the next one
    if (ends_[at_] > passed_end_ns_) {
      passed_begin_ns_ = begins_[at_];
      passed_end_ns_ = ends_[at_];
    }
    ++at_;
  }
  return sum_ns;
}

}  // namespace cinderscope
