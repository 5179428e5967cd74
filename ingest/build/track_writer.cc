#include "ingest/build/track_writer.h"

#include <algorithm>
#include <utility>

#include "ingest/base/saturating.h"
#include "ingest/build/covered_time.h"
#include "ingest/build/passing_memory.h"

namespace cinderscope {

namespace {

bool is_set(const std::atomic<bool>* flag) {
  return flag != nullptr && flag->load(std::memory_order_relaxed);
}

}  // namespace

// An event of a thread whose times step back, kept until all have come.
struct TrackWriter::ReplayedEvent {
  enum class Kind : std::uint8_t { begin, end, complete, unfinished };
  std::int64_t time;
  std::int64_t duration;
  RecordOffset record, end_record;
  StringId name;
  Kind kind;
  std::uint8_t flags = 0;
};

TrackWriter::TrackWriter(const StringPool& names, const TimeScale* scale)
    : names_(&names), scale_(scale), rows_(names), runs_(names) {}

TrackWriter::TrackWriter(const TrackWriter&) = default;
TrackWriter::~TrackWriter() = default;

void TrackWriter::was_unsorted(RecordOffset record) {
  if (told_unsorted_) return;
  told_unsorted_ = true;
  diagnostics_.count(diagnostic::kUnsorted, static_cast<std::int64_t>(record));
}

// Notes a B/E time; true if the thread has to be read again, sorted.
bool TrackWriter::steps_back(std::int64_t time, RecordOffset record) {
  ++event_count_;
  if (stepped_back_) return true;
  if (time >= last_time_) {
    last_time_ = time;
    return false;
  }
  stepped_back_ = true;
  straight_ = false;
  was_unsorted(record);
  // What was made so far is of no use: free it now rather than at the replay.
  rows_ = RowWriter(*names_);
  runs_ = SliceRuns(*names_);
  release(open_);
  unfinished_.clear();
  return true;
}

void TrackWriter::keep(const ReplayedEvent& event) {
  using Kind = ReplayedEvent::Kind;
  replayed_.push_back(event);
  if (pass_ == Pass::replay) return;  // the first pass has counted it
  ++event_count_;
  if (event.kind != Kind::begin && event.kind != Kind::end) return;
  if (event.time < last_time_ && !stepped_back_) {
    stepped_back_ = true;
    was_unsorted(event.record);
  }
  last_time_ = std::max(last_time_, event.time);
}

void TrackWriter::begin_other(std::int64_t time, StringId name, RecordOffset record) {
  if (pass_ == Pass::over) return;
  if (keeps_events_) {
    return keep({time, 0, record, kNoRecord, name, ReplayedEvent::Kind::begin});
  }
  if (steps_back(time, record)) return;
  if (strategy_ == NestingStrategy::none) {
    strategy_ = NestingStrategy::stack;
    straight_ = keeps_all_;
  }
  if (strategy_ == NestingStrategy::sweep) fall_back_to_runs();
  open_.push({time, name, record});
}

void TrackWriter::reach(std::int64_t time) {
  last_time_ = std::max(last_time_, time);
}

void TrackWriter::end_other(std::int64_t time, StringId name, RecordOffset record,
                            RecordOffset end_record, std::uint8_t flags) {
  if (pass_ == Pass::over) return;
  if (keeps_events_) {
    return keep({time, 0, record, end_record, name, ReplayedEvent::Kind::end, flags});
  }
  if (steps_back(time, record)) return;
  OpenSlices::Closed closed;
  if (!open_.close(name, closed)) {
    diagnostics_.count(diagnostic::kStrayEnd, static_cast<std::int64_t>(record));
    return;
  }
  if (!closed.was_innermost) fall_back_to_runs();
  Slice slice = slice_of(closed.slice.begin, time, closed.slice.name, closed.slice.record);
  if (leaves_out(slice)) return;
  slice.end_record = end_record;
  slice.flags = flags;
  unfinished_ends_ += (flags & kUnfinished) != 0 ? 1 : 0;
  if (strategy_ == NestingStrategy::stack) {
    rows_.append(open_.count(), slice);
  } else {
    runs_.add(slice);
  }
}

void TrackWriter::complete(std::int64_t time, std::int64_t duration, StringId name,
                           RecordOffset record, std::uint8_t flags, RecordOffset end_record) {
  if (pass_ == Pass::over) return;
  if (keeps_events_) {
    return keep({time, duration, record, end_record, name, ReplayedEvent::Kind::complete, flags});
  }
  ++event_count_;
  if (stepped_back_) return;
  Slice slice = slice_of(time, saturating_sum(time, duration), name, record);
  slice.flags = flags;
  slice.end_record = end_record;
  last_end_ns_ = std::max(last_end_ns_, slice.end_ns());
  if (leaves_out(slice)) return;
  unfinished_ends_ += (flags & kUnfinished) != 0 ? 1 : 0;
  if (strategy_ == NestingStrategy::none) strategy_ = NestingStrategy::sweep;
  if (strategy_ == NestingStrategy::sweep) {
    if (rows_.rows() == 0 || nests_before(last_complete_, slice)) {
      const Placement placement = sweep_.place(slice.begin_ns, slice.end_ns());
      if (!placement.overlapping) {
        rows_.append(placement.row, slice);
        last_complete_ = slice;
        return;
      }
    }
    fall_back_to_runs();  // how far it may stick out is known only at the end of the file
  } else if (strategy_ == NestingStrategy::stack) {
    fall_back_to_runs();
  }
  runs_.add(slice);
}

void TrackWriter::complete_unfinished(std::int64_t time, StringId name, RecordOffset record,
                                      std::uint8_t flags) {
  if (pass_ == Pass::over) return;
  if (keeps_events_) {
    return keep({time, 0, record, kNoRecord, name, ReplayedEvent::Kind::unfinished, flags});
  }
  ++event_count_;
  if (stepped_back_) return;
  fall_back_to_runs();
  const std::int64_t begin_ns = ns(time);
  last_end_ns_ = std::max(last_end_ns_, begin_ns);  // the thread goes on for at least as long
  if (!keeps(begin_ns, INT64_MAX)) {  // it lasts to the thread's end, wherever that is
    ++left_out_count_;
    return;
  }
  unfinished_.push_back(
      {begin_ns, 0, name, record, kNoRecord, static_cast<std::uint8_t>(flags | kUnfinished)});
}

void TrackWriter::fall_back_to_runs() {
  if (strategy_ == NestingStrategy::runs) return;
  strategy_ = NestingStrategy::runs;
  straight_ = false;
  for (SliceRow& row : rows_.take()) runs_.add_row(std::move(row));
}

void TrackWriter::begin_replay() {
  if (pass_ != Pass::first) return;
  straight_ = false;
  pass_ = needs_replay() ? Pass::replay : Pass::over;
  if (pass_ == Pass::over) return;
  keeps_events_ = true;
  diagnostics_.forget("stray_end");
  left_out_count_ = 0;
  last_end_ns_ = INT64_MIN;
}

std::int64_t TrackWriter::end_ns() const {
  return last_time_ == INT64_MIN ? last_end_ns_ : std::max(last_end_ns_, ns(last_time_));
}

NestedRows TrackWriter::nest(std::int64_t tolerance_ns, bool consume,
                             const std::atomic<bool>* cancelled) {
  const bool all_came = consume || pass_ != Pass::first;
  if (keeps_events_ && all_came) {
    return nest_replayed(scale_ == nullptr ? tolerance_ns : 0, consume, cancelled);
  }
  NestedRows out;
  if (stepped_back_ || keeps_events_) return out;
  const std::int64_t end = end_ns();
  // Closes what is still open: outermost first, each on its own row.
  std::vector<Slice> open;
  for (const OpenSlice& slice : open_.all()) {
    const std::int64_t begin_ns = ns(slice.begin);
    if (!keeps(begin_ns, end)) {
      left_out_count_ += consume ? 1 : 0;
      continue;
    }
    open.push_back({begin_ns, std::max<std::int64_t>(0, saturating_difference(end, begin_ns)),
                    slice.name, slice.record, kNoRecord, kUnfinished});
  }
  out.unfinished_count = open.size() + unfinished_.size() + unfinished_ends_;

  if (strategy_ != NestingStrategy::runs) {
    RowWriter rows = consume ? std::move(rows_) : rows_;
    for (std::size_t i = 0; i < open.size(); ++i) {
      rows.append(static_cast<std::uint32_t>(i), open[i]);
    }
    out.rows = rows.take();
    out.depth = static_cast<std::uint32_t>(out.rows.size());
  } else {
    SliceRuns runs = consume ? std::move(runs_) : runs_;
    for (Slice slice : unfinished_) {
      slice.duration_ns = std::max<std::int64_t>(0, saturating_difference(end, slice.begin_ns));
      runs.add(slice);
    }
    for (const Slice& slice : open) runs.add(slice);
    NestingSweep sweep(tolerance_ns);
    RowWriter rows(*names_);
    CoveredTime covered(*names_);
    out.tolerance_ns = tolerance_ns;
    std::move(runs).merge([&](const Slice& slice) {
      const Placement placement = sweep.place(slice.begin_ns, slice.end_ns());
      out.depth = std::max(out.depth, placement.depth + 1);
      covered.add(slice.begin_ns, slice.end_ns(), placement.overlapping);
      if (!placement.overlapping) {
        rows.append(placement.row, slice);
        return !is_set(cancelled);
      }
      Slice marked = slice;
      marked.flags |= kOverlapping;
      ++out.overlapping_count;
      rows.append(placement.row, marked);
      return !is_set(cancelled);
    });
    out.rows = rows.take();
    if (!out.rows.empty()) out.covered = covered.take(out.rows.front());
  }
  for (const SliceRow& row : out.rows) out.slice_count += row.count();
  return out;
}

// B/E are paired in order of time, those of equal time in order of the file; then all is nested by
// the format's own keys, and only what goes to the rows is turned into nanoseconds.
NestedRows TrackWriter::nest_replayed(std::int64_t tolerance, bool consume,
                                      const std::atomic<bool>* cancelled) {
  using Kind = ReplayedEvent::Kind;
  struct Keyed {
    std::int64_t begin, end;
    RecordOffset record, end_record;
    StringId name;
    std::uint8_t flags;
    bool is_open = false;  // whatever begins when the thread ends lies in it
  };
  std::vector<ReplayedEvent> events = consume ? std::move(replayed_) : replayed_;
  std::vector<Keyed> slices;
  std::int64_t last = INT64_MIN;
  for (const ReplayedEvent& event : events) {
    last = std::max(last, saturating_sum(event.time, event.duration));
    if (event.kind == Kind::complete) {
      slices.push_back({event.time, saturating_sum(event.time, event.duration), event.record,
                        event.end_record, event.name, event.flags});
    }
  }
  for (const ReplayedEvent& event : events) {
    if (event.kind == Kind::unfinished) {
      slices.push_back({event.time, std::max(last, event.time), event.record, kNoRecord, event.name,
                        static_cast<std::uint8_t>(event.flags | kUnfinished)});
    }
  }
  std::erase_if(
      events, [](const ReplayedEvent& e) { return e.kind != Kind::begin && e.kind != Kind::end; });
  std::stable_sort(events.begin(), events.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  OpenSlices open;
  OpenSlices::Closed closed;
  Diagnostics strays;
  for (const ReplayedEvent& event : events) {
    if (event.kind == Kind::begin) {
      open.push({event.time, event.name, event.record});
    } else if (open.close(event.name, closed)) {
      slices.push_back({closed.slice.begin, event.time, closed.slice.record, event.end_record,
                        closed.slice.name, event.flags});
    } else {
      strays.count(diagnostic::kStrayEnd, static_cast<std::int64_t>(event.record));
    }
  }
  for (const OpenSlice& slice : open.all()) {
    slices.push_back({slice.begin, last, slice.record, kNoRecord, slice.name, kUnfinished, true});
  }
  release(events);
  if (consume) diagnostics_.merge(strays);

  std::sort(slices.begin(), slices.end(), [](const Keyed& a, const Keyed& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return a.end != b.end ? a.end > b.end : a.record < b.record;
  });
  NestedRows out;
  NestingSweep sweep(tolerance);
  RowWriter rows(*names_);
  CoveredTime covered(*names_);
  out.tolerance_ns = tolerance;
  for (const Keyed& keyed : slices) {
    if (is_set(cancelled)) break;
    Slice slice = slice_of(keyed.begin, keyed.end, keyed.name, keyed.record);
    if (!keeps(slice.begin_ns, slice.end_ns())) {
      left_out_count_ += consume ? 1 : 0;
      continue;
    }
    const Placement placement =
        sweep.place(keyed.begin, saturating_sum(keyed.end, keyed.is_open ? 1 : 0));
    slice.end_record = keyed.end_record;
    slice.flags = keyed.flags;
    if (placement.overlapping) slice.flags |= kOverlapping;
    out.depth = std::max(out.depth, placement.depth + 1);
    covered.add(slice.begin_ns, slice.end_ns(), placement.overlapping);
    out.overlapping_count += placement.overlapping ? 1 : 0;
    out.unfinished_count += (keyed.flags & kUnfinished) != 0 ? 1 : 0;
    rows.append(placement.row, slice);
  }
  out.rows = rows.take();
  if (!out.rows.empty()) out.covered = covered.take(out.rows.front());
  for (const SliceRow& row : out.rows) out.slice_count += row.count();
  return out;
}

}  // namespace cinderscope
