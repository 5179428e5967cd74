// CPU profiles of V8, which Chromium records as JSON in legacy events of phase P.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/perfetto/events/event_batch.h"
#include "formats/perfetto/tracks/owners.h"
#include "ingest/build/profile/v8_profile.h"
#include "ingest/build/sample_stacks.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::perfetto {

class V8Profiles {
 public:
  V8Profiles(TimelineBuilder& out, Owners& owners) : out_(&out), owners_(&owners) {}

  // In any order; then all of them become slices below their threads.
  void add(std::vector<ProfilePiece> pieces);
  void finish(SampleBudget& budget);

 private:
  struct Profile {
    explicit Profile(StringPool& names) : calls(names) {}
    std::uint32_t thread = kNone;
    RecordOffset record = kNoRecord;
    std::int64_t next_us = 0, add_ns = 0;
    V8Profile calls;
  };

  void take(const ProfilePiece& piece);
  void add_samples(Profile& profile, std::string_view samples, std::string_view deltas);
  void write(Profile& profile, SampleBudget& budget);

  TimelineBuilder* out_;
  Owners* owners_;
  std::vector<ProfilePiece> pieces_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Profile> profiles_;  // by process and id
  std::unordered_map<std::uint32_t, int> tracks_;                        // of a thread
};

}  // namespace cinderscope::perfetto
