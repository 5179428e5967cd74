// What a TimelineBuilder collected, put together as the tracks of a Timeline.
#include <algorithm>
#include <tuple>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/self_trace.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

void cover(Track& track, const SliceRow& row) {
  if (row.chunks.empty()) return;
  track.begin_ns = std::min(track.begin_ns, row.chunks.front()->first_begin_ns());
  for (const auto& chunk : row.chunks) track.end_ns = std::max(track.end_ns, chunk->last_end_ns());
}

// Takes the rows over as block 0, their level of detail included.
void set_rows(Track& track, std::vector<SliceRow> rows, std::vector<DeferredChildren> deferred = {},
              std::vector<SliceRow> nested_instants = {}) {
  auto block = std::make_shared<SliceBlock>();
  block->rows = std::move(rows);
  block->deferred = std::move(deferred);
  for (const SliceRow& row : block->rows) {
    track.slice_count += row.count();
    cover(track, row);
  }
  block->nested_instants = std::move(nested_instants);
  for (SliceRow& row : block->nested_instants) {
    row.build_lod();
    cover(track, row);
  }
  track.row_count = static_cast<std::uint32_t>(block->rows.size());
  track.depth = track.row_count;
  track.blocks = {std::move(block)};
}

TrackId add_track(Timeline& out, Track track) {
  out.tracks.push_back(std::move(track));
  return TrackId{static_cast<std::uint32_t>(out.tracks.size() - 1)};
}

void sort_series(CounterSeries& series) {
  series.time_ns.shrink_to_fit();
  series.value.shrink_to_fit();
  if (!std::is_sorted(series.time_ns.begin(), series.time_ns.end())) {
    std::vector<std::pair<std::int64_t, double>> values(series.time_ns.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = {series.time_ns[i], series.value[i]};
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::tie(series.time_ns[i], series.value[i]) = values[i];
    }
  }
  const auto [low, high] = std::minmax_element(series.value.begin(), series.value.end());
  series.min = *low;
  series.max = *high;
}

}  // namespace

Timeline TimelineBuilder::assemble(bool consume, unsigned jobs,
                                   std::vector<TrackId>* async_tracks) {
  Timeline out = timeline_;  // strings are shared
  MadeRows made = make_rows(consume, jobs);
  add_slice_tracks(out, std::move(made.slices), consume);
  std::vector<TrackId> tracks = add_async_tracks(out, std::move(made.async));
  if (async_tracks != nullptr) *async_tracks = std::move(tracks);
  add_counter_tracks(out, std::move(made.series));

  const auto widen = [](std::int64_t& begin, std::int64_t& end, const Track& track) {
    begin = std::min(begin, track.begin_ns);
    end = std::max(end, track.end_ns);
  };
  std::int64_t begin = INT64_MAX, end = INT64_MIN;
  for (const Track& track : out.tracks) {
    widen(begin, end, track);
    Process& process = out.processes[index(track.process)];
    process.first_ns = std::min(process.first_ns, track.begin_ns);
  }
  if (begin <= end) {
    out.begin_ns = begin;
    out.end_ns = end;
  }
  return out;
}

TimelineBuilder::MadeRows TimelineBuilder::make_rows(bool consume, unsigned jobs) {
  MadeRows made;
  made.slices.resize(writers_.size());
  made.async.resize(async_.size());
  made.series.resize(counters_.size());
  // Async groups first: they are small once packed, and wide before.
  const std::size_t counters_from = async_.size() + writers_.size();
  parallel_for(counters_from + counters_.size(), jobs, [&](std::size_t i) {
    if (i >= counters_from) {
      CounterTrack& counter = counters_[i - counters_from];
      const SelfTraceMark mark("sort a counter");
      made.series[i - counters_from] = consume ? std::move(counter.series) : counter.series;
      for (CounterSeries& series : made.series[i - counters_from]) sort_series(series);
      return;
    }
    if (i < async_.size()) {
      const SelfTraceMark mark("pack async groups", "slices",
                               static_cast<std::int64_t>(async_[i].groups.slices.size()));
      AsyncGroups groups = consume ? std::move(async_[i].groups) : async_[i].groups;
      made.async[i] = pack_async_groups(std::move(groups), *timeline_.strings);
      return;
    }
    i -= async_.size();
    SelfTraceMark mark("nest a thread");
    made.slices[i] = writers_[i].slices.nest(tolerance_ns_, consume, cancelled_);
    for (SliceRow& row : made.slices[i].rows) row.build_lod();
    mark.set("slices", static_cast<std::int64_t>(made.slices[i].slice_count));
  });
  return made;
}

