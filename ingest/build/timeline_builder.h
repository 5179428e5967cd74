// The only writer of a Timeline: pairs begins with ends, nests slices into rows, packs columns.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/build/async_packing.h"
#include "ingest/build/flow_binding.h"
#include "ingest/build/instant_writer.h"
#include "ingest/build/track_writer.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

enum class CounterId : std::uint32_t {};

// Calls come from one thread at a time unless said otherwise, in any order. Times are absolute;
// anything beyond +-2^62 ns must be clamped by the format.
class TimelineBuilder {
 public:
  explicit TimelineBuilder(TimeAxis axis = TimeAxis::nanoseconds);
  ~TimelineBuilder();
  // A builder with all that this one has, which goes on by itself; what is packed already is
  // shared. Ids stay the same, writers do not.
  std::unique_ptr<TimelineBuilder> fork() const;

  void use_axis(TimeAxis axis) { timeline_.axis = axis; }
  // The source's own list of weights, and which of them lengths stand for.
  void use_weights(std::vector<Weight> weights, std::size_t chosen) {
    timeline_.weights = std::move(weights);
    timeline_.weight = chosen;
  }
  // The axis counts events, or what a profile adds up, those of each thread from 0.
  void count_events_by_thread(TimeAxis axis = TimeAxis::events) {
    timeline_.axis = axis;
    timeline_.threads_apart = true;
  }

  // -- who: equal text gives the equal id
  ProcessId process(std::string_view pid);
  ThreadId thread(ProcessId process, std::string_view tid);
  // One more, where ids are used again: whoever asks for the text gets the first one.
  ProcessId another_process(std::string_view pid);
  ThreadId another_thread(ProcessId process, std::string_view tid);
  Process& process_facts(ProcessId id) {
    return timeline_.processes[index(id)];
  }  // name, labels, sort
  Thread& thread_facts(ThreadId id) { return timeline_.threads[index(id)]; }

  // Any thread; takes a lock, so keep a cache in front of it.
  StringId intern(std::string_view text) { return timeline_.strings->intern(text); }
  const std::shared_ptr<StringPool>& strings() const { return timeline_.strings; }

  // What is packed from now on goes into a file on disk, as far as that has room; false if there
  // can be no such file. Upper levels, names and all else stay in memory. While no other thread
  // touches the builder.
  bool keep_columns_on_disk();
  bool keeps_columns_on_disk() const { return timeline_.strings->arena() != nullptr; }

  // -- slices of a thread. The writer lives as long as the builder; writers of different threads
  // may be driven from different loader threads at the same time.
  TrackWriter& slices(ThreadId thread);
  // Slices made from samples or a CPU profile, on a track of their own below `thread`.
  TrackWriter& sample_slices(ThreadId thread, StringId track_name);

  // Slices that sum up calls of `thread`, on a track of their own above it.
  TrackWriter& call_slices(ThreadId thread, StringId track_name);

  // Rows that need no nesting, with their deferred children and nested instants (see SliceBlock):
  // all the slices of a thread, which has no writer then.
  void adopt(ThreadId thread, std::vector<SliceRow> rows, std::vector<DeferredChildren> deferred,
             std::vector<SliceRow> nested_instants);
  // A whole timeline that was put together elsewhere: finish() gives it and nothing else.
  void adopt(Timeline timeline) { adopted_timeline_ = std::move(timeline); }

  // -- everything else
  // Instants of different threads may come from different loader threads at the same time.
  void instant(ThreadId thread, std::int64_t time_ns, StringId name, RecordOffset record);
  // Adds an instant nested `depth` slices deep (at least 1); per thread in time order.
  void nested_instant(ThreadId thread, std::uint32_t depth, std::int64_t time_ns, StringId name,
                      RecordOffset record);
  // An instant that belongs to the thread's process as a whole, or to all (`global`).
  void wide_instant(ThreadId thread, bool global, std::int64_t time_ns, StringId name,
                    RecordOffset record);
  CounterId counter(ProcessId process, StringId name);  // equal pair gives the equal id
  void counter_value(CounterId counter, StringId series, std::int64_t time_ns, double value);
  AsyncTrackId async_track(ProcessId process, StringId name);
  // A track of what lasts but is no call: the objects of one type, the states of one thing.
  AsyncTrackId lifetime_track(ProcessId process, StringId name);
  // One more of that kind (async or lifetimes) and name: whoever asks for the name gets the others.
  AsyncTrackId another_async_track(TrackKind kind, ProcessId process, StringId name);
  // All slices of one id and the marks on them, in any order; kept together as one block of rows.
  void async_group(AsyncTrackId track, const std::vector<AsyncSlice>& group,
                   const std::vector<AsyncMark>& marks = {});
  // The same for groups that may be large: its slices and marks one by one, then its end.
  void async_slice(AsyncTrackId track, const AsyncSlice& slice);
  void async_mark(AsyncTrackId track, const AsyncMark& mark);
  void end_async_group(AsyncTrackId track);
  // That a group of so much will come. If all of a track are told of before the first one comes,
  // memory for them is taken at once, and nothing is moved while it grows.
  void expect_async_group(AsyncTrackId track, std::size_t slices, std::size_t marks);
  void flow(StringId name, bool by_bind_id, const std::vector<FlowEnd>& points);
  // Times in which all threads of the process stood still, in any order; once for a process.
  void pauses(ProcessId process, std::vector<Pause> pauses);
  // Events of the thread between these times could not be read; kNoThread: of any thread.
  void gap(ThreadId thread, std::int64_t begin_ns, std::int64_t end_ns);
  void count_samples(std::uint64_t count) { timeline_.sample_count += replaying_ ? 0 : count; }
  void count_records(std::uint64_t count) { timeline_.record_count += replaying_ ? 0 : count; }
  void note(std::string_view key, std::string_view text);  // otherData and the like
  void set_legend(std::vector<LegendEntry> legend) { timeline_.legend = std::move(legend); }
  void show_ns_unit() { timeline_.show_ns_unit = true; }
  Diagnostics& diagnostics() { return replaying_ ? ignored_ : timeline_.diagnostics; }

