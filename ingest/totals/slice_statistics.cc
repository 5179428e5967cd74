#include "ingest/totals/slice_statistics.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "ingest/base/saturating.h"
#include "ingest/totals/durations/duration_index.h"
#include "ingest/totals/durations/duration_ranks.h"
#include "ingest/totals/picked_slices_walk.h"
#include "ingest/totals/scoped_slices.h"
#include "ingest/totals/segment_totals.h"

namespace cinderscope {

namespace {

void find_bounds(std::span<const MeasuredTrack> tracks, SliceStatistics& out) {
  const Scope& scope = out.query.scope;
  std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  for (const MeasuredTrack& track : tracks) {
    for (const SliceSpan& row : track.rows) {
      begin_ns = std::min(begin_ns, row.row->begin_ns(row.first));
      // Only the chunk's last end is known at once; neighbours may overlap by rounding.
      for (std::uint64_t i = row.last; i > row.first && i + 2 > row.last; --i) {
        end_ns = std::max(end_ns, row.row->end_ns(i - 1));
      }
    }
  }
  if (begin_ns > end_ns) begin_ns = end_ns = 0;
  out.begin_ns = scope.begin_ns == INT64_MIN ? begin_ns : scope.begin_ns;
  out.end_ns = scope.end_ns == INT64_MAX ? std::max(end_ns, out.begin_ns) : scope.end_ns;
}

SliceRef longest_of(const NameSums& sums, const SliceSet& set) {
  const auto track = std::partition_point(
      set.tracks.begin(), set.tracks.end(),
      [&](const TrackSlices& slices) { return index(slices.track) < sums.longest_track; });
  std::uint32_t row = sums.longest_row;
  for (std::uint32_t b = 0; b < track->blocks.size(); ++b) {
    if (track->blocks[b] == nullptr) continue;
    const std::size_t rows = track->blocks[b]->rows.size();
    if (row < rows) return {track->track, BlockId{b}, row, sums.longest_slice};
    row -= static_cast<std::uint32_t>(rows);
  }
  return {};
}

NameStatistics statistics_of(StringId id, const NameSums& sums, const SliceSet& set) {
  NameStatistics name;
  name.name = id;
  name.count = sums.count;
  name.unfinished_count = sums.unfinished_count;
  name.cut_count = sums.cut_count;
  name.sum_ns = clamped(sums.sum_ns);
  name.finished_sum_ns = clamped(sums.sum_ns - sums.unfinished_sum_ns);
  name.total_ns = clamped(sums.sum_ns - sums.recursive_ns);
  name.self_ns = clamped(sums.self_ns);
  name.min_ns = sums.min_ns;
  name.max_ns = sums.max_ns;
  name.longest = longest_of(sums, set);
  return name;
}

}  // namespace

std::int64_t NameStatistics::mean_ns() const {
  if (count == 0) return 0;
  const auto calls = static_cast<std::int64_t>(count);
  const std::int64_t whole = sum_ns / calls, rest = sum_ns % calls;
  return whole + (rest >= calls - rest ? 1 : 0);
}

std::int64_t SliceStatistics::length_ns() const {
  return saturating_difference(end_ns, begin_ns);
}

double share_percent(const SliceStatistics& statistics, const NameStatistics& name) {
  const std::int64_t length_ns = statistics.length_ns();
  if (length_ns <= 0) return 0;
  return 100 * static_cast<double>(name.total_ns) / static_cast<double>(length_ns);
}

std::uint64_t nearest_rank(std::uint64_t count, double share) {
  // In whole per mille: products of doubles would step over the next rank now and then.
  const auto per_mille = static_cast<std::uint64_t>(std::llround(share * 1000));
  const std::uint64_t rank = count / 1000 * per_mille + (count % 1000 * per_mille + 999) / 1000;
  return std::clamp<std::uint64_t>(rank, 1, count) - 1;
}

SliceStatistics slice_statistics(const SliceSet& set, const StatisticsQuery& query, unsigned jobs,
                                 const std::atomic<bool>* cancelled,
                                 const std::function<void(const SliceStatistics&)>& show_first,
                                 const PrecomputedTotals* precomputed, DurationIndex* durations) {
  if (query.scope.has_set()) return picked_statistics(set, query, cancelled);
  SliceStatistics out;
  out.query = query;
  const std::vector<MeasuredTrack> tracks = measured_tracks(set, query, cancelled);
  find_bounds(tracks, out);
  out.track_count = tracks.size();
  const std::size_t name_count = set.strings->size();
  std::vector<DurationRanks> ranks(name_count);
  {
    const std::vector<NameSums> all =
        add_up_segments(tracks, query, name_count, jobs, cancelled, {}, precomputed);
    if (is_set(cancelled)) return out;
    out.names.reserve(static_cast<std::size_t>(
        std::ranges::count_if(all, [](const NameSums& sums) { return sums.count > 0; })));
    for (std::uint32_t id = 0; id < name_count; ++id) {
      const NameSums& sums = all[id];
      if (sums.count == 0) continue;
      ranks[id] = {sums.count, sums.min_ns, sums.max_ns};
      out.names.push_back(statistics_of(StringId{id}, sums, set));
      out.call_count += sums.count;
      out.self_ns = saturating_sum(out.self_ns, out.names.back().self_ns);
    }
  }
  std::sort(
      out.names.begin(), out.names.end(), [](const NameStatistics& a, const NameStatistics& b) {
        return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : index(a.name) < index(b.name);
      });
  out.ranks_known = false;
  if (show_first) show_first(out);
  std::optional<CountsInScope> counts;
  if (precomputed != nullptr && !precomputed->counts_of_track.empty() && !query.whole_calls) {
    counts = counts_in_scope(tracks, query.scope, *precomputed);
  }
  std::vector<std::vector<std::uint32_t>> buckets;
  find_ranks(pieces_of(tracks), edges_of(query), ranks, jobs, cancelled,
             counts ? &*counts : nullptr, kMostValues, durations == nullptr ? nullptr : &buckets);
  if (is_set(cancelled)) return out;
  if (durations != nullptr) {
    *durations = {};
    for (std::uint32_t id = 0; id < name_count; ++id) durations->append(id, buckets[id]);
  }
  for (NameStatistics& name : out.names) {
    const DurationRanks& of = ranks[index(name.name)];
    name.median_ns = of.values_ns[0];
    name.p90_ns = of.values_ns[1];
    name.p99_ns = of.values_ns[2];
  }
  out.ranks_known = true;
  return out;
}

std::uint64_t call_count(const SliceSet& set, const StatisticsQuery& query,
                         const std::atomic<bool>* cancelled) {
  if (query.scope.has_set()) return picked_call_count(set, query, cancelled);
  std::uint64_t count = 0;
  for (const MeasuredTrack& track : measured_tracks(set, query, cancelled)) count += track.count;
  return count;
}

}  // namespace cinderscope
