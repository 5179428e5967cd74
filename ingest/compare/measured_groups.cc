#include "ingest/compare/measured_groups.h"

#include <algorithm>
#include <array>
#include <memory>

#include "ingest/base/saturating.h"
#include "ingest/totals/durations/duration_buckets.h"
#include "ingest/totals/durations/duration_ranks.h"
#include "ingest/totals/recursive_time.h"
#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

namespace {

// What sums of several names give without a look at their calls.
NameStatistics added_up(const MeasuredRun& run, const NameGroup& group) {
  NameStatistics out;
  out.min_ns = INT64_MAX;
  out.max_ns = -1;
  std::int64_t largest_ns = -1;
  for (const std::uint32_t i : group.names) {
    const NameStatistics& name = run.numbers[i];
    if (name.total_ns > largest_ns) {
      largest_ns = name.total_ns;
      out.name = name.name;
    }
    out.count += name.count;
    out.unfinished_count += name.unfinished_count;
    out.total_ns = saturating_sum(out.total_ns, name.total_ns);
    out.sum_ns = saturating_sum(out.sum_ns, name.sum_ns);
    out.finished_sum_ns = saturating_sum(out.finished_sum_ns, name.finished_sum_ns);
    out.self_ns = saturating_sum(out.self_ns, name.self_ns);
    out.min_ns = std::min(out.min_ns, name.min_ns);
    if (name.max_ns > out.max_ns) {
      out.max_ns = name.max_ns;
      out.longest = name.longest;
    }
  }
  return out;
}

}  // namespace

std::vector<NameStatistics> measure_groups(const SliceSet& set, const RunQuestion& question,
                                           const MeasuredRun& run,
                                           std::span<const NameGroup> groups,
                                           const std::atomic<bool>& cancelled) {
  const std::size_t id_count = set.strings->size();
  // All names of a group count as its first one, all other names as one that nobody asks for.
  const auto others = static_cast<std::uint32_t>(id_count);
  std::vector<std::uint32_t> names_as(id_count, others);
  std::vector<DurationRanks> ranks(id_count + 1);
  std::vector<NameStatistics> out;
  for (const NameGroup& group : groups) {
    out.push_back(added_up(run, group));
    const NameStatistics& sums = out.back();
    const std::uint32_t first = index(run.numbers[group.names.front()].name);
    for (const std::uint32_t i : group.names) names_as[index(run.numbers[i].name)] = first;
    ranks[first] = {sums.count, sums.min_ns, sums.max_ns};
  }
  Edges edges = edges_of(question.query);
  edges.names_as = names_as.data();
  const std::vector<MeasuredTrack> tracks = measured_tracks(set, question.query, &cancelled);
  find_ranks(pieces_of(tracks), edges, ranks, question.jobs, &cancelled);
  // Recursion from one name of a group to another.
  const std::vector<TimeSegment> segments =
      segments_of(tracks, question.query.scope, {.slices = 1 << 17});
  std::vector<std::unique_ptr<RecursiveTime>> workers(std::max(1u, question.jobs));
  std::vector<std::vector<RecursiveCall>> calls(workers.size());
  std::vector<std::vector<WideSum>> recursive(workers.size());
  for_each_until(
      segments.size(), question.jobs, &cancelled, [&](std::size_t worker, std::size_t i) {
        if (workers[worker] == nullptr) {
          workers[worker] = std::make_unique<RecursiveTime>(id_count + 1, edges, &cancelled);
          recursive[worker].resize(id_count + 1);
        }
        calls[worker].clear();
        workers[worker]->add(segments[i], calls[worker]);
        for (const RecursiveCall& call : calls[worker]) recursive[worker][call.name] += call.ns;
      });
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::uint32_t first = index(run.numbers[groups[g].names.front()].name);
    WideSum total = out[g].sum_ns;
    for (const auto& of_worker : recursive) {
      if (!of_worker.empty()) total -= of_worker[first];
    }
    out[g].total_ns = clamped(total);
    out[g].median_ns = ranks[first].values_ns[0];
    out[g].p90_ns = ranks[first].values_ns[1];
    out[g].p99_ns = ranks[first].values_ns[2];
  }
  return out;
}

NameStatistics estimated_group(const MeasuredRun& run, const NameGroup& group) {
  NameStatistics out = added_up(run, group);
  std::vector<std::uint64_t> counts(kBuckets);
  std::uint64_t all = 0;
  for (const std::uint32_t name : group.names) {
    for (const std::uint32_t entry : run.durations.of(name)) {
      counts[DurationIndex::bucket(entry)] += DurationIndex::count(entry);
      all += DurationIndex::count(entry);
    }
  }
  if (all == 0) return out;
  std::array<std::int64_t*, kRankShares.size()> ranks = {&out.median_ns, &out.p90_ns, &out.p99_ns};
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    std::uint64_t left = nearest_rank(all, kRankShares[r]);
    std::uint32_t bucket = 0;
    while (bucket + 1 < kBuckets && left >= counts[bucket]) left -= counts[bucket++];
    *ranks[r] = std::clamp(bucket_range(bucket).middle_ns(), out.min_ns, out.max_ns);
  }
  return out;
}

}  // namespace cinderscope
