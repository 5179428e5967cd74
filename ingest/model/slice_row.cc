#include "ingest/model/slice_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace cinderscope {

namespace {

// The distance of two times, which may exceed INT64_MAX.
double distance_ns(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<double>(static_cast<std::uint64_t>(to_ns) -
                             static_cast<std::uint64_t>(from_ns));
}

float rounded_up(double length_ns) {
  const auto nearest = static_cast<float>(length_ns);
  return static_cast<double>(nearest) < length_ns ? std::nextafter(nearest, INFINITY) : nearest;
}

// Adds up the summaries of at most four neighbours. Their colours vote, weighted by the time that
// is known to have them.
class SpanSum {
 public:
  explicit SpanSum(std::int64_t begin_ns) : begin_ns_(begin_ns) {}

  void add(std::int64_t begin_ns, double length_ns, const LodSummary& summary) {
    add_colour(length_ns, summary);
    reach(distance_ns(begin_ns_, begin_ns) + length_ns);
  }
  void add_colour(double length_ns, const LodSummary& summary) {
    const double busy = std::max(1.0, length_ns) * summary.busy / 255;
    busy_ns_ += busy;
    weight_ += busy;
    const double agreed = busy * summary.agreement;  // in 255ths
    for (std::size_t i = 0; i < voters_; ++i) {
      if (votes_[i].colour != summary.colour) continue;
      votes_[i].weight += agreed;
      return;
    }
    votes_.at(voters_++) = {agreed, summary.colour};
  }
  // Replaces the sum of small, rounded summaries where the busy share is known exactly.
  void set_busy(double busy_ns) { busy_ns_ = busy_ns; }
  // Time from the first begin to the last end.
  void reach(double length_ns) { length_ns_ = std::max(length_ns_, length_ns); }

  LodSpan span() const {
    LodSpan result{.begin_ns = begin_ns_, .length_ns = rounded_up(length_ns_)};
    const double share = busy_ns_ / std::max(1.0, length_ns_);
    result.summary.busy =
        static_cast<std::uint8_t>(std::clamp(std::round(share * 255), 1.0, 255.0));
    if (weight_ > 0) {
      const auto* winner =
          std::max_element(votes_.begin(), votes_.begin() + static_cast<std::ptrdiff_t>(voters_),
                           [](const Vote& a, const Vote& b) { return a.weight < b.weight; });
      result.summary.colour = winner->colour;
      result.summary.agreement =
          static_cast<std::uint8_t>(std::clamp(std::round(winner->weight / weight_), 1.0, 255.0));
    }
    return result;
  }

 private:
  struct Vote {
    double weight = 0;
    std::uint8_t colour = 0;
  };
  std::int64_t begin_ns_;
  double length_ns_ = 0, busy_ns_ = 0, weight_ = 0;
  std::array<Vote, 4> votes_{};
  std::size_t voters_ = 0;
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
      SpanSum sum(chunk->begin_ns(first));
      for (std::uint32_t i = first; i < end; i += kBigGroup) {
        const std::uint32_t next = i + kBigGroup;
        const std::int64_t end_ns =
            next < chunk->count() ? chunk->begin_ns(next) : chunk->last_end_ns();
        sum.add_colour(distance_ns(chunk->begin_ns(i), end_ns),
                       chunk->big_group(i / kBigGroup).unpacked());
      }
      sum.reach(distance_ns(chunk->begin_ns(first), chunk->end_ns(end - 1)));
      std::array<std::int64_t, kUpperSlices> durations_ns;
      const auto read = std::span(durations_ns).first(end - first);
      chunk->read_durations(first, read);
      double busy_ns = 0;
      for (const std::int64_t duration_ns : read) busy_ns += static_cast<double>(duration_ns);
      sum.set_busy(busy_ns);
      // Rounding may let an earlier slice end last.
      if (end == chunk->count()) {
        sum.reach(distance_ns(chunk->begin_ns(first), chunk->last_end_ns()));
      }
      level.push_back(sum.span());
    }
  }
  upper.push_back(std::move(level));
  while (upper.back().size() > 1) {
    const std::vector<LodSpan>& below = upper.back();
    std::vector<LodSpan> above;
    above.reserve((below.size() + kUpperFanout - 1) / kUpperFanout);
    for (std::size_t first = 0; first < below.size(); first += kUpperFanout) {
      SpanSum sum(below[first].begin_ns);
      for (std::size_t i = first; i < std::min(below.size(), first + kUpperFanout); ++i) {
        sum.add(below[i].begin_ns, static_cast<double>(below[i].length_ns), below[i].summary);
      }
      above.push_back(sum.span());
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
