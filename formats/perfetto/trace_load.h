// Loads a trace: the survey's results in, the timeline's events out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/perfetto/events/event_sink.h"
#include "formats/perfetto/state/interned.h"
#include "formats/perfetto/survey.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::perfetto {

// What is kept of a load: to read records again, and to tell of the trace.
struct LoadedTrace {
  std::unordered_map<std::uint32_t, std::vector<Epoch>> epochs;  // by sequence, in order
  SinkFacts facts;
  // Whose events a second load needs: those on threads whose times step back.
  std::unordered_set<std::uint32_t> sequences_to_replay;
  std::array<std::uint64_t, 256> phase_counts{};
  std::uint64_t cpu_time_samples = 0, async_steps = 0;
};

// In a replay of the builder only slices count, and `loaded` stays as it is.
Status load_trace(Survey& survey, Lanes& lanes, TimelineBuilder& out, LoadContext& context,
                  LoadedTrace& loaded);

}  // namespace cinderscope::perfetto