void TimelineBuilder::add_slice_tracks(Timeline& out, std::vector<NestedRows> nested,
                                       bool consume) {
  std::int64_t begin = INT64_MAX, end = INT64_MIN;
  for (std::size_t i = 0; i < writers_.size(); ++i) {
    const Writer& writer = writers_[i];
    if (writer.slices.needs_replay()) continue;  // a snapshot before the replay shows none of it
    out.diagnostics.merge(writer.slices.diagnostics());
    out.diagnostics.count(diagnostic::kLeftOut, kNoOffset, {}, writer.slices.left_out_count());
    if (nested[i].slice_count == 0) continue;
    Thread& thread = out.threads[index(writer.thread)];
    const bool of_thread_itself = writer.kind == TrackKind::thread;
    Track track{.kind = writer.kind,
                .process = thread.process,
                .thread = writer.thread,
                .name = writer.name};
    track.has_overlaps = nested[i].overlapping_count != 0;
    track.tolerance_ns = nested[i].tolerance_ns;
    track.covered = std::move(nested[i].covered);
    std::vector<SliceRow> nested_instants;
    if (of_thread_itself) {
      RowWriter& own = nested_instants_[index(writer.thread)];
      nested_instants = consume ? own.take() : RowWriter(own).take();
    }
    set_rows(track, std::move(nested[i].rows), {}, std::move(nested_instants));
    if (track.has_overlaps) track.depth = nested[i].depth;
    if (of_thread_itself) {
      out.slice_count += nested[i].slice_count;
      out.unfinished_count += nested[i].unfinished_count;
      out.overlapping_count += nested[i].overlapping_count;
      begin = std::min(begin, track.begin_ns);
      end = std::max(end, track.end_ns);
    }
    const TrackId id = add_track(out, std::move(track));
    if (of_thread_itself) thread.track = id;
  }
  for (AdoptedRows& adopted : adopted_) {
    Thread& thread = out.threads[index(adopted.thread)];
    Track track{.kind = TrackKind::thread, .process = thread.process, .thread = adopted.thread};
    AdoptedRows rows = consume ? std::move(adopted) : adopted;
    for (const SliceRow& row : rows.rows) {
      for (std::uint64_t i = 0; i < row.count(); ++i) {
        out.unfinished_count += (row.flags(i) & kUnfinished) != 0 ? 1 : 0;
      }
    }
    for (SliceRow& row : rows.rows) row.build_lod();
    set_rows(track, std::move(rows.rows), std::move(rows.deferred),
             std::move(rows.nested_instants));
    out.slice_count += track.slice_count;
    begin = std::min(begin, track.begin_ns);
    end = std::max(end, track.end_ns);
    thread.track = add_track(out, std::move(track));
  }
  if (begin <= end) {
    out.slices_begin_ns = begin;
    out.slices_end_ns = end;
  }
  add_instants(out, consume);
  add_marks(out, consume);
  for (const Track& track : out.tracks) out.instant_count += instant_count(track);
  // What is open in a snapshot may still end.
  if (consume) out.diagnostics.count(diagnostic::kUnfinished, kNoOffset, {}, out.unfinished_count);
  out.diagnostics.count(diagnostic::kOverlap, kNoOffset, {}, out.overlapping_count);
}

void TimelineBuilder::add_instants(Timeline& out, bool consume) {
  for (std::size_t i = 0; i < instants_.size(); ++i) {
    if (instants_[i].empty()) continue;
    Thread& thread = out.threads[i];
    if (thread.track == kNoTrack) {
      Track track{.kind = TrackKind::thread,
                  .process = thread.process,
                  .thread = ThreadId{static_cast<std::uint32_t>(i)}};
      set_rows(track, {});
      thread.track = add_track(out, std::move(track));
    }
    Track& track = out.tracks[index(thread.track)];
    InstantWriter instants = consume ? std::move(instants_[i]) : instants_[i];
    track.instants = instants.take();
    cover(track, track.instants);
  }
}

void TimelineBuilder::add_marks(Timeline& out, bool consume) {
  for (auto& [key, writer] : marks_) {
    const auto& [process, global] = key;
    Track track{.kind = TrackKind::marks, .process = ProcessId{process}};
    track.name = out.strings->intern(global ? "Global instants" : "Process instants");
    track.global = global;
    set_rows(track, {});
    InstantWriter instants = consume ? std::move(writer) : writer;
    track.instants = instants.take();
    cover(track, track.instants);
    out.tracks.push_back(std::move(track));
  }
}

// Async slices and lifetimes.
std::vector<TrackId> TimelineBuilder::add_async_tracks(Timeline& out,
                                                       std::vector<PackedGroups> packed) {
  std::vector<TrackId> ids(async_.size(), kNoTrack);
  for (std::size_t i = 0; i < async_.size(); ++i) {
    const AsyncTrack& async = async_[i];
    Track track{.kind = async.kind, .process = async.process, .name = async.name};
    track.group_count = async.group_count;
    track.covered = std::move(packed[i].covered);
    set_rows(track, std::move(packed[i].rows), {}, std::move(packed[i].nested_instants));
    track.instants = std::move(packed[i].instants);
    cover(track, track.instants);
    if (async.kind == TrackKind::async) {
      out.async_unfinished_count += async.unfinished_count;
      out.async_slice_count += track.slice_count;
      out.async_group_count += track.group_count;
      out.async_step_count += async.mark_count;
      out.instant_count += async.instant_count;
    } else {
      out.lifetime_count += track.slice_count;
      out.lifetime_mark_count += async.mark_count;
    }
    if (track.begin_ns <= track.end_ns) ids[i] = add_track(out, std::move(track));
  }
  return ids;
}

void TimelineBuilder::add_counter_tracks(Timeline& out,
                                         std::vector<std::vector<CounterSeries>> made) {
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    if (made[i].empty()) continue;
    Track track{
        .kind = TrackKind::counter, .process = counters_[i].process, .name = counters_[i].name};
    set_rows(track, {});
    track.series = std::move(made[i]);
    for (const CounterSeries& series : track.series) {
      track.begin_ns = std::min(track.begin_ns, series.time_ns.front());
      track.end_ns = std::max(track.end_ns, series.time_ns.back());
    }
    out.tracks.push_back(std::move(track));
  }
}

}  // namespace cinderscope
