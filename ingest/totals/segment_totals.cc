#include "ingest/totals/segment_totals.h"

#include <algorithm>
#include <memory>

#include "ingest/totals/segment_aggregator.h"

namespace cinderscope {

namespace {

// Counted together, at least and at most.
constexpr std::size_t kSegmentsCounted = 8, kMostSegmentsCounted = 32;
constexpr std::uint64_t kMostSlicesCounted = std::uint64_t{1} << 22;  // half of what one may take
constexpr std::uint64_t kLongestSegments = 16;  // times as long as they should be
constexpr std::size_t kGroupsThatFit = 16;      // fewer need no look at how large they are
constexpr std::size_t kNamesPerWorker = std::size_t{1} << 20;  // with more of them one works alone

void add(NameSums& to, const NameSums& from) {
  to.self_ns += from.self_ns;  // of calls that began in other segments as well
  if (from.count == 0) return;
  to.count += from.count;
  to.unfinished_count += from.unfinished_count;
  to.cut_count += from.cut_count;
  to.sum_ns += from.sum_ns;
  to.unfinished_sum_ns += from.unfinished_sum_ns;
  to.recursive_ns += from.recursive_ns;
  take_extremes(to, from);
}

// An adder for each worker, made when that has something to do.
class Adders {
 public:
  Adders(unsigned jobs, std::size_t name_count, const StatisticsQuery& query,
         const SegmentSize& size, const std::atomic<bool>* cancelled)
      : name_count_(name_count),
        query_(query),
        size_(size),
        cancelled_(cancelled),
        adders_(name_count > kNamesPerWorker ? 1 : std::max(1u, jobs)) {}

  unsigned jobs() const { return static_cast<unsigned>(adders_.size()); }
  SegmentAggregator& of(std::size_t worker) {
    std::unique_ptr<SegmentAggregator>& adder = adders_[worker];
    if (adder == nullptr) {
      adder = std::make_unique<SegmentAggregator>(name_count_, query_, size_, cancelled_);
    }
    return *adder;
  }
  void add_to(std::vector<NameSums>& all) const {
    for (const auto& adder : adders_) {
      if (adder == nullptr) continue;
      for (std::size_t i = 0; i < name_count_; ++i) add(all[i], adder->totals()[i]);
    }
  }

