// Samples of whole stacks, as perf and Chromium's own sampler record them.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "formats/perfetto/events/event_batch.h"
#include "formats/perfetto/tracks/owners.h"
#include "ingest/build/profile/call_nodes.h"
#include "ingest/build/sample_stacks.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::perfetto {

class StackSamples {
 public:
  // `stacks` are those that the samples name by number.
  void add(const std::vector<StackSample>& samples,
           const std::vector<const std::vector<StringId>*>& stacks);
  // Slices on a track of its own below each thread.
  void finish(SampleBudget& budget, Owners& owners, TimelineBuilder& out);

 private:
  std::uint32_t call_of(const std::vector<StringId>& frames);

  std::vector<StringId> names_;                            // of functions
  std::unordered_map<StringId, std::uint32_t> functions_;  // by name
  CallNodes calls_;
  std::map<std::uint32_t, std::vector<CallSample>> by_thread_;
  std::map<std::uint32_t, RecordOffset> first_record_;
  std::uint64_t count_ = 0;
};

}  // namespace cinderscope::perfetto
