#include "ingest/totals/durations/duration_histogram.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "ingest/model/call_walk.h"

namespace cinderscope {
namespace {

// Durations of the name's calls: kept at the first pass if there are not too many, else read from
// the columns each time.
class Durations {
 public:
  Durations(const SliceSet& slices, StringId name, const Scope& scope,
            const std::atomic<bool>& cancelled, std::uint64_t most_kept)
      : slices_(slices),
        name_(name),
        scope_(scope),
        cancelled_(cancelled),
        most_kept_(most_kept),
        is_on_track_(slices.tracks.size()) {}

  // False: cancelled.
  template <class Visit>
  bool for_each(Visit visit) {
    if (kept_all_) {
      for (const std::int64_t duration_ns : kept_) visit(duration_ns);
      return !cancelled_.load(std::memory_order_relaxed);
    }
    const bool first_pass = !passed_;
    bool keeps = first_pass;
    for (std::size_t t = 0; t < slices_.tracks.size(); ++t) {
      const TrackSlices& track = slices_.tracks[t];
      if (!is_measured(track, scope_)) continue;
      for (const auto& block : track.blocks) {
        if (block == nullptr) continue;
        for (const SliceRow& row : block->rows) {
          const bool read = for_row(row, [&](std::int64_t duration_ns) {
            is_on_track_[t] = true;
            if (keeps) {
              keeps = kept_.size() < most_kept_;
              if (keeps) kept_.push_back(duration_ns);
            }
            visit(duration_ns);
          });
          if (!read) return false;
        }
      }
    }
    passed_ = true;
    if (first_pass) kept_all_ = keeps;
    if (!kept_all_) kept_ = {};
    return true;
  }

  bool is_on_track(std::size_t track) const { return is_on_track_[track]; }

 private:
  template <class Visit>
  bool for_row(const SliceRow& row, Visit visit) const {
    const RowSegment segment = segment_of(row, scope_);
    for (std::uint64_t i = segment.first; i < segment.end;) {
      if (cancelled_.load(std::memory_order_relaxed)) return false;
      const SliceChunk& chunk = row.chunk_of(i);
      const std::uint32_t first = SliceRow::in_chunk(i);
      const auto count = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(chunk.count(), first + (segment.end - i)));
      for (std::uint32_t k = first; k < count; ++k) {
        if (chunk.name(k) == name_) visit(chunk.duration_ns(k));
      }
      i += count - first;
    }
    return true;
  }

  const SliceSet& slices_;
  StringId name_;
  Scope scope_;
  const std::atomic<bool>& cancelled_;
  std::uint64_t most_kept_;
  std::vector<std::int64_t> kept_;
  bool passed_ = false, kept_all_ = false;
  std::vector<bool> is_on_track_;
};

// Closes in on the duration of one rank by counting: each pass splits what is left into 4096.
class RankSearch {
 public:
  RankSearch(std::int64_t min_ns, std::int64_t max_ns, std::uint64_t rank)
      : low_(min_ns), high_(max_ns), rank_(rank) {
    start_pass();
  }

  bool found() const { return low_ == high_; }
  std::int64_t duration_ns() const { return low_; }
  void take(std::int64_t duration_ns) {
    if (duration_ns < low_ || duration_ns > high_) return;
    ++counts_[static_cast<std::uint64_t>(duration_ns - low_) >> shift_];
  }
  void end_pass() {
    std::size_t part = 0;
    while (part + 1 < counts_.size() && rank_ >= counts_[part]) rank_ -= counts_[part++];
    const std::int64_t low = low_ + static_cast<std::int64_t>(std::uint64_t{part} << shift_);
    const auto width = static_cast<std::int64_t>((std::uint64_t{1} << shift_) - 1);
    low_ = low;
    high_ = std::min(high_, saturating_sum(low, width));
    start_pass();
  }

 private:
  static constexpr std::uint32_t kSegmentBits = 12;
  void start_pass() {
    const auto width = std::bit_width(static_cast<std::uint64_t>(high_ - low_));
    shift_ = width > static_cast<int>(kSegmentBits)
                 ? static_cast<std::uint32_t>(width) - kSegmentBits
                 : 0;
    counts_.assign(std::size_t{1} << kSegmentBits, 0);
  }

  std::int64_t low_, high_;  // it is one of these or between them
  std::uint64_t rank_;       // among those from low_ on
  std::uint32_t shift_ = 0;
  std::vector<std::uint64_t> counts_;
};

// The smallest duration at least `share` of the calls do not exceed.
std::uint64_t rank_of(std::uint64_t count, std::uint64_t per_cent) {
  const std::uint64_t whole = count / 100 * per_cent;
  const std::uint64_t rest = (count % 100 * per_cent + 99) / 100;
  return std::max<std::uint64_t>(whole + rest, 1) - 1;
}

// Bars from each of `begins` to the next one, the last to `max_ns`.
std::vector<DurationBar> bars_from(const std::vector<std::int64_t>& begins, std::int64_t max_ns) {
  std::vector<DurationBar> bars;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::int64_t end_ns = i + 1 < begins.size() ? begins[i + 1] - 1 : max_ns;
    bars.push_back({begins[i], end_ns, 0});
  }
  return bars;
}

