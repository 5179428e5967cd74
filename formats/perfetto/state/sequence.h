// What the packets of one sequence build on each other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/perfetto/state/clocks.h"
#include "formats/perfetto/state/interned.h"
#include "formats/perfetto/tracks/owners.h"
#include "formats/perfetto/wire/packet.h"

namespace cinderscope::perfetto {

struct PacketDefaults {
  std::uint64_t clock = 0;
  bool has_uuid = false;
  std::uint64_t uuid = 0;
  std::vector<std::uint64_t> extra_tracks, extra_real_tracks;
  // All extra_tracks tell of a thread's time or instructions, which are only counted.
  bool extra_is_cpu = false;
};
PacketDefaults read_defaults(std::string_view body);

// Names by iid, as the pool has them. iids are small in what recorders write.
class InternedNames {
 public:
  // False if it has one already, which stays.
  bool add(std::uint64_t iid, StringId name);
  StringId find(std::uint64_t iid) const {  // kNoName: there is none
    if (iid < dense_.size() && dense_[iid] != kNoName) [[likely]]
      return dense_[iid];
    if (wide_.empty()) return kNoName;
    const auto found = wide_.find(iid);
    return found == wide_.end() ? kNoName : found->second;
  }
  void clear();
  std::size_t table_size() const { return dense_.size(); }

 private:
  std::vector<StringId> dense_;
  std::size_t dense_count_ = 0;  // of these that are there
  std::unordered_map<std::uint64_t, StringId> wide_;
};

struct Sequence {
  std::uint32_t id = 0;
  bool valid = false;
  bool seen = false;
  std::uint64_t packet_count = 0;
  // Packets that build on others that are missing.
  std::uint64_t unreadable_count = 0, first_unreadable = 0;
  PacketDefaults defaults;
  std::string defaults_body;  // that they were read from
  InternedNames names, categories, annotation_names;
  std::vector<Epoch> epochs;
  struct Sum {
    std::int64_t integer = 0;
    double real = 0;
  };
  std::unordered_map<std::uint64_t, Sum> sums;                      // of delta counters, by uuid
  std::unordered_map<std::uint64_t, std::uint32_t> stacks;          // numbers of callstacks, by iid
  std::unordered_map<std::uint64_t, std::vector<StringId>> frames;  // functions of frames, by iid
  std::uint64_t stack_room = 0;  // what stacks may still take, in functions or 8 bytes of a name
  bool has_base = false;
  std::int64_t base_us = 0;
  std::uint32_t thread = kNone;  // entry

  struct OwnClock {
    std::uint64_t clock = 0;
    std::uint64_t unit_ns = 1;
    bool incremental = false;
    std::int64_t running_ns = 0;
  };
  std::vector<OwnClock> clocks;
  // What was used last, as most packets are like the one before.
  ClockKey last_clock = 0;
  ClockOffset last_offset;
  std::uint64_t last_uuid = 0;
  std::uint32_t last_lane = kNone;
  std::uint64_t last_counter_uuid = 0;
  std::uint32_t last_counter = kNone;       // track
  std::unordered_set<std::uint32_t> lanes;  // that its events lie on

  void begin_epoch(std::uint64_t address);
  // False if they were the same before.
  bool use_defaults(std::string_view body, std::uint64_t address);
  void lose();
  void cannot_read(std::uint64_t address) {
    if (unreadable_count++ == 0) first_unreadable = address;
  }
  void set_clocks(const ClockSnapshot& snapshot);
};

}  // namespace cinderscope::perfetto
