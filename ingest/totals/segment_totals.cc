#include "ingest/totals/segment_totals.h"

#include "ingest/totals/segment_aggregator.h"

namespace cinderscope {

namespace {

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

}  // namespace

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
  std::uint64_t slices = 0;
  for (const TimeSegment& segment : segments) slices += segment.slice_count;
  SegmentAggregators aggregators(jobs_worth_it(jobs, slices, name_count), name_count, query, size,
                                 cancelled);
  for_batches(
      segments.size(), [&](std::size_t i) { return segments[i].slice_count; }, aggregators.jobs(),
      cancelled,
      [&](std::size_t worker, std::size_t i) { aggregators.of(worker).add(segments[i]); });
  for (const auto& aggregator : aggregators.all()) {
    if (aggregator == nullptr) continue;
    for (std::size_t i = 0; i < name_count; ++i) add(all[i], aggregator->totals()[i]);
  }
  return all;
}

}  // namespace cinderscope
