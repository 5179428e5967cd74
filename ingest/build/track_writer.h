// Slices of one track on their way in: events in file order -> rows by depth.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "ingest/base/diagnostics.h"
#include "ingest/base/saturating.h"
#include "ingest/build/load_filter.h"
#include "ingest/build/nesting_sweep.h"
#include "ingest/build/open_slices.h"
#include "ingest/build/row_writer.h"
#include "ingest/build/slice_runs.h"

namespace cinderscope {

// Turns the time keys that a format nests by, e.g. ticks, into nanoseconds. Monotone.
class TimeScale {
 public:
  virtual ~TimeScale() = default;
  virtual std::int64_t ns(std::int64_t key) const = 0;
};

struct NestedRows {
  std::vector<SliceRow> rows;
  SliceRow covered;               // where slices overlap: the time that any of them covers
  std::uint32_t depth = 0;        // how many slices lie in each other at most
  std::int64_t tolerance_ns = 0;  // by which a slice may stick out of its container
  std::uint64_t slice_count = 0, unfinished_count = 0, overlapping_count = 0;
};

// Rules (product.md): an end closes the innermost open slice of its name if it has one and one is
// open, else the innermost; a stray end is counted ("stray_end"); a slice that partly overlaps goes
// to the first free row below its container; open ones last to the thread's end.
//
// Three ways in, from cheap to general, chosen by what arrives: B/E in order, closing innermost
// first, go straight to their rows; anything else is kept as sorted runs and nested by finish();
// B/E that step back in time need the replay (timeline_builder.h), or were kept from the start.
class TrackWriter {
 public:
  class Ticks;

  // `scale` null: keys are nanoseconds. It must outlive the writer.
  explicit TrackWriter(const StringPool& names, const TimeScale* scale = nullptr);
  ~TrackWriter();
  TrackWriter(const TrackWriter&);  // shares what is packed already
  TrackWriter& operator=(const TrackWriter&) = delete;

  void set_scale(const TimeScale* scale) { scale_ = scale; }
  // Before any slice: only those that `filter` lets through are kept, none at all if it is null. It
  // must outlive the writer.
  void keep_only(const LoadFilter* filter) {
    keep_ = filter;
    keeps_all_ = false;
  }
  std::uint64_t left_out_count() const { return left_out_count_; }
  // Before any slice, where it is known that times will step back: all is kept until the end, 40
  // bytes an event, and no replay is needed. Until then nest() gives nothing.
  void keep_events() {
    keeps_events_ = true;
    straight_ = false;
  }
  bool keeps_events() const { return keeps_events_; }
  // Times of begins and ends step back at this record; told once.
  void was_unsorted(RecordOffset record);

  // Times are in the format's keys. `record` is where the event lies in the input; it also orders
  // events of equal time, so it must grow in file order. Inline up to the usual case: begins and
  // ends in order, each end closing the innermost.
  void begin(std::int64_t time, StringId name, RecordOffset record) {
    if (!straight_ || time < last_time_) return begin_other(time, name, record);
    last_time_ = time;
    ++event_count_;
    open_.push({time, name, record});
  }
  // `name` kNoName: closes the innermost. `end_record` kNoRecord unless the event carries args.
  // `flags` kUnfinished: the end only says that the recording was over.
  void end(std::int64_t time, StringId name, RecordOffset record,
           RecordOffset end_record = kNoRecord, std::uint8_t flags = 0) {
    OpenSlice closed;
    const bool usual = straight_ && time >= last_time_ && flags == 0;
    if (!usual || !open_.close_innermost(name, closed)) {
      return end_other(time, name, record, end_record, flags);
    }
    last_time_ = time;
    ++event_count_;
    Slice slice = slice_of(closed.begin, time, closed.name, closed.record);
    slice.end_record = end_record;
    rows_.append(open_.count(), slice);
  }
  // `flags` kUnfinished: it has not ended, but lasts so long.
  void complete(std::int64_t time, std::int64_t duration, StringId name, RecordOffset record,
                std::uint8_t flags = 0, RecordOffset end_record = kNoRecord);
  // A complete event without an end: lasts to the thread's end.
  void complete_unfinished(std::int64_t time, StringId name, RecordOffset record,
                           std::uint8_t flags = 0);

  // The thread goes on to this time at least: what stays open lasts so long.
  void reach(std::int64_t time);

  bool empty() const { return event_count_ == 0; }
  bool needs_replay() const { return stepped_back_ && !keeps_events_ && pass_ == Pass::first; }
  void begin_replay();  // where it is needed; elsewhere what follows is ignored
  const Diagnostics& diagnostics() const { return diagnostics_; }  // stray_end, unsorted

  // The rows of what came in so far; `consume` gives the writer's own storage up on the way. Once
  // `*cancelled` (may be null) is set it ends soon, with only some of them.
  NestedRows nest(std::int64_t tolerance_ns, bool consume,
                  const std::atomic<bool>* cancelled = nullptr);

