#include "ingest/totals/precomputed/precompute.h"

#include <algorithm>
#include <span>
#include <utility>

#include "ingest/totals/segment_aggregator.h"

namespace cinderscope {

namespace {

// Counted together, at least and at most.
constexpr std::size_t kSegmentsCounted = 8, kMostSegmentsCounted = 32;
constexpr std::uint64_t kMostSlicesCounted = std::uint64_t{1} << 22;  // half of what one may take
constexpr std::uint64_t kLongestSegments = 16;  // times as long as they should be
constexpr std::size_t kGroupsThatFit = 16;      // fewer need no look at how large they are
constexpr std::size_t kFirstAtOnce = 16;        // before it is known how large they are
constexpr std::size_t kMostNamesCounted = std::size_t{1} << 20;

struct SegmentGroup {
  TimeSegment segment;
  std::int64_t last_end_ns = INT64_MIN;
};

// So many neighbours of a track in each. `last_ends_ns` is of the calls that begin in a segment.
std::vector<SegmentGroup> groups_of(std::span<const TimeSegment> segments,
                                    std::span<const std::int64_t> last_ends_ns,
                                    std::size_t together) {
  std::vector<SegmentGroup> groups;
  std::size_t in_track = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const TimeSegment& segment = segments[i];
    in_track = !groups.empty() && groups.back().segment.track == segment.track ? in_track + 1 : 0;
    if (in_track % together == 0) groups.push_back({.segment = segment});
    SegmentGroup& group = groups.back();
    group.segment.end_ns = segment.end_ns;
    group.last_end_ns = std::max(group.last_end_ns, last_ends_ns[i]);
  }
  return groups;
}

std::uint64_t bytes_of(const PrecomputedSegment& segment) {
  return sizeof(segment) + segment.sums.size() * sizeof(segment.sums[0]);
}
std::uint64_t bytes_of(const DurationIndex& counts) {
  return counts.bytes();
}

// The shortest ones whose sums will probably fit the memory.
std::vector<TimeSegment> fitting_segments(std::span<const MeasuredTrack> tracks, const Scope& scope,
                                          SegmentSize size, SegmentAggregator& aggregator,
                                          std::uint64_t most_bytes) {
  const std::uint64_t most_slices = size.slices * kLongestSegments;
  for (;; size.slices *= 2) {
    std::vector<TimeSegment> segments = segments_of(tracks, scope, size);
    if (segments.size() < kGroupsThatFit || size.slices >= most_slices) return segments;
    PrecomputedSegment some;
    aggregator.work_out(segments[segments.size() / 2], some);
    if (bytes_of(some) * segments.size() <= most_bytes / 8 * 7) return segments;
  }
}

std::uint64_t slices_of(std::span<const TimeSegment> segments) {
  std::uint64_t slices = 0;
  for (const TimeSegment& segment : segments) slices += segment.slice_count;
  return slices;
}

// The smallest groups that will probably fit the memory: of longer ones more calls share a bucket,
// but more is looked at beside the edges of a range.
std::vector<SegmentGroup> fitting_groups(std::span<const TimeSegment> segments,
                                         std::span<const std::int64_t> last_ends_ns,
                                         std::size_t name_count, std::uint64_t most_bytes) {
  const std::size_t most = std::clamp<std::size_t>(
      kMostSlicesCounted * segments.size() / (slices_of(segments) + 1), 1, kMostSegmentsCounted);
  for (std::size_t together = std::min(kSegmentsCounted, most);; together *= 2) {
    std::vector<SegmentGroup> groups = groups_of(segments, last_ends_ns, together);
    if (groups.size() < kGroupsThatFit || together * 2 > most) return groups;
    DurationIndex some;
    DurationCounter(name_count).count(groups[groups.size() / 2].segment, some);
    if (some.bytes() * groups.size() <= most_bytes / 8 * 7) return groups;
  }
}

// Hands over what is worked out of segments, neighbours of a track at a time. It holds no more of
// it than may be at once, as far as the largest one before tells.
template <class Made>
class Pieces {
 public:
  Pieces(std::uint64_t bytes_at_once, std::uint64_t most_bytes)
      : bytes_at_once_(bytes_at_once), most_bytes_(most_bytes) {}

