#include "ingest/build/timeline_builder.h"

#include <algorithm>
#include <utility>

#include "ingest/base/parallel.h"
#include "ingest/base/self_trace.h"

namespace cinderscope {

namespace {

constexpr std::size_t kNoteBytes = std::size_t{64} * 1024;

std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
  return std::uint64_t{a} << 32 | b;
}

// Finds `key` or makes it the id of a new last entry of `table`.
template <class Id, class Map, class Table>
std::pair<Id, bool> find_or_add(Map& map, std::uint64_t key, const Table& table) {
  const auto [found, added] = map.try_emplace(static_cast<typename Map::key_type>(key),
                                              Id{static_cast<std::uint32_t>(table.size())});
  return {found->second, added};
}

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

void sort_series(CounterSeries& series) {
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

TimelineBuilder::TimelineBuilder(TimeAxis axis) {
  timeline_.axis = axis;
}

TimelineBuilder::~TimelineBuilder() = default;

std::unique_ptr<TimelineBuilder> TimelineBuilder::fork() const {
  std::unique_ptr<TimelineBuilder> copy(new TimelineBuilder(*this));
  std::unordered_map<const Writer*, Writer*> copied;
  for (std::size_t i = 0; i < writers_.size(); ++i) copied[&writers_[i]] = &copy->writers_[i];
  const auto point = [&](Writer*& writer) {
    if (writer != nullptr) writer = copied[writer];
  };
  for (Writer*& writer : copy->writer_of_thread_) point(writer);
  for (auto& [key, writer] : copy->writers_beside_) point(writer);
  return copy;
}

ProcessId TimelineBuilder::process(std::string_view pid) {
  const StringId text = intern(pid);
  const auto [id, added] =
      find_or_add<ProcessId>(processes_by_pid_, index(text), timeline_.processes);
  if (added) timeline_.processes.push_back({.pid = text});
  return id;
}

ThreadId TimelineBuilder::thread(ProcessId process, std::string_view tid) {
  const StringId text = intern(tid);
  const auto [id, added] = find_or_add<ThreadId>(
      threads_by_key_, pair_key(index(process), index(text)), timeline_.threads);
  if (added) {
    timeline_.threads.push_back({.process = process, .tid = text});
    writer_of_thread_.push_back(nullptr);
    instants_.emplace_back(*timeline_.strings);
    nested_instants_.emplace_back(*timeline_.strings);
  }
  return id;
}

void TimelineBuilder::apply_filter(TrackWriter& writer, ThreadId thread) const {
  if (keep_ == nullptr) return;
  const Thread& facts = timeline_.threads[index(thread)];
  const std::string_view pid = timeline_.text(timeline_.processes[index(facts.process)].pid);
  writer.keep_only(keep_->has_thread(pid, timeline_.text(facts.tid)) ? keep_ : nullptr);
}

TrackWriter& TimelineBuilder::slices(ThreadId thread) {
  Writer*& writer = writer_of_thread_[index(thread)];
  if (writer == nullptr) {
    writer = &writers_.emplace_back(thread, kEmptyString, TrackKind::thread, *timeline_.strings);
    apply_filter(writer->slices, thread);
  }
  return writer->slices;
}

TrackWriter& TimelineBuilder::slices_beside(ThreadId thread, TrackKind kind, StringId track_name) {
  Writer*& writer = writers_beside_[{kind, pair_key(index(thread), index(track_name))}];
  if (writer == nullptr) {
    writer = &writers_.emplace_back(thread, track_name, kind, *timeline_.strings);
    apply_filter(writer->slices, thread);
  }
  return writer->slices;
}

TrackWriter& TimelineBuilder::sample_slices(ThreadId thread, StringId track_name) {
  return slices_beside(thread, TrackKind::samples, track_name);
}

TrackWriter& TimelineBuilder::call_slices(ThreadId thread, StringId track_name) {
  return slices_beside(thread, TrackKind::calls, track_name);
}

void TimelineBuilder::adopt(ThreadId thread, std::vector<SliceRow> rows,
                            std::vector<DeferredChildren> deferred,
                            std::vector<SliceRow> nested_instants) {
  if (replaying_) return;
  adopted_.push_back({thread, std::move(rows), std::move(deferred), std::move(nested_instants)});
}

void TimelineBuilder::instant(ThreadId thread, std::int64_t time_ns, StringId name,
                              RecordOffset record) {
  if (replaying_ || (keep_ != nullptr && !keep_->has_time(time_ns))) return;
  instants_[index(thread)].add({time_ns, 0, name, record, kNoRecord, 0});
}

void TimelineBuilder::nested_instant(ThreadId thread, std::uint32_t depth, std::int64_t time_ns,
                                     StringId name, RecordOffset record) {
  if (replaying_) return;
  nested_instants_[index(thread)].append(depth, {time_ns, 0, name, record, kNoRecord, 0});
}

CounterId TimelineBuilder::counter(ProcessId process, StringId name) {
  const auto [id, added] =
      find_or_add<CounterId>(counters_by_key_, pair_key(index(process), index(name)), counters_);
  if (added) counters_.push_back({process, name, {}, {}});
  return id;
}

void TimelineBuilder::counter_value(CounterId counter, StringId series, std::int64_t time_ns,
                                    double value) {
  if (replaying_ || (keep_ != nullptr && !keep_->has_time(time_ns))) return;
  CounterTrack& track = counters_[static_cast<std::uint32_t>(counter)];
  const auto [found, added] = track.series_by_name.try_emplace(index(series), track.series.size());
  if (added) track.series.push_back({.name = series});
  track.series[found->second].time_ns.push_back(time_ns);
  track.series[found->second].value.push_back(value);
}

void TimelineBuilder::wide_instant(ThreadId thread, bool global, std::int64_t time_ns,
                                   StringId name, RecordOffset record) {
  if (replaying_ || (keep_ != nullptr && !keep_->has_time(time_ns))) return;
  Thread& recorder = timeline_.threads[index(thread)];
  ++recorder.wide_instants;
  const auto [marks, added] =
      marks_.try_emplace({index(recorder.process), global}, *timeline_.strings);
  marks->second.add({time_ns, 0, name, record, kNoRecord, 0});
}

AsyncTrackId TimelineBuilder::async_track(ProcessId process, StringId name) {
  const auto [id, added] =
      find_or_add<AsyncTrackId>(async_by_key_, pair_key(index(process), index(name)), async_);
  if (added) async_.push_back({.process = process, .name = name});
  return id;
}

AsyncTrackId TimelineBuilder::lifetime_track(ProcessId process, StringId name) {
  const auto [id, added] =
      find_or_add<AsyncTrackId>(lifetimes_by_key_, pair_key(index(process), index(name)), async_);
  if (added) async_.push_back({.kind = TrackKind::lifetimes, .process = process, .name = name});
  return id;
}

void TimelineBuilder::async_group(AsyncTrackId track, const std::vector<AsyncSlice>& group,
                                  const std::vector<AsyncMark>& marks) {
  if (replaying_) return;
  AsyncTrack& of = async_[static_cast<std::uint32_t>(track)];
  AsyncGroups& groups = of.groups;
  groups.slices.insert(groups.slices.end(), group.begin(), group.end());
  groups.ends.push_back(groups.slices.size());
  groups.marks.insert(groups.marks.end(), marks.begin(), marks.end());
  groups.mark_ends.push_back(groups.marks.size());
  of.group_count += group.empty() ? 0 : 1;
  of.mark_count += marks.size();
  for (const AsyncSlice& part : group) {
    of.unfinished_count += (part.slice.flags & kUnfinished) != 0 ? 1 : 0;
  }
}

void TimelineBuilder::flow(StringId name, bool by_bind_id, const std::vector<FlowEnd>& points) {
  if (replaying_) return;
  flows_.add(name, by_bind_id, points);
}

void TimelineBuilder::gap(ThreadId thread, std::int64_t begin_ns, std::int64_t end_ns) {
  if (replaying_) return;
  timeline_.gaps.push_back({.begin_ns = begin_ns, .end_ns = end_ns, .thread = thread});
}

void TimelineBuilder::pauses(ProcessId process, std::vector<Pause> pauses) {
  if (replaying_) return;
  timeline_.pauses.push_back(std::make_shared<const ProcessPauses>(process, std::move(pauses)));
}

void TimelineBuilder::note(std::string_view key, std::string_view text) {
  if (replaying_) return;
  timeline_.notes.push_back({std::string(key), std::string(text.substr(0, kNoteBytes))});
}

bool TimelineBuilder::needs_replay() const {
  return std::any_of(writers_.begin(), writers_.end(),
                     [](const Writer& writer) { return writer.slices.needs_replay(); });
}

void TimelineBuilder::begin_replay() {
  replaying_ = true;
  for (Writer& writer : writers_) writer.slices.begin_replay();
}

Timeline TimelineBuilder::snapshot() {
  const SelfTraceMark mark("snapshot");
  return assemble(false, 1);
}

Timeline TimelineBuilder::finish(unsigned jobs) {
  if (adopted_timeline_) return std::move(*adopted_timeline_);
  const SelfTraceMark mark("build the timeline");
  Timeline out = assemble(true, jobs);
  {
    const SelfTraceMark binding("bind flows", "flows",
                                static_cast<std::int64_t>(flows_.heads.size()));
    bind_flows(std::move(flows_), jobs, out);
  }
  out.complete = true;
  return out;
}

Timeline TimelineBuilder::assemble(bool consume, unsigned jobs) {
  Timeline out = timeline_;  // strings are shared
  MadeRows made = make_rows(consume, jobs);
  add_slice_tracks(out, std::move(made.slices), consume);
  add_async_tracks(out, std::move(made.async));
  add_counter_tracks(out, consume);

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
  // Async groups first: they are small once packed, and wide before.
  parallel_for(async_.size() + writers_.size(), jobs, [&](std::size_t i) {
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
  const auto add_track = [&](Track track) {
    out.tracks.push_back(std::move(track));
    return TrackId{static_cast<std::uint32_t>(out.tracks.size() - 1)};
  };
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
    const TrackId id = add_track(std::move(track));
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
    thread.track = add_track(std::move(track));
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
  const auto add_track = [&](Track track) {
    out.tracks.push_back(std::move(track));
    return TrackId{static_cast<std::uint32_t>(out.tracks.size() - 1)};
  };
  for (std::size_t i = 0; i < instants_.size(); ++i) {
    if (instants_[i].empty()) continue;
    Thread& thread = out.threads[i];
    if (thread.track == kNoTrack) {
      Track track{.kind = TrackKind::thread,
                  .process = thread.process,
                  .thread = ThreadId{static_cast<std::uint32_t>(i)}};
      set_rows(track, {});
      thread.track = add_track(std::move(track));
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
void TimelineBuilder::add_async_tracks(Timeline& out, std::vector<PackedGroups> packed) {
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
    } else {
      out.lifetime_count += track.slice_count;
      out.lifetime_mark_count += async.mark_count;
    }
    if (track.begin_ns <= track.end_ns) out.tracks.push_back(std::move(track));
  }
}

void TimelineBuilder::add_counter_tracks(Timeline& out, bool consume) {
  const SelfTraceMark mark("counters", "counters", static_cast<std::int64_t>(counters_.size()));
  for (CounterTrack& counter : counters_) {
    if (counter.series.empty()) continue;
    Track track{.kind = TrackKind::counter, .process = counter.process, .name = counter.name};
    set_rows(track, {});
    track.series = consume ? std::move(counter.series) : counter.series;
    for (CounterSeries& series : track.series) {
      series.time_ns.shrink_to_fit();
      series.value.shrink_to_fit();
      sort_series(series);
      track.begin_ns = std::min(track.begin_ns, series.time_ns.front());
      track.end_ns = std::max(track.end_ns, series.time_ns.back());
    }
    out.tracks.push_back(std::move(track));
  }
}

}  // namespace cinderscope
