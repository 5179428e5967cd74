#include "formats/google_json/event_reader.h"

#include <algorithm>

#include "formats/google_json/event_time.h"
#include "formats/google_json/events/operation_id.h"
#include "formats/google_json/google_json_wire.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"
#include "ingest/model/slice_chunk.h"

namespace cinderscope::google_json {
namespace {

bool has_members(std::string_view args) {
  return args.size() > 2 && args != "null";
}

// An instant whose args are a whole CPU profile.
bool is_profile(std::string_view name) {
  return name == "\"CpuProfile\"" ||
         (name.find('\\') != std::string_view::npos && json::text_of(name) == "CpuProfile");
}

// A missing or unknown scope means the thread.
char instant_phase(std::string_view scope) {
  if (scope == "\"g\"") return kGlobalInstant;
  return scope == "\"p\"" ? kProcessInstant : kThreadInstant;
}

}  // namespace

void EventReader::start(EventBatch& batch) {
  ids_.start(batch);
}

TextRange EventReader::range(const RawEvent& event, Key key) const {
  const std::string_view value = text(event, key);
  if (value.empty()) return {};
  const std::uint64_t begin = offset_ + event[key].begin;
  return {begin, begin + value.size()};
}

bool EventReader::read_time(const RawEvent& event, EventBatch& batch, std::int64_t& time_ns) {
  DecimalTime time;
  if (!time_of(text(event, Key::time), time)) {
    batch.diagnostics.count(diagnostic::kMissingTs, place(event));
    return false;
  }
  if (time.clamped) {
    batch.diagnostics.count(diagnostic::kClampedTs, place(event));
  }
  time_ns = time.ns;
  batch.decimals = std::max(batch.decimals, time.decimals);
  return true;
}

void EventReader::read_duration(const RawEvent& event, EventBatch& batch, SliceEvent& slice) {
  const std::string_view value = text(event, Key::duration);
  if (value.empty() || value == "null") {
    slice.unfinished = true;
    return;
  }
  DecimalTime duration;
  if (!time_of(value, duration)) {
    batch.diagnostics.count(diagnostic::kBadDuration, place(event));
    return;
  }
  batch.decimals = std::max(batch.decimals, duration.decimals);
  if (duration.ns < 0) {
    batch.diagnostics.count(diagnostic::kNegativeDur, place(event));
    return;
  }
  slice.duration_ns = std::min(duration.ns, saturating_difference(kMaxTimeNs, slice.begin_ns));
}

// A slice of which only a part was written: `"cut":{"ts":…,"dur":…}` is what it was. Of a B only
// the begin can be cut, and it has not ended.
void EventReader::read_cut(const RawEvent& event, EventBatch& batch, SliceEvent& slice) {
  const std::string_view cut = text(event, Key::cut);
  DecimalTime begin, duration;
  if (slice.phase == 'E' || !time_of(json::member(cut, "ts"), begin) ||
      !time_of(json::member(cut, "dur"), duration)) {
    return;
  }
  batch.decimals = std::max(batch.decimals, std::max(begin.decimals, duration.decimals));
  if (slice.phase == 'B') {
    slice.phase = 'X';
    slice.unfinished = true;
  }
  if (begin.ns < slice.begin_ns) slice.flags |= kCutBegin;
  const std::int64_t end_ns = saturating_sum(slice.begin_ns, slice.duration_ns);
  if (!slice.unfinished && saturating_sum(begin.ns, duration.ns) > end_ns) slice.flags |= kCutEnd;
}

void EventReader::read(const RawEvent& event, const char* bytes, std::uint64_t offset,
                       EventBatch& batch) {
  bytes_ = bytes;
  offset_ = offset;
  ++batch.element_count;
  if (event.present == 0 && event.end - event.begin <= 2) return;  // {}

  const std::string_view phase_text = text(event, Key::phase);
  if (phase_text.size() < 3 || phase_text[0] != '"') {
    batch.diagnostics.count(diagnostic::kMissingPhase, place(event));
    return;
  }
  const char phase = phase_text[1];
  ++batch.phased_count;
  ++batch.phase_counts[static_cast<unsigned char>(phase)];
  const PhaseKind kind = phase_kind(phase);
  if (kind == PhaseKind::unknown) {
    batch.diagnostics.count(diagnostic::kUnknownPhase, place(event));
    return;
  }
  if (kind == PhaseKind::ignored) return;
  std::int64_t time_ns = 0;
  if (kind == PhaseKind::metadata) {
    add_side(event, phase, 0, batch);
    return;
  }
  if (!read_time(event, batch, time_ns)) return;
  batch.end_ns = std::max(batch.end_ns, time_ns);
  batch.spans.back().add({time_ns, time_ns});
  switch (kind) {
    case PhaseKind::slice:
      return read_slice(event, phase, time_ns, batch);
    case PhaseKind::instant:
      return read_instant(event, time_ns, batch);
    case PhaseKind::async:
      return read_async(event, phase, time_ns, batch);
    case PhaseKind::object:
      return read_object(event, phase, time_ns, batch);
    case PhaseKind::flow:
      return read_flow(event, phase, time_ns, batch);
    case PhaseKind::counter:
      return read_counter(event, time_ns, batch);
    default:
      add_side(event, phase, time_ns, batch);
  }
}

void EventReader::read_slice(const RawEvent& event, char phase, std::int64_t time_ns,
                             EventBatch& batch) {
  const std::uint32_t name = name_of(event, batch);
  const std::uint32_t thread = thread_of(event, batch);
  // Made in place: a copy would have to wait for the writes before it.
  SliceEvent& slice = batch.slices.emplace_back();
  slice.begin_ns = time_ns;
  slice.record = offset_ + event.begin;
  slice.name = name;
  slice.thread = thread;
  slice.phase = phase;
  if (phase == 'X') read_duration(event, batch, slice);
  // This program notes there how long it went on, although it has not ended.
  DecimalTime lasts;
  if (phase == 'B' && event.has(Key::duration) && time_of(text(event, Key::duration), lasts)) {
    slice.duration_ns =
        std::clamp<std::int64_t>(lasts.ns, 0, saturating_difference(kMaxTimeNs, time_ns));
    slice.lasts = true;
  }
  if (event.has(Key::cut)) read_cut(event, batch, slice);
  if (phase == 'E' && event.has(Key::args)) slice.has_args = has_members(text(event, Key::args));
  if (phase == 'X') batch.end_ns = std::max(batch.end_ns, time_ns + slice.duration_ns);
  if (event.has(Key::bind_id)) read_bound(event, slice, batch);
}

void EventReader::read_instant(const RawEvent& event, std::int64_t time_ns, EventBatch& batch) {
  SliceEvent instant;
  instant.begin_ns = time_ns;
  instant.phase = instant_phase(text(event, Key::instant_scope));
  instant.record = offset_ + event.begin;
  instant.name = name_of(event, batch);
  instant.thread = thread_of(event, batch);
  batch.slices.push_back(instant);
  if (is_profile(text(event, Key::name))) add_side(event, 'I', time_ns, batch);
}

void EventReader::read_counter(const RawEvent& event, std::int64_t time_ns, EventBatch& batch) {
  CounterEvent counter;
  counter.time_ns = time_ns;
  counter.name = name_of(event, batch);
  counter.thread = thread_of(event, batch);
  counter.id_begin = static_cast<std::uint32_t>(batch.keys.size());
  counter.has_id = event.has(Key::id) || event.has(Key::id2);
  if (counter.has_id) {
    const std::string_view id = text(event, Key::id);
    batch.keys += id_text(id.empty() ? json::member(text(event, Key::id2), "local") : id);
  }
  counter.id_end = static_cast<std::uint32_t>(batch.keys.size());
  json::MemberReader series(text(event, Key::args));
  bool any = false;
  while (series.next()) {
    any = true;
    if (const std::optional<double> value = json::number_of(series.value())) {
      const std::string_view key = series.raw_key();
      batch.values.push_back({*value, ids_.name(key, offset_of(key), true, batch)});
      ++counter.value_count;
    } else {
      batch.diagnostics.count(diagnostic::kBadCounterValue, place(event));
    }
  }
  batch.counters.push_back(counter);
  if (!any) {
    batch.diagnostics.count(diagnostic::kEmptyCounter, place(event));
  }
}

// `value` is a raw value in the event's text.
std::uint32_t EventReader::name_from(std::string_view value, EventBatch& batch) {
  if (json::is_string(value)) {
    const std::string_view name = value.substr(1, value.size() - 2);
    return ids_.name(name, offset_of(name), true, batch);
  }
  if (value.empty() || value == "null" || json::is_object(value) || json::is_array(value)) {
    return kNone;
  }
  return ids_.name(value, offset_of(value), false, batch);
}

void EventReader::add_side(const RawEvent& event, char phase, std::int64_t time_ns,
                           EventBatch& batch) {
  SideEvent side;
  side.time_ns = time_ns;
  side.record = offset_ + event.begin;
  side.name = name_of(event, batch);
  side.thread = thread_of(event, batch);
  side.phase = phase;
  side.id = range(event, Key::id);
  side.id2 = range(event, Key::id2);
  side.scope = range(event, Key::scope);
  side.args = range(event, Key::args);
  side.stack_frame = range(event, Key::stack_frame);
  batch.side.push_back(side);
}

}  // namespace cinderscope::google_json
