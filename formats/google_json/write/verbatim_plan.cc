#include "formats/google_json/write/verbatim_plan.h"

#include <algorithm>

#include "formats/google_json/events/operation_id.h"
#include "formats/google_json/write/event_text.h"
#include "formats/google_json/write/sample_text.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"
#include "ingest/model/call_walk.h"

namespace cinderscope::google_json {
namespace {

using Kind = VerbatimPlan::Change::Kind;

std::string_view text_of(const RawEvent& event, Key key, const char* bytes) {
  if (!event.has(key)) return {};
  return {bytes + event[key].begin, event[key].end - event[key].begin};
}

// Nanoseconds of a raw number, or of a text that holds one. 64 bytes behind it are readable.
std::optional<std::int64_t> ns_of(std::string_view value) {
  if (value.empty()) return std::nullopt;
  DecimalTime usual;
  if (usual_time(value, usual)) return usual.ns;
  const auto time =
      time_from_decimal(json::is_string(value) ? json::text_of(value) : std::string(value));
  if (!time) return std::nullopt;
  return time->ns;
}

class Keep final : public PartVisitor {
 public:
  explicit Keep(std::vector<RecordOffset>& kept) : kept_(kept) {}
  void slice(const PartSlice& slice) override {
    if (slice.record != kNoRecord) kept_.push_back(slice.record);
    if (slice.end_record != kNoRecord) kept_.push_back(slice.end_record);
  }
  void instant(const PartInstant& instant) override {
    if (instant.record != kNoRecord) kept_.push_back(instant.record);
  }

