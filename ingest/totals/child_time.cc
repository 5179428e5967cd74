#include "ingest/totals/child_time.h"

#include <algorithm>

#include "ingest/base/saturating.h"

namespace cinderscope {

ChildTimeCursor::ChildTimeCursor(const SliceRow& row, std::int64_t from_ns)
    : row_(&row), next_(row.lower_bound(from_ns)) {
  while (next_ > 0 && row.end_ns(next_ - 1) > from_ns) --next_;
}

bool ChildTimeCursor::fill() {
  if (next_ >= row_->count()) return false;
  const SliceChunk& chunk = row_->chunk_of(next_);
  const std::uint32_t first = SliceRow::in_chunk(next_);
  count_ = chunk.count() - first;
  begins_.resize(kChunkSlices);
  ends_.resize(kChunkSlices);
  chunk.read_begins(first, {begins_.data(), count_});
  chunk.read_durations(first, {ends_.data(), count_});
  for (std::size_t i = 0; i < count_; ++i) ends_[i] += begins_[i];
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
