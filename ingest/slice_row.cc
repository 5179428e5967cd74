#include "ingest/slice_row.h"

#include <algorithm>
#include <cmath>

namespace cinderscope {

namespace {

// Means of means weighted by busy time; spans are those of the level below.
struct SpanSum {
  double busy_ns = 0, x = 0, y = 0;

  void add(std::int64_t begin_ns, std::int64_t end_ns, const LodSummary& summary) {
    const double span = std::max(1.0, static_cast<double>(end_ns) - static_cast<double>(begin_ns));
    const double busy = span * summary.busy / 255;
    busy_ns += busy;
    x += busy * summary.hue_x;
    y += busy * summary.hue_y;
  }
  LodSummary summary(std::int64_t begin_ns, std::int64_t end_ns) const {
    const double span = std::max(1.0, static_cast<double>(end_ns) - static_cast<double>(begin_ns));
    LodSummary result;
    result.busy =
        static_cast<std::uint8_t>(std::clamp(std::round(busy_ns / span * 255), 1.0, 255.0));
    if (busy_ns > 0) {
      result.hue_x = static_cast<std::int8_t>(std::lround(x / busy_ns));
      result.hue_y = static_cast<std::int8_t>(std::lround(y / busy_ns));
    }
    return result;
  }
};

}  // namespace

std::uint64_t SliceRow::lower_bound(std::int64_t t_ns) const {
  const auto chunk = std::partition_point(chunks.begin(), chunks.end(), [t_ns](const auto& c) {
    return c->begin_ns(c->count() - 1) < t_ns;
  });
  if (chunk == chunks.end()) return count();
  std::uint32_t low = 0, high = (*chunk)->count();
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if ((*chunk)->begin_ns(middle) < t_ns) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return static_cast<std::uint64_t>(chunk - chunks.begin()) * kChunkSlices + low;
}

std::uint64_t SliceRow::last_begun(std::int64_t t_ns) const {
  const std::uint64_t after = t_ns == INT64_MAX ? count() : lower_bound(t_ns + 1);
  return after == 0 ? count() : after - 1;
}

void SliceRow::build_lod() {
  upper.clear();
  if (chunks.empty()) return;
  std::vector<LodSpan> level;
  level.reserve((count() + kUpperSlices - 1) / kUpperSlices);
  for (const auto& chunk : chunks) {
    for (std::uint32_t first = 0; first < chunk->count(); first += kUpperSlices) {
      const std::uint32_t end = std::min(first + kUpperSlices, chunk->count());
      LodSpan span{chunk->begin_ns(first), chunk->end_ns(end - 1), {}};
      SpanSum sum;
      for (std::uint32_t i = first; i < end; i += kBigGroup) {
        const std::uint32_t last = std::min(i + kBigGroup, end) - 1;
        sum.add(chunk->begin_ns(i), chunk->end_ns(last), chunk->big_group(i / kBigGroup));
      }
      span.summary = sum.summary(span.begin_ns, span.end_ns);
      level.push_back(span);
    }
    // Rounding may let an earlier slice end last.
    level.back().end_ns = std::max(level.back().end_ns, chunk->last_end_ns());
  }
  upper.push_back(std::move(level));
  while (upper.back().size() > 1) {
    const std::vector<LodSpan>& below = upper.back();
    std::vector<LodSpan> above;
    above.reserve((below.size() + kUpperFanout - 1) / kUpperFanout);
    for (std::size_t first = 0; first < below.size(); first += kUpperFanout) {
      SpanSum sum;
      LodSpan span{below[first].begin_ns, INT64_MIN, {}};
      for (std::size_t i = first; i < std::min(below.size(), first + kUpperFanout); ++i) {
        sum.add(below[i].begin_ns, below[i].end_ns, below[i].summary);
        span.end_ns = std::max(span.end_ns, below[i].end_ns);
      }
      span.summary = sum.summary(span.begin_ns, span.end_ns);
      above.push_back(span);
    }
    upper.push_back(std::move(above));
  }
}

std::size_t SliceRow::lod_bytes() const {
  std::size_t bytes = upper.capacity() * sizeof(decltype(upper)::value_type);
  for (const auto& level : upper) bytes += level.capacity() * sizeof(LodSpan);
  for (const auto& chunk : chunks) bytes += chunk->lod_bytes();
  return bytes;
}

std::size_t SliceRow::kept_bytes() const {
  std::size_t bytes = chunks.capacity() * sizeof(chunks[0]) +
                      upper.capacity() * sizeof(decltype(upper)::value_type);
  for (const auto& level : upper) bytes += level.capacity() * sizeof(LodSpan);
  for (const auto& chunk : chunks) bytes += chunk->kept_bytes();
  return bytes;
}

}  // namespace cinderscope
