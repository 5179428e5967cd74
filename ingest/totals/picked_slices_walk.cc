#include "ingest/totals/picked_slices_walk.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "ingest/base/saturating.h"
#include "ingest/model/call_walk.h"
#include "ingest/model/flow_links.h"
#include "ingest/totals/segment_totals.h"

namespace cinderscope {
namespace {

// Calls `visit(row, slice)` for the picked slices of the track that belong to the range.
template <class Visit>
void for_picked(const TrackSlices& track, const PickedSlices& picked, const Scope& scope,
                const Visit& visit) {
  for (const PickedRow& row : picked.of_track(track.track)) {
    if (index(row.block) >= track.blocks.size()) continue;
    const SliceBlock* block = track.blocks[index(row.block)].get();
    if (block == nullptr || row.row >= block->rows.size()) continue;
    const SliceRow& slices = block->rows[row.row];
    for (const SliceRun& run : row.runs) {
      const std::uint64_t end = std::min(run.end, slices.count());
      for (std::uint64_t i = run.first; i < end; ++i) {
        if (is_in_range(scope, slices.begin_ns(i), slices.end_ns(i))) visit(slices, i);
      }
    }
  }
}

// The sums of one name, with all durations for its ranks.
struct PickedName {
  NameStatistics sums;
  WideSum sum_ns = 0, total_ns = 0, self_ns = 0, unfinished_sum_ns = 0;
  std::vector<std::int64_t> durations_ns;
  // On the track that is gone through: up to here the name's time is counted.
  std::int64_t covered_ns = INT64_MIN;
  TrackId covered_on = kNoTrack;
};

class PickedSums {
 public:
  PickedSums(const StatisticsQuery& query, const PickedSlices& picked,
             const std::atomic<bool>* cancelled)
      : query_(query), picked_(picked), cancelled_(cancelled) {}

  void add(const TrackSlices& track) {
    const bool has_callers = track.kind != TrackKind::async;
    for (const PickedStretch& stretch : picked_stretches(track, picked_, query_)) {
      // Values are names; kNoName stands for calls that are not picked.
      walk_call_tree<StringId>(
          track, stretch.scope(), stop_,
          [&](const WalkedCall& call, const StringId*) {
            stop_ = cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed);
            const SliceRow& row = track.blocks[index(call.slice.block)]->rows[call.slice.row];
            const std::uint64_t i = call.slice.slice;
            if (!picked_.has(call.slice) ||
                !is_in_range(query_.scope, row.begin_ns(i), row.end_ns(i))) {
              return kNoName;
            }
            PickedName& name = add(track.track, call, row.flags(i));
            if (!has_callers) name.self_ns += call.duration_ns();
            return call.name;
          },
          [&](StringId name, std::int64_t ns) {
            if (has_callers && name != kNoName) names_[index(name)].self_ns += ns;
          });
    }
  }

  std::vector<NameStatistics> take() {
    std::vector<NameStatistics> names;
    for (auto& [id, name] : names_) {
      NameStatistics& sums = name.sums;
      sums.sum_ns = clamped(name.sum_ns);
      sums.total_ns = clamped(name.total_ns);
      sums.self_ns = clamped(name.self_ns);
      sums.finished_sum_ns = clamped(name.sum_ns - name.unfinished_sum_ns);
      std::vector<std::int64_t>& durations = name.durations_ns;
      std::sort(durations.begin(), durations.end());
      const auto ranked = [&](double share) { return durations[nearest_rank(sums.count, share)]; };
      sums.median_ns = ranked(0.5);
      sums.p90_ns = ranked(0.9);
      sums.p99_ns = ranked(0.99);
      sums.min_ns = durations.front();
      sums.max_ns = durations.back();
      names.push_back(sums);
    }
    std::sort(names.begin(), names.end(), [](const NameStatistics& a, const NameStatistics& b) {
      return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : index(a.name) < index(b.name);
    });
    return names;
  }

