// The phases of the older event format, within track events.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "formats/perfetto/events/packet_decoder.h"
#include "formats/perfetto/perfetto_wire.h"
#include "formats/perfetto/text/annotation_values.h"
#include "formats/perfetto/wire/fields.h"
#include "ingest/base/saturating.h"

namespace cinderscope::perfetto {

namespace {

// Text, or a number as text.
std::string fact_text(std::string_view annotation) {
  std::string text = annotation_text(annotation);
  if (!text.empty()) return text;
  const std::optional<double> number = annotation_number(annotation);
  return number ? fmt::format("{}", *number) : text;
}

}  // namespace

void PacketDecoder::take_legacy(const TrackEvent& event, std::uint32_t lane, std::int64_t time_ns,
                                Sequence& sequence, const Packet& packet) {
  const std::uint64_t address = packet.address;
  const LegacyEvent& legacy = event.legacy;
  ++batch_.phase_counts[static_cast<unsigned char>(legacy.phase)];
  const auto name = [&] { return name_of(event, sequence, address); };
  switch (legacy.phase) {
    case 'B':
      put(EventKind::begin, lane, time_ns, 0, name(), false, address);
      return put_flows(event, FlowEvent::At::begin, lane, time_ns, address);
    case 'E': {
      const StringId told = name();
      put(EventKind::end, lane, time_ns, 0, told == kEmptyString ? kNoName : told, event.has_args,
          address);
      return put_flows(event, FlowEvent::At::end, lane, time_ns, address);
    }
    case 'X': {
      std::int64_t duration_us = legacy.duration_us;
      if (legacy.has_duration && duration_us < 0) {
        count(diagnostic::kNegativeDuration, address);
        duration_us = 0;
      }
      constexpr std::int64_t kMostUs = kMaxTimeNs / 1000;
      const std::int64_t duration_ns = std::min(duration_us, kMostUs) * 1000;
      put(legacy.has_duration ? EventKind::complete : EventKind::unfinished, lane, time_ns,
          duration_ns, name(), false, address);
      return put_flows(event, FlowEvent::At::begin, lane, time_ns, address);
    }
    case 'i':
    case 'I':
    case 'R': {
      const std::uint32_t on = lane_of_scope(legacy.instant_scope, lane);
      put(EventKind::instant, on, time_ns, 0, name(), false, address);
      return put_flows(event, FlowEvent::At::instant, lane, time_ns, address);
    }
    case 'b':
    case 'n':
    case 'e':
    case 'S':
    case 'T':
    case 'p':
    case 'F':
      return put_group_event(event, lane, time_ns, sequence, address);
    case 's':
    case 't':
    case 'f':
      return put_legacy_flow(event, lane, time_ns, sequence, address);
    case 'C':
      return put_legacy_counter(event, lane, time_ns, sequence, address);
    case 'P':
      return put_profile(event, lane, time_ns, sequence, address);
    case 'M':
      return take_metadata(event, lane, sequence, address);
    case 'O':
    case 'N':
    case 'D':
    case '(':
    case ')':
    case 'v':
    case 'V':
    case 'c':
      return;  // only counted
    default:
      count(kUntypedEvent, address);
  }
}

// Instants may belong to a whole process, or to all of them.
std::uint32_t PacketDecoder::lane_of_scope(std::uint64_t scope, std::uint32_t lane) {
  if ((scope != 1 && scope != 2) || kind_of(lane) != LaneKind::thread) return lane;
  const std::uint32_t process = scope == 2 ? process_of_lane(lane) : kNone;
  return trace_->lanes->find_or_add(fmt::format("i{}", process), [&] {
    return Lane{.process = process, .heading = scope == 2 ? "Process instants" : "Global instants"};
  });
}

std::uint32_t PacketDecoder::thread_of_lane(std::uint32_t lane, std::uint64_t address) {
  const Lane& on = trace_->lanes->at(lane);
  if (on.thread != kNone) return on.thread;
  const std::uint32_t process =
      on.process != kNone ? on.process : trace_->owners->global_process(address);
  return trace_->owners->thread_without_id(process, address);
}

std::uint32_t PacketDecoder::process_of_lane(std::uint32_t lane) const {
  const Lane& on = trace_->lanes->at(lane);
  return on.thread != kNone ? trace_->owners->process_of_thread(on.thread) : on.process;
}

// b n e and S T p F: two families of operations, each with ids of its own.
void PacketDecoder::put_group_event(const TrackEvent& event, std::uint32_t lane,
                                    std::int64_t time_ns, Sequence& sequence,
                                    std::uint64_t address) {
  const LegacyEvent& legacy = event.legacy;
  if (!legacy.has_id) return count(kBadAsyncId, address);
  const bool old =
      legacy.phase == 'S' || legacy.phase == 'T' || legacy.phase == 'p' || legacy.phase == 'F';
  const StringId name = name_of(event, sequence, address);
  const std::uint32_t process = process_of_lane(lane);
  const bool local = legacy.id_kind == LegacyEvent::IdKind::local;
  // The last part may hold any bytes.
  std::string key = fmt::format("{}{}:{:x}:", old ? 'S' : 'b',
                                local ? fmt::format("{}", process) : "", legacy.id);
  if (legacy.id_scope.empty()) {
    key += old ? trace_->strings->text(name) : std::string_view(categories_of(event, sequence));
  } else {
    key += categories_of(event, sequence);
    key += '\0';
    key += legacy.id_scope;
  }
  const std::uint32_t group = trace_->lanes->find_or_add(key, [&] {
    return Lane{.kind = old ? LaneKind::old_group : LaneKind::async, .process = process};
  });
  EventKind kind = EventKind::begin;
  StringId called = name;
  switch (legacy.phase) {
    case 'b':
    case 'S':
      break;
    case 'e':
    case 'F':
      kind = EventKind::end;
      if (called == kEmptyString) called = kNoName;
      break;
    default:
      kind = EventKind::step;
      ++batch_.async_steps;
      if (!event.annotations.empty()) {
        const std::string step = annotation_text(event.annotations.front());
        if (legacy.phase != 'n' && !step.empty()) called = trace_->strings->intern(step);
      }
  }
  put_async({time_ns, 0, address, group, called, kind, event.has_args});
  put_flows(event,
            kind == EventKind::begin ? FlowEvent::At::begin
            : kind == EventKind::end ? FlowEvent::At::end
                                     : FlowEvent::At::instant,
            group, time_ns, address);
}

void PacketDecoder::put_legacy_flow(const TrackEvent& event, std::uint32_t lane,
                                    std::int64_t time_ns, Sequence& sequence,
                                    std::uint64_t address) {
  const LegacyEvent& legacy = event.legacy;
  if (!legacy.has_id) return count(kBadAsyncId, address);
  const StringId name = name_of(event, sequence, address);
  const std::uint32_t process = process_of_lane(lane);
  const bool local = legacy.id_kind == LegacyEvent::IdKind::local;
  std::string key =
      fmt::format("s{}:{:x}:{}:", local ? fmt::format("{}", process) : "", legacy.id, index(name));
  key += categories_of(event, sequence);
  key += '\0';
  key += legacy.id_scope;
  const std::uint32_t flow =
      trace_->lanes->find_or_add(key, [] { return Lane{.kind = LaneKind::flow}; });
  const bool to_next = legacy.phase == 'f' && !legacy.bind_to_enclosing;
  FlowEvent event_of_flow{.time_ns = time_ns, .id = flow, .lane = lane, .name = name};
  event_of_flow.record = address & FlowEvent::kRecordMask;
  event_of_flow.kind = FlowEvent::Kind::legacy;
  event_of_flow.at = to_next ? FlowEvent::At::next : FlowEvent::At::enclosing;
  event_of_flow.starts = legacy.phase == 's' ? 1 : 0;
  event_of_flow.ends = legacy.phase == 'f' ? 1 : 0;
  batch_.flows.push_back(event_of_flow);
}

// A counter for each annotation that is a number.
void PacketDecoder::put_legacy_counter(const TrackEvent& event, std::uint32_t lane,
                                       std::int64_t time_ns, Sequence& sequence,
                                       std::uint64_t address) {
  const std::string name(trace_->strings->text(name_of(event, sequence, address)));
  const std::uint32_t process = process_of_lane(lane);
  bool any = false;
  for (const std::string_view annotation : event.annotations) {
    const std::optional<double> value = annotation_number(annotation);
    if (!value) continue;
    any = true;
    const std::string part = annotation_name(annotation, sequence);
    const std::string heading =
        part.empty() || part == "value" ? name : fmt::format("{}: {}", name, part);
    const std::uint32_t counter = trace_->lanes->find_or_add(
        fmt::format("C{}:{}", process, heading),
        [&] { return Lane{.kind = LaneKind::counter, .process = process, .heading = heading}; });
    batch_.counters.push_back({time_ns, address, *value, counter});
  }
  if (!any) count(kBadCounter, address);
}

void PacketDecoder::take_metadata(const TrackEvent& event, std::uint32_t lane, Sequence& sequence,
                                  std::uint64_t address) {
  const std::string name(trace_->strings->text(name_of(event, sequence, address)));
  const std::string text =
      event.annotations.empty() ? "" : annotation_text(event.annotations.front());
  if (name == "thread_name") {
    trace_->owners->name_thread(thread_of_lane(lane, address), kTypeThreadName, address, text);
  } else if (name == "process_name") {
    const std::uint32_t process = process_of_lane(lane);
    if (process != kNone) {
      trace_->owners->name_process(process, kDescribedProcessName, address, text);
    }
  } else if (!event.annotations.empty()) {
    const std::string fact = fact_text(event.annotations.front());
    if (!fact.empty()) batch_.notes.try_emplace(name, fact);
  }
}

void PacketDecoder::put_profile(const TrackEvent& event, std::uint32_t lane, std::int64_t time_ns,
                                Sequence& sequence, std::uint64_t address) {
  // It is called "data"; of several texts any other is not it.
  const auto named = std::ranges::find_if(event.annotations, [&](std::string_view annotation) {
    return annotation_name(annotation, sequence) == "data";
  });
  for (auto each = named == event.annotations.end() ? event.annotations.begin() : named;
       each != event.annotations.end(); ++each) {
    std::string data = annotation_text(*each);
    if (data.empty()) continue;
    const auto shown = shown_time(kMonotonicClock, time_ns, sequence, address);
    batch_.profiles.push_back({.record = address,
                               .thread = thread_of_lane(lane, address),
                               .time_ns = time_ns,
                               .monotonic_add_ns = shown ? *shown - time_ns : 0,
                               .id = event.legacy.has_id ? event.legacy.id : 0,
                               .data = std::move(data),
                               .name = name_of(event, sequence, address)});
    return;
  }
}

std::string PacketDecoder::annotation_name(std::string_view annotation,
                                           const Sequence& sequence) const {
  FieldReader field(annotation);
  std::uint64_t iid = 0;
  while (field.next()) {
    if (field.key() == bytes_field(10)) return std::string(field.bytes());
    if (field.key() == number_field(1)) iid = field.number();
  }
  const StringId name = sequence.annotation_names.find(iid);
  if (name != kNoName) return std::string(trace_->strings->text(name));
  return iid == 0 ? std::string() : fmt::format("#{}", iid);
}

}  // namespace cinderscope::perfetto