  // How many come next.
  std::size_t next(std::size_t left) {
    std::uint64_t fit = left;
    if (bytes_at_once_ != UINT64_MAX) {
      fit = largest_ == 0 ? kFirstAtOnce : std::max<std::uint64_t>(1, bytes_at_once_ / largest_);
    }
    made_.clear();
    made_.resize(std::min<std::uint64_t>(left, fit));
    return made_.size();
  }
  Made& operator[](std::size_t i) { return made_[i]; }
  // `made_[i]` is worked out. Any thread.
  void add(std::size_t i) { bytes_ += bytes_of(made_[i]); }
  bool too_large() const { return bytes_.load(std::memory_order_relaxed) > most_bytes_; }
  std::uint64_t bytes() const { return bytes_; }

  // `track_of(i)` is where `made_[i]` belongs, `is_made(i)` whether it is there.
  template <class TrackOf, class IsMade, class Take>
  void hand_over(const TrackOf& track_of, const IsMade& is_made, const Take& take) {
    for (std::size_t i = 0; i < made_.size();) {
      const std::uint32_t track = track_of(i);
      std::vector<Made> of_track;
      for (; i < made_.size() && track_of(i) == track; ++i) {
        largest_ = std::max(largest_, bytes_of(made_[i]));
        if (is_made(i)) of_track.push_back(std::move(made_[i]));
      }
      if (!of_track.empty()) take(track, std::move(of_track));
    }
  }

 private:
  std::uint64_t bytes_at_once_, most_bytes_;
  std::uint64_t largest_ = 0;
  std::vector<Made> made_;
  std::atomic<std::uint64_t> bytes_{0};
};

// Of groups of neighbouring segments. Some are missing if they are too large; those behind what
// fits the memory, too; all if there are too many names.
std::uint64_t count_durations(std::span<const SegmentGroup> groups, std::size_t name_count,
                              unsigned jobs, const std::atomic<bool>* cancelled,
                              const PrecomputeLimits& limits, const PrecomputedTaker& take) {
  const auto track_of = [&](const SegmentGroup& group) {
    return index(group.segment.track->slices->track);
  };
  std::vector<std::unique_ptr<DurationCounter>> counters(jobs);
  std::vector<std::uint8_t> counted(groups.size());
  Pieces<DurationIndex> pieces(limits.bytes_at_once, limits.most_bytes);
  for (std::size_t first = 0; first < groups.size() && !pieces.too_large();) {
    const std::size_t count = pieces.next(groups.size() - first);
    for_each_until(count, jobs, cancelled, [&](std::size_t worker, std::size_t i) {
      if (pieces.too_large()) return;
      if (counters[worker] == nullptr) {
        counters[worker] = std::make_unique<DurationCounter>(name_count);
      }
      const SegmentGroup& group = groups[first + i];
      if (!counters[worker]->count(group.segment, pieces[i])) return;
      pieces[i].last_end_ns = group.last_end_ns;
      pieces.add(i);
      counted[first + i] = pieces.too_large() ? 0 : 1;
    });
    if (is_set(cancelled)) break;
    pieces.hand_over([&](std::size_t i) { return track_of(groups[first + i]); },
                     [&](std::size_t i) { return counted[first + i] != 0; }, take.counts);
    first += count;
  }
  return pieces.bytes();
}

}  // namespace

std::uint64_t slice_count(const TrackSlices& track) {
  std::uint64_t count = 0;
  for (const auto& block : track.blocks) {
    if (block == nullptr) continue;
    for (const SliceRow& row : block->rows) count += row.count();
  }
  return count;
}