 private:
  std::size_t name_count_;
  StatisticsQuery query_;
  SegmentSize size_;
  const std::atomic<bool>* cancelled_;
  std::vector<std::unique_ptr<SegmentAggregator>> adders_;
};

struct SegmentGroup {
  TimeSegment segment;
  DurationIndex counts;
  std::int64_t last_end_ns = INT64_MIN;
  bool counted = false;
};

// So many neighbours of a track in each.
std::vector<SegmentGroup> groups_of(const std::vector<TimeSegment>& segments,
                                    const PrecomputedTotals& precomputed, std::size_t together) {
  std::vector<SegmentGroup> groups;
  std::size_t in_track = 0;
  for (const TimeSegment& segment : segments) {
    in_track = !groups.empty() && groups.back().segment.track == segment.track ? in_track + 1 : 0;
    if (in_track % together == 0) groups.push_back({segment, {}});
    SegmentGroup& group = groups.back();
    group.segment.end_ns = segment.end_ns;
    const std::vector<PrecomputedSegment>& of_track =
        precomputed.of_track[index(segment.track->slices->track)];
    group.last_end_ns = std::max(group.last_end_ns, of_track[in_track].last_end_ns);
  }
  return groups;
}

std::uint64_t bytes_of(const PrecomputedSegment& segment) {
  return sizeof(segment) + segment.sums.size() * sizeof(segment.sums[0]);
}

// The shortest ones whose sums will probably fit the memory.
std::vector<TimeSegment> fitting_segments(std::span<const MeasuredTrack> tracks, const Scope& scope,
                                          SegmentSize size, SegmentAggregator& adder,
                                          std::uint64_t most_bytes) {
  const std::uint64_t most_slices = size.slices * kLongestSegments;
  for (;; size.slices *= 2) {
    std::vector<TimeSegment> segments = segments_of(tracks, scope, size);
    if (segments.size() < kGroupsThatFit || size.slices >= most_slices) return segments;
    PrecomputedSegment some;
    adder.work_out(segments[segments.size() / 2], some);
    if (bytes_of(some) * segments.size() <= most_bytes / 8 * 7) return segments;
  }
}

// The smallest groups that will probably fit the memory: of longer ones more calls share a bucket,
// but more is looked at beside the edges of a range.
std::vector<SegmentGroup> fitting_groups(const std::vector<TimeSegment>& segments,
                                         const PrecomputedTotals& precomputed,
                                         std::size_t name_count, std::uint64_t most_bytes) {
  std::uint64_t slices = 1;
  for (const TimeSegment& segment : segments) slices += segment.slice_count;
  const std::size_t most = std::clamp<std::size_t>(kMostSlicesCounted * segments.size() / slices, 1,
                                                   kMostSegmentsCounted);
  for (std::size_t together = std::min(kSegmentsCounted, most);; together *= 2) {
    std::vector<SegmentGroup> groups = groups_of(segments, precomputed, together);
    if (groups.size() < kGroupsThatFit || together * 2 > most) return groups;
    DurationIndex some;
    DurationCounter(name_count).count(groups[groups.size() / 2].segment, some);
    if (some.bytes() * groups.size() <= most_bytes / 8 * 7) return groups;
  }
}

// Groups of neighbouring segments, counted. Some are missing if they are too large;
// all if they take too much memory together, or there are too many names.
std::vector<std::vector<DurationIndex>> duration_index_of(const std::vector<TimeSegment>& segments,
                                                          const PrecomputedTotals& precomputed,
                                                          std::size_t name_count, unsigned jobs,
                                                          const std::atomic<bool>* cancelled,
                                                          std::uint64_t most_bytes) {
  if (name_count > kNamesPerWorker) return {};
  std::vector<SegmentGroup> groups = fitting_groups(segments, precomputed, name_count, most_bytes);
  std::vector<std::unique_ptr<DurationCounter>> counters(std::max(1u, jobs));
  std::atomic<std::uint64_t> bytes = 0;
  for_each_until(groups.size(), jobs, cancelled, [&](std::size_t worker, std::size_t i) {
    if (bytes.load(std::memory_order_relaxed) > most_bytes) return;
    if (counters[worker] == nullptr) {
      counters[worker] = std::make_unique<DurationCounter>(name_count);
    }
    SegmentGroup& group = groups[i];
    group.counted = counters[worker]->count(group.segment, group.counts);
    group.counts.last_end_ns = group.last_end_ns;
    bytes += group.counts.bytes();
  });
  if (is_set(cancelled) || bytes > most_bytes) return {};
  std::vector<std::vector<DurationIndex>> of_track(precomputed.of_track.size());
  for (SegmentGroup& group : groups) {
    if (!group.counted) continue;
    of_track[index(group.segment.track->slices->track)].push_back(std::move(group.counts));
  }
  return of_track;
}

}  // namespace

std::uint64_t most_precomputed_bytes(const SliceSet& set) {
  std::uint64_t slices = 0;
  for (const TrackSlices& track : set.tracks) {
    for (const auto& block : track.blocks) {
      if (block == nullptr) continue;
      for (const SliceRow& row : block->rows) slices += row.count();
    }
  }
  return std::max(kMostPrecomputedBytes, slices / 4);
}

std::uint64_t kept_bytes(const PrecomputedTotals& precomputed) {
  std::uint64_t bytes = 0;
  for (const std::vector<PrecomputedSegment>& of_track : precomputed.of_track) {
    for (const PrecomputedSegment& segment : of_track) {
      bytes += sizeof(segment) + segment.sums.capacity() * sizeof(segment.sums[0]);
    }
  }
  for (const std::vector<DurationIndex>& of_track : precomputed.counts_of_track) {
    for (const DurationIndex& counts : of_track) bytes += counts.bytes();
  }
  return bytes;
}

std::shared_ptr<const PrecomputedTotals> precomputed_totals_of(const SliceSet& set, unsigned jobs,
                                                               const std::atomic<bool>* cancelled,
                                                               std::uint64_t most_bytes,
                                                               const SegmentSize& size) {
  StatisticsQuery query;  // of all kinds of tracks
  for (const TrackSlices& track : set.tracks) query.scope.tracks.push_back(track.track);
  const std::vector<MeasuredTrack> tracks = measured_tracks(set, query, cancelled);
  Adders adders(jobs, set.strings->size(), query, {}, cancelled);
  const std::vector<TimeSegment> segments =
      fitting_segments(tracks, query.scope, size, adders.of(0), most_bytes);
  std::vector<PrecomputedSegment> precomputed(segments.size());
  std::atomic<std::uint64_t> bytes = 0;
  for_batches(
      segments.size(), [&](std::size_t i) { return segments[i].slice_count; }, adders.jobs(),
      cancelled,
      [&](std::size_t worker, std::size_t i) {
        if (bytes.load(std::memory_order_relaxed) > most_bytes) return;
        adders.of(worker).work_out(segments[i], precomputed[i]);
        bytes += bytes_of(precomputed[i]);
      });
  if (is_set(cancelled) || bytes > most_bytes) return nullptr;
  auto out = std::make_shared<PrecomputedTotals>();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::uint32_t track = index(segments[i].track->slices->track);
    if (track >= out->of_track.size()) out->of_track.resize(track + 1);
    out->of_track[track].push_back(std::move(precomputed[i]));
  }
  out->counts_of_track =
      duration_index_of(segments, *out, set.strings->size(), jobs, cancelled, most_bytes);
  if (is_set(cancelled)) return nullptr;
  return out;
}

std::vector<NameSums> add_up_segments(std::span<const MeasuredTrack> tracks,
                                      const StatisticsQuery& query, std::size_t name_count,
                                      unsigned jobs, const std::atomic<bool>* cancelled,
                                      const SegmentSize& size,
                                      const PrecomputedTotals* precomputed) {
  std::vector<NameSums> all(name_count);
  std::vector<TimeSegment> segments;
  if (precomputed != nullptr && !query.whole_calls) {
    for (std::uint32_t number = 0; number < tracks.size() && !is_set(cancelled); ++number) {
      const std::uint32_t id = index(tracks[number].slices->track);
      std::span<const PrecomputedSegment> of_track;
      if (id < precomputed->of_track.size()) of_track = precomputed->of_track[id];
      const auto left = segments_left(tracks[number], number, query.scope, of_track,
                                      [&all](const PrecomputedSegment& segment) {
                                        for (const auto& [name, sums] : segment.sums)
                                          add(all[name], sums);
                                      });
      segments.insert(segments.end(), left.begin(), left.end());
    }
  } else {
    segments = segments_of(tracks, query.scope, size);
  }
  Adders adders(jobs, name_count, query, size, cancelled);
  for_batches(
      segments.size(), [&](std::size_t i) { return segments[i].slice_count; }, adders.jobs(),
      cancelled, [&](std::size_t worker, std::size_t i) { adders.of(worker).add(segments[i]); });
  adders.add_to(all);
  return all;
}

}  // namespace cinderscope