 private:
  std::vector<RecordOffset>& kept_;
};

}  // namespace

VerbatimPlan::VerbatimPlan(PartReader& part, const GoogleJsonSource& source)
    : options_(part.options()),
      source_(&source),
      clock_(source.clock()),
      shift_(part.shift_ns()),
      all_threads_(part.options().tracks.empty()) {
  const Timeline& timeline = part.timeline();
  picks_ = !all_threads_ || options_.depth > 0 || options_.min_duration > 0 ||
           options_.edges == RangeEdges::drop;
  for (const PartTrack& track : part.tracks()) {
    const std::string pid(part.processes()[track.process].pid);
    processes_.insert(pid);
    if (track.has_thread) threads_.insert(pid + '\n' + std::string(track.tid));
    if (track.id == kNoTrack) continue;
    const Track& of = timeline.tracks[index(track.id)];
    if (of.kind == TrackKind::counter || of.kind == TrackKind::samples) continue;
    if (options_.has_range()) plan_track(track, of);
    if (!picks_) continue;
    Keep keep(kept_);
    const Result<bool> whole = part.read(track, keep);
    if (!whole) error_ = whole.error();
    if (whole && !*whole) error_ = Error{ErrorCode::cancelled, "Writing was cancelled.", {}};
    if (error_) return;
  }
  std::ranges::sort(kept_);
  std::ranges::sort(changes_, {}, &Change::record);
  points_ = part.flow_times();
  for (std::uint64_t i = 0; i < timeline.flows->points.size(); ++i) {
    all_points_.push_back(flow_point(timeline, i).time_ns);
  }
  std::ranges::sort(all_points_);
  const auto name_of = [&](const Thread& thread) {
    const std::string_view pid = timeline.text(timeline.processes[index(thread.process)].pid);
    return std::string(pid) + '\n' + std::string(timeline.text(thread.tid));
  };
  if (!all_threads_) {
    for (const Thread& thread : timeline.threads) {
      thread_of_tid_.try_emplace(timeline.text(thread.tid), name_of(thread));
    }
  }
  profiles_.emplace(source.profiles(), options_, [&](ThreadId thread) {
    return all_threads_ || threads_.contains(name_of(timeline.threads[index(thread)]));
  });
}

// As EventSink finds the thread of a sample.
bool VerbatimPlan::keeps_sample(std::string_view sample, std::optional<std::int64_t> time) const {
  if (time ? !is_in(*time) : options_.has_range()) return false;
  if (all_threads_) return true;
  const std::string tid = id_text(json::member(sample, "tid"));
  const std::string_view pid = json::member(sample, "pid");
  const auto known = thread_of_tid_.find(tid);
  if (pid.empty() && known != thread_of_tid_.end()) return threads_.contains(known->second);
  return threads_.contains(id_text(pid) + '\n' + tid);
}

std::string VerbatimPlan::time_text(std::int64_t time) const {
  return length_text(saturating_difference(time, base()));
}

std::string VerbatimPlan::length_text(std::int64_t length) const {
  std::string text;
  append_time(text, length, clock_.are_events);
  return text;
}

void VerbatimPlan::plan_track(const PartTrack& track, const Track& of) {
  if (of.blocks.empty()) return;
  const bool async = track.kind == TrackKind::async || track.kind == TrackKind::lifetimes;
  for (const SliceRow& row : of.root().rows) plan_edges(row, async);
}

// Those that overlap the range and stick out of it, and those whose begin or end, taken by itself,
// would seem to lie in it.
void VerbatimPlan::plan_edges(const SliceRow& row, bool async) {
  const std::uint64_t count = row.count();
  const auto plan_around = [&](std::int64_t time) {
    if (time == INT64_MIN || time == INT64_MAX) return;
    std::uint64_t first = row.lower_bound(time);
    // The last ones before, and those without length at the time itself.
    constexpr std::uint64_t kBefore = 2;
    const std::uint64_t from = first > kBefore ? first - kBefore : 0;
    while (first < count && row.begin_ns(first) == time) ++first;
    for (std::uint64_t i = from; i < first; ++i) plan_slice(row.slice(i), async);
  };
  plan_around(options_.from);
  plan_around(options_.to);
}

void VerbatimPlan::plan_slice(const Slice& slice, bool async) {
  const std::int64_t begin = slice.begin_ns, end = slice.end_ns();
  const bool inside = begin < options_.to && (end > options_.from || begin >= options_.from);
  const bool sticks_out = begin < options_.from || end > options_.to;
  const auto note = [&](RecordOffset record, Kind kind) {
    if (record == kNoRecord) return;
    changes_.push_back(
        {record, std::max(begin, options_.from), std::min(end, options_.to), begin, end, kind});
  };
  const bool unfinished = (slice.flags & kUnfinished) != 0;
  if (!inside || (sticks_out && options_.edges == RangeEdges::drop)) {
    note(slice.record, Kind::drop);
    note(slice.end_record, Kind::drop);
  } else if (sticks_out && options_.edges == RangeEdges::whole) {
    note(slice.record, Kind::keep);
    note(slice.end_record, Kind::keep);
  } else if (sticks_out && async) {
    note(slice.record, Kind::async_begin);
    note(slice.end_record, Kind::async_end);
  } else if (sticks_out && unfinished) {
    note(slice.record, Kind::unfinished);  // it only lasts to the end of what is written
  } else if (sticks_out) {
    note(slice.record, Kind::slice);
    note(slice.end_record, Kind::cut_end);
  }
}

const VerbatimPlan::Change* VerbatimPlan::change_of(RecordOffset record) const {
  const auto found = std::ranges::lower_bound(changes_, record, {}, &Change::record);
  return found != changes_.end() && found->record == record ? &*found : nullptr;
}

bool VerbatimPlan::is_kept(RecordOffset record) const {
  return std::ranges::binary_search(kept_, record);
}

VerbatimPlan::Fate VerbatimPlan::fate_of_slice(char phase, std::int64_t time, std::int64_t end,
                                               RecordOffset record) const {
  if (picks_) return is_kept(record) ? Fate::copied : Fate::left_out;
  const bool ends = phase == 'E' || phase == 'e' || phase == 'F' || phase == 'D';
  if (ends ? time >= options_.from && time <= options_.to
           : is_in(time) && (phase != 'X' || end <= options_.to)) {
    return Fate::copied;
  }
  return Fate::left_out;
}

bool VerbatimPlan::skips(const TraceLoader::EventWindow& window) const {
  if (!options_.has_range() || window.has_others) return false;
  const bool before = window.last_ns < options_.from, behind = window.first_ns >= options_.to;
  if (!behind && (!before || window.has_counters)) return false;
  // A begin may lie far before the range, an end far behind it.
  const auto change = std::ranges::lower_bound(changes_, window.begin, {}, &Change::record);
  if (change != changes_.end() && change->record < window.end) return false;
  const auto kept = std::ranges::lower_bound(kept_, window.begin);
  return kept == kept_.end() || *kept >= window.end;
}

// An event that has only samples, none of them kept, goes, unless it tells when the profile begins.
void VerbatimPlan::decide_profile(const RawEvent& event, const char* bytes,
                                  const ProfilePlan::Chunk& chunk, Decision& decision) const {
  const ProfilePlan::Part& part = profiles_->part(chunk);
  if (!part.is_written) return;
  const bool is_needed = chunk.kept > 0 || chunk.first == chunk.end ||
                         chunk.record == part.samples->record ||
                         tells_more_than_samples(text_of(event, Key::args, bytes));
  if (!is_needed) return;
  decision.fate = Fate::profile;
  decision.chunk = &chunk;
}

VerbatimPlan::Decision VerbatimPlan::decide(const RawEvent& event, const char* bytes,
                                            std::uint64_t offset) const {
  const std::string_view phase_text = text_of(event, Key::phase, bytes);
  Decision decision;
  const bool has_range = options_.has_range();
  if (phase_text.size() < 3 || phase_text[0] != '"') {
    decision.fate = has_range ? Fate::left_out : Fate::copied;
    return decision;
  }
  decision.phase = phase_text[1];
  const PhaseKind kind = phase_kind(decision.phase);
  const RecordOffset record = offset + event.begin;
  const auto of_thread = [&] {
    if (all_threads_) return true;
    const std::string pid = id_text(text_of(event, Key::pid, bytes));
    return threads_.contains(pid + '\n' + id_text(text_of(event, Key::tid, bytes)));
  };
  if (kind == PhaseKind::metadata) {
    const std::string pid = id_text(text_of(event, Key::pid, bytes));
    const bool of_process = text_of(event, Key::name, bytes).starts_with("\"process");
    const bool is_written =
        of_process ? processes_.contains(pid)
                   : threads_.contains(pid + '\n' + id_text(text_of(event, Key::tid, bytes)));
    const bool all = !has_range && all_threads_;
    decision.fate = all || is_written ? Fate::copied : Fate::left_out;
    return decision;
  }
  const auto ns = ns_of(text_of(event, Key::time, bytes));
  if (!ns) {
    decision.fate = has_range ? Fate::left_out : Fate::copied;
    return decision;
  }
  const std::int64_t time = decision.time = clock_.time(*ns);
  const auto by_time = [&](bool is_written) {
    return is_written && is_in(time) ? Fate::copied : Fate::left_out;
  };
  switch (kind) {
    case PhaseKind::slice:
    case PhaseKind::async:
    case PhaseKind::object: {
      const bool is_step = decision.phase == 'n' || decision.phase == 'T' ||
                           decision.phase == 'p' || decision.phase == 'O';
      if (kind == PhaseKind::slice && !of_thread()) break;
      if (is_step) {
        decision.fate = all_threads_      ? by_time(true)
                        : is_kept(record) ? Fate::copied
                                          : Fate::left_out;
        break;
      }
      if (const Change* change = change_of(record)) {
        decision.ends_cut = change->kind == Kind::cut_end;
        if (change->kind == Kind::drop || decision.ends_cut) break;
        if (picks_ && !is_kept(record)) break;
        const bool stays = change->kind == Kind::unfinished &&
                           change->begin == change->whole_begin && !event.has(Key::duration);
        decision.fate = change->kind == Kind::keep || stays ? Fate::copied : Fate::changed;
        decision.change = change;
        break;
      }
      const auto duration = ns_of(text_of(event, Key::duration, bytes));
      const std::int64_t end =
          saturating_sum(time, duration && *duration > 0 ? clock_.duration(*duration) : 0);
      decision.fate = fate_of_slice(decision.phase, time, end, record);
      break;
    }
    case PhaseKind::counter:
      decision.fate = all_threads_ && time < options_.from ? Fate::held : by_time(all_threads_);
      break;
    case PhaseKind::flow: {
      const bool kept = std::ranges::binary_search(points_, time);
      const bool of_arrow = kept || std::ranges::binary_search(all_points_, time);
      decision.fate = !is_in(time) || !of_thread() ? Fate::left_out
                      : kept                       ? Fate::copied
                      : of_arrow                   ? Fate::left_out  // counted with its arrow
                                                   : Fate::flow_alone;
      if (!has_range && all_threads_) decision.fate = Fate::copied;
      break;
    }
    case PhaseKind::instant:
      decision.fate = by_time(of_thread());
      decision.chunk = profiles_->chunk(record);
      if (decision.chunk != nullptr && decision.fate == Fate::copied) decision.fate = Fate::profile;
      break;
    case PhaseKind::sample:
      if (const ProfilePlan::Chunk* chunk = profiles_->chunk(record)) {
        decide_profile(event, bytes, *chunk, decision);
      } else {
        decision.fate = by_time(of_thread());
      }
      break;
    default:
      decision.fate = by_time(all_threads_);
  }
  return decision;
}

}  // namespace cinderscope::google_json
