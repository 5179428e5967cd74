#include "formats/perfetto/state/sequence.h"

#include <algorithm>

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {

PacketDefaults read_defaults(std::string_view body) {
  PacketDefaults out;
  FieldReader field(body);
  while (field.next()) {
    if (field.key() == number_field(58)) out.clock = field.number();
    if (field.key() != bytes_field(11)) continue;
    FieldReader part(field.bytes());
    while (part.next()) {
      switch (part.key()) {
        case number_field(11):
          out.has_uuid = true;
          out.uuid = part.number();
          break;
        case number_field(31):
        case bytes_field(31):
          each_number(part, [&](std::uint64_t uuid) { out.extra_tracks.push_back(uuid); });
          break;
        case number_field(45):
        case bytes_field(45):
          each_number(part, [&](std::uint64_t uuid) { out.extra_real_tracks.push_back(uuid); });
          break;
        default:
          break;
      }
    }
  }
  return out;
}

bool InternedNames::add(std::uint64_t iid, StringId name) {
  if (find(iid) != kNoName) return false;
  if (iid >= table_room(dense_count_)) {
    wide_.emplace(iid, name);
    return true;
  }
  if (iid >= dense_.size()) dense_.resize(iid + 1, kNoName);
  dense_[iid] = name;
  ++dense_count_;
  return true;
}

void InternedNames::clear() {
  dense_.clear();
  dense_count_ = 0;
  wide_.clear();
}

void Sequence::begin_epoch(std::uint64_t address) {
  // One that has no entries goes on: nothing before this packet can find any of those that come.
  if (epochs.empty() || !epochs.back().places.empty()) {
    if (!epochs.empty()) epochs.back().places.close();
    epochs.push_back({.begin = address, .places = {}, .defaults_at = {}});
  } else if (!epochs.back().defaults_at.empty()) {
    epochs.back().defaults_at.push_back(address);
  }
  names.clear();
  categories.clear();
  annotation_names.clear();
  defaults = {};
  defaults_body.clear();
  sums.clear();
  stacks.clear();
  frames.clear();
  has_base = false;
  valid = true;
  last_lane = kNone;
}

bool Sequence::use_defaults(std::string_view body, std::uint64_t address) {
  if (!defaults_body.empty() && body == defaults_body) return false;
  defaults = read_defaults(body);
  defaults_body = body;
  last_lane = kNone;
  if (epochs.empty()) return true;
  std::vector<std::uint64_t>& at = epochs.back().defaults_at;
  if (at.empty() || at.back() != address) at.push_back(address);
  return true;
}

void Sequence::lose() {
  valid = false;
  sums.clear();
  has_base = false;
}

void Sequence::set_clocks(const ClockSnapshot& snapshot) {
  for (const ClockReading& reading : snapshot.readings) {
    if (!is_sequence_clock(reading.clock)) continue;
    const auto found = std::find_if(clocks.begin(), clocks.end(), [&](const OwnClock& own) {
      return own.clock == reading.clock;
    });
    OwnClock& own = found == clocks.end() ? clocks.emplace_back() : *found;
    own = {reading.clock, reading.unit_ns, reading.incremental, reading.ns};
  }
}

}  // namespace cinderscope::perfetto
