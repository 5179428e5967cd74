#include "ingest/sql/functions/idle_times.h"

#include <algorithm>

#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kSlicesBetweenLooks = 1 << 14;

}  // namespace

IdleTimes::IdleTimes(const Timeline& timeline, TrackId track, std::optional<std::int64_t> begin_ns,
                     std::optional<std::int64_t> end_ns, const std::atomic<bool>* cancelled)
    : timeline_(timeline),
      track_(track),
      cancelled_(cancelled),
      busy_(timeline.tracks[index(track)].busy_row()),
      is_covered_(!timeline.tracks[index(track)].covered.chunks.empty()) {
  if (busy_ == nullptr || busy_->count() == 0) {
    busy_ = nullptr;
    reached_ns_ = begin_ns.value_or(0);
    end_ns_ = begin_ns ? end_ns.value_or(reached_ns_) : reached_ns_;
    return;
  }
  reached_ns_ = begin_ns.value_or(busy_->begin_ns(0));
  // Without an end nothing is idle behind the last slice.
  end_ns_ = end_ns.value_or(busy_->end_ns(busy_->count() - 1));
  next_ = span_of(*busy_, {reached_ns_, INT64_MAX}).first;
}

std::optional<IdleTime> IdleTimes::next() {
  const std::uint64_t count = busy_ == nullptr ? 0 : busy_->count();
  while (reached_ns_ < end_ns_) {
    if (next_ % kSlicesBetweenLooks == 0 && is_set(cancelled_)) break;
    const bool more = next_ < count;
    const std::int64_t until_ns = more ? std::min(busy_->begin_ns(next_), end_ns_) : end_ns_;
    std::optional<IdleTime> idle;
    if (until_ns > reached_ns_) {
      idle = IdleTime{reached_ns_, until_ns, {}, {}};
      if (next_ > 0) idle->before = ending_at(next_ - 1);
      if (more) idle->after = beginning_at(next_);
    }
    reached_ns_ = std::max(reached_ns_, more ? busy_->end_ns(next_) : end_ns_);
    if (more) ++next_;
    if (idle) return idle;
  }
  return std::nullopt;
}

SliceRef IdleTimes::ending_at(std::uint64_t busy) const {
  if (!is_covered_) return {track_, BlockId{0}, 0, busy};
  const std::int64_t end_ns = busy_->end_ns(busy);
  const std::vector<SliceRow>& rows = timeline_.tracks[index(track_)].root().rows;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    std::uint64_t i = rows[row].lower_bound(end_ns);
    // A slice without length may begin and end there.
    while (i < rows[row].count() && rows[row].begin_ns(i) == end_ns) ++i;
    for (; i > 0 && rows[row].end_ns(i - 1) >= end_ns; --i) {
      if (rows[row].end_ns(i - 1) == end_ns) return {track_, BlockId{0}, row, i - 1};
    }
  }
  return {};
}

SliceRef IdleTimes::beginning_at(std::uint64_t busy) const {
  if (!is_covered_) return {track_, BlockId{0}, 0, busy};
  const std::int64_t begin_ns = busy_->begin_ns(busy);
  const std::vector<SliceRow>& rows = timeline_.tracks[index(track_)].root().rows;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    const std::uint64_t i = rows[row].lower_bound(begin_ns);
    if (i < rows[row].count() && rows[row].begin_ns(i) == begin_ns) {
      return {track_, BlockId{0}, row, i};
    }
  }
  return {};
}

}  // namespace cinderscope
