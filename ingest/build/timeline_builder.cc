#include "ingest/build/timeline_builder.h"

#include <algorithm>
#include <utility>

#include "ingest/base/self_trace.h"
#include "ingest/build/column_file.h"

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

bool TimelineBuilder::keep_columns_on_disk() {
  if (timeline_.strings->arena() != nullptr) return true;
  Result<std::shared_ptr<ColumnFile>> file = ColumnFile::create();
  if (!file) return false;
  timeline_.strings->keep_chunks_in(std::move(*file));
  return true;
}

ProcessId TimelineBuilder::process(std::string_view pid) {
  const StringId text = intern(pid);
  const auto [id, added] =
      find_or_add<ProcessId>(processes_by_pid_, index(text), timeline_.processes);
  if (added) timeline_.processes.push_back({.pid = text});
  return id;
}

ProcessId TimelineBuilder::another_process(std::string_view pid) {
  const std::size_t known = timeline_.processes.size();
  const ProcessId first = process(pid);
  if (timeline_.processes.size() != known) return first;
  timeline_.processes.push_back({.pid = timeline_.processes[index(first)].pid});
  return ProcessId{static_cast<std::uint32_t>(known)};
}

ThreadId TimelineBuilder::thread(ProcessId process, std::string_view tid) {
  const StringId text = intern(tid);
  const auto [id, added] = find_or_add<ThreadId>(
      threads_by_key_, pair_key(index(process), index(text)), timeline_.threads);
  if (added) add_thread(process, text);
  return id;
}

ThreadId TimelineBuilder::another_thread(ProcessId process, std::string_view tid) {
  const std::size_t known = timeline_.threads.size();
  const ThreadId first = thread(process, tid);
  if (timeline_.threads.size() != known) return first;
  add_thread(process, timeline_.threads[index(first)].tid);
  return ThreadId{static_cast<std::uint32_t>(known)};
}

void TimelineBuilder::add_thread(ProcessId process, StringId tid) {
  timeline_.threads.push_back({.process = process, .tid = tid});
  writer_of_thread_.push_back(nullptr);
  instants_.emplace_back(*timeline_.strings);
  nested_instants_.emplace_back(*timeline_.strings);
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

AsyncTrackId TimelineBuilder::another_async_track(TrackKind kind, ProcessId process,
                                                  StringId name) {
  async_.push_back({.kind = kind, .process = process, .name = name});
  return static_cast<AsyncTrackId>(async_.size() - 1);
}

void TimelineBuilder::expect_async_group(AsyncTrackId track, std::size_t slices,
                                         std::size_t marks) {
  if (replaying_) return;
  AsyncTrack& of = async_[static_cast<std::uint32_t>(track)];
  of.expected_slices += slices;
  of.expected_marks += marks;
  ++of.expected_groups;
}

void TimelineBuilder::async_slice(AsyncTrackId track, const AsyncSlice& slice) {
  if (replaying_) return;
  AsyncTrack& of = async_[static_cast<std::uint32_t>(track)];
  make_room(of);
  of.groups.slices.emplace_back(slice);
  of.unfinished_count += (slice.slice.flags & kUnfinished) != 0 ? 1 : 0;
}

void TimelineBuilder::async_mark(AsyncTrackId track, const AsyncMark& mark) {
  if (replaying_) return;
  AsyncTrack& of = async_[static_cast<std::uint32_t>(track)];
  make_room(of);
  of.groups.marks.emplace_back(mark);
  ++(mark.is_instant ? of.instant_count : of.mark_count);
}

void TimelineBuilder::end_async_group(AsyncTrackId track) {
  if (replaying_) return;
  AsyncTrack& of = async_[static_cast<std::uint32_t>(track)];
  const std::uint64_t first = of.groups.ends.empty() ? 0 : of.groups.ends.back();
  of.group_count += of.groups.slices.size() > first ? 1 : 0;
  of.groups.ends.push_back(of.groups.slices.size());
  of.groups.mark_ends.push_back(of.groups.marks.size());
}

void TimelineBuilder::async_group(AsyncTrackId track, const std::vector<AsyncSlice>& group,
                                  const std::vector<AsyncMark>& marks) {
  for (const AsyncSlice& slice : group) async_slice(track, slice);
  for (const AsyncMark& mark : marks) async_mark(track, mark);
  end_async_group(track);
}

void TimelineBuilder::make_room(AsyncTrack& track) {
  if (track.expected_groups == 0) return;
  track.groups.slices.reserve(std::exchange(track.expected_slices, 0));
  track.groups.marks.reserve(std::exchange(track.expected_marks, 0));
  track.groups.ends.reserve(track.expected_groups);
  track.groups.mark_ends.reserve(std::exchange(track.expected_groups, 0));
}

void TimelineBuilder::flow(StringId name, bool by_bind_id, const std::vector<FlowEnd>& points) {
  if (replaying_) return;
  flows_.add(name, by_bind_id, points);
}

void TimelineBuilder::gap(ThreadId thread, std::int64_t begin_ns, std::int64_t end_ns) {
  if (replaying_) return;
  if (keep_ != nullptr) {
    begin_ns = std::max(begin_ns, keep_->from);
    end_ns = std::min(end_ns, keep_->to);
    if (begin_ns >= end_ns) return;
  }
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
  std::vector<TrackId> async_tracks;
  Timeline out = assemble(true, jobs, &async_tracks);
  {
    const SelfTraceMark binding("bind flows", "flows",
                                static_cast<std::int64_t>(flows_.heads.size()));
    bind_flows(std::move(flows_), async_tracks, jobs, out);
  }
  out.complete = true;
  return out;
}

}  // namespace cinderscope
