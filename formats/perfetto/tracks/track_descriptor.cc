#include "formats/perfetto/tracks/track_descriptor.h"

#include <algorithm>

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {
namespace {

CounterDescription read_counter_description(std::string_view body) {
  CounterDescription out;
  FieldReader field(body);
  while (field.next()) {
    switch (field.key()) {
      case number_field(1):
        out.type = field.number();
        break;
      case number_field(3):
        out.unit = field.number();
        break;
      case number_field(4):
        out.unit_multiplier = std::max<std::int64_t>(field.signed_number(), 1);
        break;
      case number_field(5):
        out.incremental = field.number() != 0;
        break;
      case bytes_field(6):
        out.unit_name = field.bytes();
        break;
      default:
        break;
    }
  }
  return out;
}

std::uint64_t chrome_type_in(std::string_view body) {
  std::uint64_t type = 0;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == number_field(1)) type = field.number();
  }
  return type;
}

}  // namespace

ProcessDescription read_process_description(std::string_view body) {
  ProcessDescription out;
  FieldReader field(body);
  while (field.next()) {
    switch (field.key()) {
      case number_field(1):
        out.has_pid = true;
        out.pid = static_cast<std::int32_t>(field.number());
        break;
      case bytes_field(2):
        if (out.first_argument.empty()) out.first_argument = field.bytes();
        break;
      case number_field(4):
        out.chrome_type = field.number();
        break;
      case bytes_field(6):
        out.name = field.bytes();
        break;
      case bytes_field(8):
        if (!out.labels.empty()) out.labels += ", ";
        out.labels += field.bytes();
        break;
      default:
        break;
    }
  }
  return out;
}

ThreadDescription read_thread_description(std::string_view body) {
  ThreadDescription out;
  FieldReader field(body);
  while (field.next()) {
    switch (field.key()) {
      case number_field(1):
        out.has_pid = true;
        out.pid = static_cast<std::int32_t>(field.number());
        break;
      case number_field(2):
        out.has_tid = true;
        out.tid = field.signed_number();
        break;
      case number_field(4):
        out.chrome_type = field.number();
        break;
      case bytes_field(5):
        out.name = field.bytes();
        break;
      case number_field(6):
        out.reference_us = field.signed_number();
        break;
      default:
        break;
    }
  }
  return out;
}

bool read_descriptor(std::string_view body, TrackDescriptor& out) {
  std::uint64_t chrome_process = 0, chrome_thread = 0;
  bool has_chrome_process = false;
  FieldReader field(body);
  while (field.next()) {
    switch (field.key()) {
      case number_field(1):
        out.has_uuid = true;
        out.uuid = field.number();
        break;
      case number_field(5):
        out.parent = field.number();
        break;
      case bytes_field(2):
      case bytes_field(10):
      case bytes_field(13):
        if (out.name.empty()) out.name = field.bytes();
        break;
      case bytes_field(3):
        out.process = read_process_description(field.bytes());
        break;
      case bytes_field(4):
        out.thread = read_thread_description(field.bytes());
        break;
      case bytes_field(6):
        chrome_process = chrome_type_in(field.bytes());
        has_chrome_process = true;
        break;
      case bytes_field(7):
        chrome_thread = chrome_type_in(field.bytes());
        break;
      case bytes_field(8):
        out.counter = read_counter_description(field.bytes());
        break;
      case bytes_field(18):
        out.is_state = true;
        break;
      case number_field(11):
        out.ordering = field.number();
        break;
      case number_field(12):
        out.rank = static_cast<std::int32_t>(field.number());
        break;
      case number_field(15):
        out.merging = field.number();
        break;
      case bytes_field(16):
        out.merge_key = field.bytes();
        break;
      case number_field(17):
        out.merge_key = std::to_string(field.number());
        break;
      case number_field(19):
        out.ranks_processes = field.number() == 1;
        break;
      case number_field(20):
        out.ranks_threads = field.number() == 1;
        break;
      default:
        break;
    }
  }
  if (out.process && has_chrome_process) out.process->chrome_type = chrome_process;
  if (out.thread && chrome_thread != 0) out.thread->chrome_type = chrome_thread;
  return !field.damaged();
}

}  // namespace cinderscope::perfetto
