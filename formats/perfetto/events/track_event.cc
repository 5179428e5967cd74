#include "formats/perfetto/events/track_event.h"

#include <algorithm>

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::uint64_t kNoPhase = 0x7f;  // what is no character is no phase

void clear_event(TrackEvent& event) {
  event.type = kNoType;
  event.has_uuid = event.has_name = event.has_args = event.has_legacy = event.has_value = false;
  event.has_delta_us = event.has_absolute_us = false;
  event.has_thread_time = event.has_instructions = false;
  event.uuid = event.name_iid = 0;
  event.flows.clear();
  event.ending_flows.clear();
  event.extra_tracks.clear();
  event.extra_real_tracks.clear();
  event.extra_values.clear();
  event.extra_reals.clear();
}

void read_legacy(std::string_view body, LegacyEvent& out) {
  out = {};
  FieldReader field(body);
  while (field.next()) {
    switch (field.key()) {
      case number_field(1):
        out.name_iid = field.number();
        break;
      case number_field(2):
        out.phase = static_cast<char>(std::min(field.number(), kNoPhase));
        break;
      case number_field(3):
        out.has_duration = true;
        out.duration_us = field.signed_number();
        break;
      case number_field(6):
        out.has_id = true;
        out.id_kind = LegacyEvent::IdKind::unscoped;
        out.id = field.number();
        break;
      case bytes_field(7):
        out.id_scope = field.bytes();
        break;
      case number_field(8):
        out.has_bind_id = true;
        out.bind_id = field.number();
        break;
      case number_field(10):
        out.has_id = true;
        out.id_kind = LegacyEvent::IdKind::local;
        out.id = field.number();
        break;
      case number_field(11):
        out.has_id = true;
        out.id_kind = LegacyEvent::IdKind::global;
        out.id = field.number();
        break;
      case number_field(12):
        out.bind_to_enclosing = field.number() != 0;
        break;
      case number_field(13):
        out.flow_direction = field.number();
        break;
      case number_field(14):
        out.instant_scope = field.number();
        break;
      case number_field(18):
        out.has_pid = true;
        out.pid = static_cast<std::int32_t>(field.number());
        break;
      case number_field(19):
        out.has_tid = true;
        out.tid = field.signed_number();
        break;
      default:
        break;
    }
  }
}

}  // namespace

bool read_track_event(std::string_view body, TrackEvent& event) {
  clear_event(event);
  std::vector<std::uint64_t> old_flows, old_ending;  // no memory until they are used
  bool has_flows = false, has_ending = false;
  FieldReader field(body);
  while (field.next()) {
    switch (field.key()) {
      case number_field(9):
        event.type = field.number();
        break;
      case number_field(10):
        event.name_iid = field.number();
        break;
      case number_field(11):
        event.has_uuid = true;
        event.uuid = field.number();
        break;
      case number_field(3):
      case bytes_field(3):
      case bytes_field(22):
        break;  // see read_labels()
      case bytes_field(6):
        read_legacy(field.bytes(), event.legacy);
        event.has_legacy = true;
        break;
      case bytes_field(23):
        event.name = field.bytes();
        event.has_name = true;
        break;
      case number_field(30):
        event.value = {.integer = field.signed_number()};
        event.has_value = true;
        break;
      case fixed64_field(44):
        event.value = {.real = field.as_double(), .is_real = true};
        event.has_value = true;
        break;
      case number_field(31):
      case bytes_field(31):
        each_number(field, [&](std::uint64_t uuid) { event.extra_tracks.push_back(uuid); });
        break;
      case number_field(12):
      case bytes_field(12):
        each_number(field, [&](std::uint64_t value) {
          event.extra_values.push_back({.integer = static_cast<std::int64_t>(value)});
        });
        break;
      case number_field(45):
      case bytes_field(45):
        each_number(field, [&](std::uint64_t uuid) { event.extra_real_tracks.push_back(uuid); });
        break;
      case fixed64_field(46):
      case bytes_field(46):
        each_fixed64(field, [&](std::uint64_t bits) {
          event.extra_reals.push_back({.real = std::bit_cast<double>(bits), .is_real = true});
        });
        break;
      case fixed64_field(47):
      case bytes_field(47):
        has_flows = true;
        each_fixed64(field, [&](std::uint64_t id) { event.flows.push_back(id); });
        break;
      case fixed64_field(48):
      case bytes_field(48):
        has_ending = true;
        each_fixed64(field, [&](std::uint64_t id) { event.ending_flows.push_back(id); });
        break;
      case number_field(36):
      case bytes_field(36):
        each_number(field, [&](std::uint64_t id) { old_flows.push_back(id); });
        break;
      case number_field(42):
      case bytes_field(42):
        each_number(field, [&](std::uint64_t id) { old_ending.push_back(id); });
        break;
      case number_field(1):
        event.has_delta_us = true;
        event.has_absolute_us = false;  // it is the one or the other: the last
        event.time_us = field.signed_number();
        break;
      case number_field(16):
        event.has_absolute_us = true;
        event.has_delta_us = false;
        event.time_us = field.signed_number();
        break;
      case number_field(2):
      case number_field(17):
        event.has_thread_time = true;
        event.is_thread_time_delta = field.key() == number_field(2);
        event.thread_time_us = field.signed_number();
        break;
      case number_field(8):
      case number_field(20):
        event.has_instructions = true;
        break;
      default:
        event.has_args = true;
    }
  }
  if (!has_flows && !old_flows.empty()) event.flows = std::move(old_flows);
  if (!has_ending && !old_ending.empty()) event.ending_flows = std::move(old_ending);
  return !field.damaged();
}

void read_labels(std::string_view body, TrackEvent& event) {
  event.category_iids.clear();
  event.categories.clear();
  event.annotations.clear();
  FieldReader field(body);
  while (field.next()) {
    switch (field.key()) {
      case number_field(3):
      case bytes_field(3):
        each_number(field, [&](std::uint64_t iid) { event.category_iids.push_back(iid); });
        break;
      case bytes_field(4):
        event.annotations.push_back(field.bytes());
        break;
      case bytes_field(22):
        event.categories.push_back(field.bytes());
        break;
      default:
        break;
    }
  }
}

}  // namespace cinderscope::perfetto
