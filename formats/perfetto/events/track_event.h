// A TrackEvent as it is written, as far as loading needs it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cinderscope::perfetto {

enum : std::uint64_t { kNoType, kSliceBegin, kSliceEnd, kInstant, kCounter, kState };

struct LegacyEvent {
  char phase = 0;
  std::uint64_t name_iid = 0;
  bool has_duration = false, has_id = false, has_bind_id = false, has_pid = false, has_tid = false;
  std::int64_t duration_us = 0;
  enum class IdKind : std::uint8_t { unscoped, local, global };
  IdKind id_kind = IdKind::unscoped;
  std::uint64_t id = 0, bind_id = 0;
  std::uint64_t flow_direction = 0;  // 1 in, 2 out, 3 both
  bool bind_to_enclosing = false;
  std::string_view id_scope;
  std::uint64_t instant_scope = 0;  // 1 global, 2 process
  std::int64_t pid = 0, tid = 0;    // overrides
};

struct CounterNumber {
  std::int64_t integer = 0;
  double real = 0;
  bool is_real = false;
};

struct TrackEvent {
  std::uint64_t type = kNoType;
  bool has_uuid = false;
  std::uint64_t uuid = 0;
  std::uint64_t name_iid = 0;
  bool has_name = false;
  std::string_view name;
  bool has_args = false;  // annotations, or anything else that details show
  bool has_legacy = false, has_value = false;
  bool has_delta_us = false, has_absolute_us = false;
  bool has_thread_time = false, has_instructions = false;
  bool is_thread_time_delta = false;
  std::int64_t time_us = 0, thread_time_us = 0;
  CounterNumber value;
  LegacyEvent legacy;
  std::vector<std::uint64_t> flows, ending_flows;
  std::vector<std::uint64_t> extra_tracks, extra_real_tracks;
  std::vector<CounterNumber> extra_values, extra_reals;
  // By read_labels() alone: few events need them while a trace is loaded.
  std::vector<std::uint64_t> category_iids;
  std::vector<std::string_view> categories, annotations;
};

// Fills `event` anew, which keeps its memory; false where the bytes are no fields.
bool read_track_event(std::string_view body, TrackEvent& event);
// Categories and annotations.
void read_labels(std::string_view body, TrackEvent& event);

}  // namespace cinderscope::perfetto
