// Profiles of speedscope made slices.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "formats/speedscope/speedscope_file.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/format/load_context.h"

namespace cinderscope::speedscope {

// What is kept of a frame, for details. Records of slices are numbers of these.
struct KeptFrame {
  StringId file = kEmptyString;
  std::uint32_t line = 0, column = 0;  // 0: not known
};

struct LoadedProfiles {
  std::vector<KeptFrame> frames;
  std::size_t profiles = 0;
  std::vector<std::string> types, units;
  std::string exporter;
  std::uint32_t scale = 1;
  ThreadId active = kNoThread;  // of activeProfileIndex, where there are several profiles
};

Result<LoadedProfiles> load_profiles(const SpeedscopeFile& file, TimelineBuilder& out,
                                     LoadContext& context);

}  // namespace cinderscope::speedscope
