// A pprof profile laid out, and what is kept of it for details.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/pprof/call_details.h"
#include "formats/pprof/frame_table.h"
#include "formats/pprof/pprof_tables.h"
#include "ingest/build/profile/weight_layout.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/format/load_context.h"
#include "ingest/model/measure/weights.h"

namespace cinderscope::pprof {

struct LaidOutProfile {
  ProfileTables tables;
  std::vector<Weight> weights;
  std::size_t weight = 0;  // that was chosen
  std::int64_t total = 0;  // with its sign, of all samples
  std::uint64_t dropped_frames = 0;
  std::vector<std::string> label_keys;  // each once, in order
  CallDetails details;
};

// The bytes stay as long as the result.
Result<LaidOutProfile> load_profile(std::string_view bytes, TimelineBuilder& out,
                                    LoadContext& context);

}  // namespace cinderscope::pprof