std::vector<DurationBar> linear_bars(std::int64_t min_ns, std::int64_t max_ns) {
  const auto span = static_cast<std::uint64_t>(max_ns - min_ns);
  const std::uint64_t width = span / kMaxDurationBars + 1;
  std::vector<std::int64_t> begins;
  for (std::uint64_t at = 0; at <= span; at += width) {
    begins.push_back(min_ns + static_cast<std::int64_t>(at));
  }
  return bars_from(begins, max_ns);
}

std::vector<DurationBar> log_bars(std::int64_t min_ns, std::int64_t max_ns, bool has_zero) {
  std::vector<std::int64_t> begins;
  if (has_zero) begins.push_back(0);
  const std::int64_t least_ns = std::max<std::int64_t>(min_ns, 1);
  if (max_ns >= least_ns) {
    const std::size_t most = kMaxDurationBars - begins.size();
    const double ratio = (static_cast<double>(max_ns) + 1) / static_cast<double>(least_ns);
    for (std::size_t i = 0; i < most; ++i) {
      const double begin = static_cast<double>(least_ns) *
                           std::pow(ratio, static_cast<double>(i) / static_cast<double>(most));
      // Short durations have few whole numbers to tell apart.
      const std::int64_t begin_ns =
          begin < static_cast<double>(max_ns) ? std::llround(begin) : max_ns;
      if (begin_ns > max_ns) break;
      if (begins.empty() || begin_ns > begins.back()) begins.push_back(begin_ns);
    }
  }
  return bars_from(begins, max_ns);
}

void add_times(const SliceSet& slices, const Scope& scope, const Durations& durations,
               const std::atomic<bool>& cancelled, DurationHistogram& out) {
  for (std::size_t t = 0; t < slices.tracks.size(); ++t) {
    const TrackSlices& track = slices.tracks[t];
    if (!is_measured(track, scope) || !durations.is_on_track(t)) continue;
    std::int64_t reached_ns = INT64_MIN;
    const auto on_call = [&](const WalkedCall& call, const bool*) {
      if (call.name != out.name) return false;
      const std::int64_t from_ns = std::max(call.begin_ns, reached_ns);
      if (call.end_ns > from_ns) {
        out.total_ns = saturating_sum(out.total_ns, saturating_difference(call.end_ns, from_ns));
        reached_ns = call.end_ns;
      }
      return true;
    };
    const auto on_self = [&](bool of_name, std::int64_t ns) {
      if (of_name) out.self_ns = saturating_sum(out.self_ns, ns);
    };
    if (!walk_call_tree<bool>(track, scope, cancelled, on_call, on_self)) return;
  }
  out.has_times = true;
}

}  // namespace

DurationHistogram duration_histogram(
    const SliceSet& slices, StringId name, const Scope& scope, const std::atomic<bool>& cancelled,
    const std::function<void(const DurationHistogram&)>& show_first, std::uint64_t most_kept) {
  DurationHistogram out{.name = name};
  Durations durations(slices, name, scope, cancelled, most_kept);
  out.min_ns = INT64_MAX;
  bool whole = durations.for_each([&](std::int64_t duration_ns) {
    ++out.count;
    out.min_ns = std::min(out.min_ns, duration_ns);
    out.max_ns = std::max(out.max_ns, duration_ns);
  });
  if (out.count == 0) out.min_ns = 0;
  if (!whole) return out;
  if (out.count > 0) {
    std::array<RankSearch, 3> ranks = {RankSearch{out.min_ns, out.max_ns, rank_of(out.count, 50)},
                                       RankSearch{out.min_ns, out.max_ns, rank_of(out.count, 90)},
                                       RankSearch{out.min_ns, out.max_ns, rank_of(out.count, 99)}};
    out.log_bars = log_bars(out.min_ns, out.max_ns, out.min_ns == 0);
    out.linear_bars = linear_bars(out.min_ns, out.max_ns);
    whole = durations.for_each([&](std::int64_t duration_ns) {
      ++out.log_bars[bar_of(out.log_bars, duration_ns)].count;
      ++out.linear_bars[bar_of(out.linear_bars, duration_ns)].count;
      for (RankSearch& rank : ranks) rank.take(duration_ns);
    });
    for (RankSearch& rank : ranks) rank.end_pass();
    const auto found = [](const RankSearch& rank) { return rank.found(); };
    while (whole && !std::all_of(ranks.begin(), ranks.end(), found)) {
      whole = durations.for_each([&](std::int64_t duration_ns) {
        for (RankSearch& rank : ranks) rank.take(duration_ns);
      });
      for (RankSearch& rank : ranks) rank.end_pass();
    }
    if (!whole) return out;
    out.median_ns = ranks[0].duration_ns();
    out.p90_ns = ranks[1].duration_ns();
    out.p99_ns = ranks[2].duration_ns();
  }
  if (show_first) show_first(out);
  add_times(slices, scope, durations, cancelled, out);
  out.whole = out.has_times;
  return out;
}

std::size_t bar_of(const std::vector<DurationBar>& bars, std::int64_t duration_ns) {
  const auto after = std::upper_bound(
      bars.begin(), bars.end(), duration_ns,
      [](std::int64_t ns, const DurationBar& bar) { return ns < bar.shortest_ns; });
  if (after == bars.begin()) return bars.size();
  const auto bar = after - 1;
  return duration_ns <= bar->longest_ns ? static_cast<std::size_t>(bar - bars.begin())
                                        : bars.size();
}

}  // namespace cinderscope