 private:
  PickedName& add(TrackId track, const WalkedCall& call, std::uint8_t flags) {
    PickedName& name = names_[index(call.name)];
    NameStatistics& sums = name.sums;
    const std::int64_t duration_ns = call.duration_ns();
    if (sums.count++ == 0 || duration_ns > sums.max_ns) {
      sums.name = call.name;
      sums.max_ns = duration_ns;
      sums.longest = call.slice;
    }
    name.sum_ns += duration_ns;
    sums.cut_count += (flags & (kCutBegin | kCutEnd)) != 0 ? 1 : 0;
    if ((flags & kUnfinished) != 0) {
      ++sums.unfinished_count;
      name.unfinished_sum_ns += duration_ns;
    }
    name.durations_ns.push_back(duration_ns);
    // Calls come by begin, so what of this one is not counted yet is its end.
    if (name.covered_on != track) name.covered_ns = INT64_MIN;
    name.covered_on = track;
    const std::int64_t from_ns = std::max(call.begin_ns, name.covered_ns);
    if (call.end_ns > from_ns) name.total_ns += saturating_difference(call.end_ns, from_ns);
    name.covered_ns = std::max(name.covered_ns, call.end_ns);
    return name;
  }

  const StatisticsQuery& query_;
  const PickedSlices& picked_;
  const std::atomic<bool>* cancelled_;
  std::atomic<bool> stop_ = false;
  std::unordered_map<std::uint32_t, PickedName> names_;
};

}  // namespace

std::vector<PickedStretch> picked_stretches(const TrackSlices& track, const PickedSlices& picked,
                                            const StatisticsQuery& query) {
  const Edges edges = edges_of(query);
  std::vector<PickedStretch> all;
  for_picked(track, picked, query.scope, [&](const SliceRow& row, std::uint64_t i) {
    const std::int64_t begin_ns = std::max(row.begin_ns(i), edges.begin_ns);
    const std::int64_t end_ns = std::min(row.end_ns(i), edges.end_ns);
    // A slice without length lies in [begin, begin + 1).
    all.push_back({begin_ns, std::max(end_ns, saturating_sum(begin_ns, 1))});
  });
  std::sort(all.begin(), all.end(),
            [](const PickedStretch& a, const PickedStretch& b) { return a.begin_ns < b.begin_ns; });
  std::vector<PickedStretch> joined;
  for (const PickedStretch& stretch : all) {
    if (joined.empty() || stretch.begin_ns >= joined.back().end_ns) {
      joined.push_back(stretch);
    } else {
      joined.back().end_ns = std::max(joined.back().end_ns, stretch.end_ns);
    }
  }
  return joined;
}

SliceStatistics picked_statistics(const SliceSet& set, const StatisticsQuery& query,
                                  const std::atomic<bool>* cancelled) {
  SliceStatistics out;
  out.query = query;
  const Scope& scope = query.scope;
  const PickedSlices picked = slices_of_set(set, scope, cancelled);
  PickedSums sums(query, picked, cancelled);
  std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  for (const TrackSlices& track : set.tracks) {
    if (!scope.has_track(track.track) || is_set(cancelled)) continue;
    std::uint64_t here = 0;
    for_picked(track, picked, scope, [&](const SliceRow& row, std::uint64_t i) {
      ++here;
      begin_ns = std::min(begin_ns, row.begin_ns(i));
      end_ns = std::max(end_ns, row.end_ns(i));
    });
    if (here == 0) continue;
    ++out.track_count;
    out.call_count += here;
    sums.add(track);
  }
  if (begin_ns > end_ns) begin_ns = end_ns = 0;
  out.begin_ns = scope.begin_ns == INT64_MIN ? begin_ns : scope.begin_ns;
  out.end_ns = scope.end_ns == INT64_MAX ? std::max(end_ns, out.begin_ns) : scope.end_ns;
  out.names = sums.take();
  for (const NameStatistics& name : out.names) {
    out.self_ns = saturating_sum(out.self_ns, name.self_ns);
  }
  return out;
}

std::uint64_t picked_call_count(const SliceSet& set, const StatisticsQuery& query,
                                const std::atomic<bool>* cancelled) {
  const PickedSlices picked = slices_of_set(set, query.scope, cancelled);
  std::uint64_t count = 0;
  for (const TrackSlices& track : set.tracks) {
    if (!query.scope.has_track(track.track)) continue;
    for_picked(track, picked, query.scope, [&](const SliceRow&, std::uint64_t) { ++count; });
  }
  return count;
}

}  // namespace cinderscope