  // A slice that sticks out of its parent by at most this counts as nested (one unit of the file's
  // last decimal). Set before finish; 0 by default.
  void set_nesting_tolerance(std::int64_t tolerance_ns) { tolerance_ns_ = tolerance_ns; }

  // Before any thread is named: only what `filter` lets through is kept, the rest counted. It must
  // outlive the builder's use.
  void keep_only(const LoadFilter& filter) { keep_ = filter.is_all() ? nullptr : &filter; }

  // Once the flag is set, snapshot() and finish() end soon with only some of the slices. It must
  // outlive the builder's use.
  void stop_when(const std::atomic<bool>& cancelled) { cancelled_ = &cancelled; }

  // Threads whose B/E times step back are not nested while reading: true if there are any. Then
  // read_timeline() has the source load once more. All that comes after begin_replay() is ignored,
  // but for the slices of such threads; a source may look at replaying() to save itself the work.
  bool needs_replay() const;
  void begin_replay();
  bool replaying() const { return replaying_; }

  // What has been read so far, with open slices lasting to their thread's latest time. The builder
  // goes on unchanged. Costs up to one finish() where slices came unsorted.
  Timeline snapshot();
  // Closes what is open, nests, binds flows, sums up. `jobs` threads help. The builder is spent.
  Timeline finish(unsigned jobs = 1);

 private:
  TimelineBuilder(const TimelineBuilder&) = default;  // but for pointers to writers

  struct Writer {
    Writer(ThreadId of, StringId track_name, TrackKind of_kind, const StringPool& names)
        : thread(of), name(track_name), kind(of_kind), slices(names) {}

    ThreadId thread{};
    StringId name = kEmptyString;  // of a track beside its thread's
    TrackKind kind = TrackKind::thread;
    TrackWriter slices;
  };
  struct AdoptedRows {
    ThreadId thread{};
    std::vector<SliceRow> rows;
    std::vector<DeferredChildren> deferred;
    std::vector<SliceRow> nested_instants;
  };
  struct AsyncTrack {
    TrackKind kind = TrackKind::async;
    ProcessId process{};
    StringId name = kEmptyString;
    AsyncGroups groups;  // gone once packed
    std::size_t expected_slices = 0, expected_marks = 0, expected_groups = 0;
    std::uint64_t group_count = 0;  // of those that have slices
    std::uint64_t unfinished_count = 0, mark_count = 0, instant_count = 0;
  };
  struct CounterTrack {
    ProcessId process{};
    StringId name = kEmptyString;
    std::vector<CounterSeries> series;
    std::unordered_map<std::uint32_t, std::size_t> series_by_name;
  };

  void add_thread(ProcessId process, StringId tid);
  static void make_room(AsyncTrack& track);  // for the groups that are expected
  TrackWriter& slices_beside(ThreadId thread, TrackKind kind, StringId track_name);
  void apply_filter(TrackWriter& writer, ThreadId thread) const;
  Timeline assemble(bool consume, unsigned jobs, std::vector<TrackId>* async_tracks = nullptr);
  // Rows of every writer and every async track, series of every counter.
  struct MadeRows {
    std::vector<NestedRows> slices;
    std::vector<PackedGroups> async;
    std::vector<std::vector<CounterSeries>> series;
  };
  MadeRows make_rows(bool consume, unsigned jobs);
  void add_slice_tracks(Timeline& out, std::vector<NestedRows> nested, bool consume);
  void add_instants(Timeline& out, bool consume);
  void add_marks(Timeline& out, bool consume);
  // Of each async track its id in `out`; kNoTrack where nothing is on it.
  std::vector<TrackId> add_async_tracks(Timeline& out, std::vector<PackedGroups> packed);
  void add_counter_tracks(Timeline& out, std::vector<std::vector<CounterSeries>> made);

  Timeline timeline_;  // what needs no nesting; tracks are added by assemble()
  std::optional<Timeline> adopted_timeline_;
  bool replaying_ = false;
  Diagnostics ignored_;  // of a replay
  std::int64_t tolerance_ns_ = 0;
  const std::atomic<bool>* cancelled_ = nullptr;
  const LoadFilter* keep_ = nullptr;  // null: all
  std::unordered_map<std::uint32_t, ProcessId> processes_by_pid_;
  std::unordered_map<std::uint64_t, ThreadId> threads_by_key_;  // process << 32 | tid
  std::deque<Writer> writers_;                                  // they never move
  // By kind, then thread << 32 | name.
  std::map<std::pair<TrackKind, std::uint64_t>, Writer*> writers_beside_;
  std::vector<Writer*> writer_of_thread_;   // by thread, null: none yet
  std::vector<InstantWriter> instants_;     // by thread
  std::vector<RowWriter> nested_instants_;  // by thread; rows by depth
  std::vector<AdoptedRows> adopted_;
  std::vector<AsyncTrack> async_;
  std::unordered_map<std::uint64_t, AsyncTrackId> async_by_key_, lifetimes_by_key_;  // as counters
  std::map<std::pair<std::uint32_t, bool>, InstantWriter> marks_;  // by process, and if global
  std::vector<CounterTrack> counters_;
  std::unordered_map<std::uint64_t, CounterId> counters_by_key_;  // process << 32 | name
  PendingFlows flows_;
};

}  // namespace cinderscope
