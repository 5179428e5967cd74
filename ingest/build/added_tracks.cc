#include "ingest/build/added_tracks.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/build/async_packing.h"

namespace cinderscope {
namespace {

Track slices_track(const AddedTrack& added, StringPool& strings) {
  Track track{.kind = TrackKind::lifetimes};
  AsyncGroups groups;
  for (const AddedSlice& slice : added.slices) {
    Slice made{.begin_ns = slice.begin_ns,
               .duration_ns = std::max<std::int64_t>(slice.duration_ns, 0),
               .name = strings.intern(slice.name)};
    made.duration_ns =
        saturating_difference(saturating_sum(made.begin_ns, made.duration_ns), made.begin_ns);
    track.begin_ns = std::min(track.begin_ns, made.begin_ns);
    track.end_ns = std::max(track.end_ns, made.end_ns());
    groups.slices.emplace_back(AsyncSlice{.slice = made});
    groups.ends.push_back(groups.slices.size());
    groups.mark_ends.push_back(0);
  }
  PackedGroups packed = pack_async_groups(std::move(groups), strings);
  auto block = std::make_shared<SliceBlock>();
  block->rows = std::move(packed.rows);
  for (const SliceRow& row : block->rows) track.slice_count += row.count();
  track.row_count = static_cast<std::uint32_t>(block->rows.size());
  track.depth = track.row_count > 0 ? 1 : 0;
  track.covered = std::move(packed.covered);
  track.group_count = track.slice_count;
  track.blocks.push_back(std::move(block));
  return track;
}

Track counter_track(const AddedTrack& added) {
  Track track{.kind = TrackKind::counter};
  std::vector<AddedValue> values = added.values;
  std::ranges::stable_sort(values, {}, &AddedValue::time_ns);
  CounterSeries series;
  series.min = std::numeric_limits<double>::max();
  series.max = std::numeric_limits<double>::lowest();
  for (const AddedValue& each : values) {
    // Of several at a time the last one holds.
    if (!series.time_ns.empty() && series.time_ns.back() == each.time_ns) {
      series.value.back() = each.value;
    } else {
      series.time_ns.push_back(each.time_ns);
      series.value.push_back(each.value);
    }
    series.min = std::min(series.min, each.value);
    series.max = std::max(series.max, each.value);
  }
  track.begin_ns = series.time_ns.front();
  track.end_ns = series.time_ns.back();
  track.series.push_back(std::move(series));
  track.blocks.push_back(std::make_shared<SliceBlock>());
  return track;
}

}  // namespace

void add_tracks(Timeline& timeline, const std::string& title,
                const std::vector<AddedTrack>& tracks) {
  const auto process = static_cast<ProcessId>(timeline.processes.size());
  bool any = false;
  for (const AddedTrack& added : tracks) {
    if (added.slices.empty() && added.values.empty()) continue;
    Track track =
        added.slices.empty() ? counter_track(added) : slices_track(added, *timeline.strings);
    track.process = process;
    track.name = timeline.strings->intern(added.name);
    timeline.tracks.push_back(std::move(track));
    any = true;
  }
  if (!any) return;
  timeline.processes.push_back({.name = timeline.strings->intern(title),
                                .sort_index = std::numeric_limits<double>::lowest(),
                                .first_ns = timeline.begin_ns,
                                .added = true});
}

void remove_added_tracks(Timeline& timeline) {
  // They are the last ones.
  while (!timeline.tracks.empty()) {
    const std::uint32_t process = index(timeline.tracks.back().process);
    if (process >= timeline.processes.size() || !timeline.processes[process].added) break;
    timeline.tracks.pop_back();
  }
  while (!timeline.processes.empty() && timeline.processes.back().added) {
    timeline.processes.pop_back();
  }
}

}  // namespace cinderscope