std::uint64_t most_precomputed_bytes(const SliceSet& set) {
  std::uint64_t slices = 0;
  for (const TrackSlices& track : set.tracks) slices += slice_count(track);
  return std::max(kMostPrecomputedBytes, slices / 4);
}

std::optional<std::uint64_t> precompute(const SliceSet& set, unsigned jobs,
                                        const std::atomic<bool>* cancelled,
                                        const PrecomputeLimits& limits, const SegmentSize& size,
                                        const PrecomputedTaker& take) {
  StatisticsQuery query;  // of all kinds of tracks
  for (const TrackSlices& track : set.tracks) query.scope.tracks.push_back(track.track);
  const std::vector<MeasuredTrack> tracks = measured_tracks(set, query, cancelled);
  const std::size_t name_count = set.strings->size();
  std::vector<TimeSegment> segments;
  std::vector<std::int64_t> last_ends_ns;
  Pieces<PrecomputedSegment> pieces(limits.bytes_at_once, limits.most_bytes);
  {
    std::uint64_t slices = 0;
    for (const MeasuredTrack& track : tracks) slices += track.count;
    SegmentAggregators aggregators(jobs_worth_it(jobs, slices, name_count), name_count, query, {},
                                   cancelled);
    segments = fitting_segments(tracks, query.scope, size, aggregators.of(0), limits.most_bytes);
    last_ends_ns.resize(segments.size());
    for (std::size_t first = 0; first < segments.size();) {
      const std::size_t count = pieces.next(segments.size() - first);
      for_batches(
          count, [&](std::size_t i) { return segments[first + i].slice_count; }, aggregators.jobs(),
          cancelled,
          [&](std::size_t worker, std::size_t i) {
            if (pieces.too_large()) return;
            aggregators.of(worker).work_out(segments[first + i], pieces[i]);
            last_ends_ns[first + i] = pieces[i].last_end_ns;
            pieces.add(i);
          });
      if (is_set(cancelled) || pieces.too_large()) return std::nullopt;
      pieces.hand_over(
          [&](std::size_t i) { return index(segments[first + i].track->slices->track); },
          [](std::size_t) { return true; }, take.sums);
      first += count;
    }
  }
  if (name_count > kMostNamesCounted) return pieces.bytes();
  const std::vector<SegmentGroup> groups =
      fitting_groups(segments, last_ends_ns, name_count, limits.most_bytes);
  const std::uint64_t of_a_group = slices_of(segments) / std::max<std::size_t>(1, groups.size());
  const auto counting_jobs = static_cast<unsigned>(std::clamp<std::uint64_t>(
      limits.calls_at_once / std::max<std::uint64_t>(1, of_a_group), 1, std::max(1u, jobs)));
  const std::uint64_t count_bytes =
      count_durations(groups, name_count, counting_jobs, cancelled, limits, take);
  if (is_set(cancelled)) return std::nullopt;
  return pieces.bytes() + count_bytes;
}

std::shared_ptr<const PrecomputedTotals> precomputed_totals_of(const SliceSet& set, unsigned jobs,
                                                               const std::atomic<bool>* cancelled,
                                                               std::uint64_t most_bytes,
                                                               const SegmentSize& size) {
  auto out = std::make_shared<PrecomputedTotals>();
  const auto keep = [](auto& of_all, std::uint32_t track, auto made) {
    if (track >= of_all.size()) of_all.resize(track + 1);
    of_all[track] = std::move(made);
  };
  const auto bytes = precompute(
      set, jobs, cancelled, {.most_bytes = most_bytes}, size,
      {.sums = [&](std::uint32_t track,
                   auto segments) { keep(out->of_track, track, std::move(segments)); },
       .counts = [&](std::uint32_t track,
                     auto counts) { keep(out->counts_of_track, track, std::move(counts)); }});
  if (!bytes) return nullptr;
  return out;
}

}  // namespace cinderscope