 private:
  // How slices reach their rows; only ever goes towards `runs`.
  enum class NestingStrategy : std::uint8_t {
    none,   // nothing came in yet
    stack,  // B/E only, each end closed the innermost: a slice's row is the height of the stack
    sweep,  // X only, sorted and nested: each goes to its row as it comes
    runs,   // anything else: sorted and nested by nest()
  };
  struct ReplayedEvent;
  enum class Pass : std::uint8_t { first, replay, over };  // over: a replay is for other writers

  std::int64_t ns(std::int64_t time) const { return scale_ == nullptr ? time : scale_->ns(time); }
  Slice slice_of(std::int64_t begin, std::int64_t end, StringId name, RecordOffset record) const {
    const std::int64_t begin_ns = ns(begin);
    const std::int64_t duration_ns = saturating_difference(ns(end), begin_ns);
    return {begin_ns, duration_ns > 0 ? duration_ns : 0, name, record, kNoRecord, 0};
  }
  void begin_other(std::int64_t time, StringId name, RecordOffset record);
  void end_other(std::int64_t time, StringId name, RecordOffset record, RecordOffset end_record,
                 std::uint8_t flags);
  bool keeps(std::int64_t begin_ns, std::int64_t end_ns) const {
    return keeps_all_ || (keep_ != nullptr && keep_->has_slice(begin_ns, end_ns));
  }
  bool leaves_out(const Slice& slice) {
    if (keeps(slice.begin_ns, slice.end_ns())) return false;
    ++left_out_count_;
    return true;
  }
  bool steps_back(std::int64_t time, RecordOffset record);
  void keep(const ReplayedEvent& event);
  void fall_back_to_runs();
  NestedRows nest_replayed(std::int64_t tolerance, bool consume,
                           const std::atomic<bool>* cancelled);
  std::int64_t end_ns() const;  // of the thread: its slices and B/E events

  const StringPool* names_;
  const TimeScale* scale_;
  NestingStrategy strategy_ = NestingStrategy::none;
  bool straight_ = false;  // strategy stack, first pass, all is kept, and nothing has stepped back
  bool keeps_all_ = true;
  const LoadFilter* keep_ = nullptr;
  std::uint64_t left_out_count_ = 0;
  bool stepped_back_ = false;
  bool keeps_events_ = false;  // all of them, in `replayed_`
  bool told_unsorted_ = false;
  Pass pass_ = Pass::first;
  std::uint64_t event_count_ = 0;
  std::int64_t last_time_ = INT64_MIN;    // of B/E events, in keys
  std::int64_t last_end_ns_ = INT64_MIN;  // of complete slices
  OpenSlices open_;
  RowWriter rows_;                 // strategies stack and sweep
  NestingSweep sweep_;             // strategy sweep
  Slice last_complete_;            // strategy sweep: what the next one must not precede
  SliceRuns runs_;                 // strategy runs
  std::vector<Slice> unfinished_;  // complete events without an end
  std::vector<ReplayedEvent> replayed_;
  std::uint64_t unfinished_ends_ = 0;
  Diagnostics diagnostics_;
};

// Begins and ends of a format that has no clock: each is one tick later than the one before, and an
// end closes the innermost. Does what begin() and end() of the writer do, but asks once what these
// ask for each event. Nobody else may use the writer meanwhile.
class TrackWriter::Ticks {
 public:
  // The next event is at `tick`, later than all before.
  Ticks(TrackWriter& writer, std::int64_t tick)
      : writer_(writer),
        open_(writer.open_),
        straight_(writer.straight_),
        tick_(tick),
        told_tick_(tick) {}
  ~Ticks() { tell(); }
  Ticks(const Ticks&) = delete;
  Ticks& operator=(const Ticks&) = delete;

  void begin(StringId name, RecordOffset record) {
    if (!straight_) [[unlikely]]
      return begin_other(name, record);
    open_.push({tick_++, name, record});
  }
  // Something is open.
  void end() {
    if (!straight_) [[unlikely]]
      return end_other();
    const OpenSlice& closed = open_.pop();
    writer_.rows_.append(open_.count(), {.begin_ns = closed.begin,
                                         .duration_ns = tick_++ - closed.begin,
                                         .name = closed.name,
                                         .record = closed.record});
  }
  std::int64_t tick() const { return tick_; }
  std::uint32_t open_count() const { return open_.count(); }

 private:
  // Inline, so that the address of this is known nowhere and all of it can stay in registers.
  [[gnu::always_inline]] void begin_other(StringId name, RecordOffset record) {
    open_.give_back();
    writer_.begin(tick_, name, record);
    open_.take();
    told_tick_ = ++tick_;
    straight_ = writer_.straight_;
  }
  [[gnu::always_inline]] void end_other() {
    open_.give_back();
    writer_.end(tick_, kNoName, 0);
    open_.take();
    told_tick_ = ++tick_;
  }
  // Tells the writer of the events that were not given to it.
  void tell() {
    if (tick_ == told_tick_) return;
    writer_.event_count_ += static_cast<std::uint64_t>(tick_ - told_tick_);
    writer_.last_time_ = tick_ - 1;
    told_tick_ = tick_;
  }

  TrackWriter& writer_;
  OpenSlices::Innermost open_;
  bool straight_;
  std::int64_t tick_, told_tick_;
};

}  // namespace cinderscope
