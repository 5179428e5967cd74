// Collapsed stacks read: their calls, and what was counted in each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/collapsed/collapsed_line.h"
#include "ingest/build/profile/frame_kinds.h"
#include "ingest/build/profile/weight_layout.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/format/load_context.h"
#include "ingest/model/measure/weights.h"

namespace cinderscope::collapsed {

// What all counted lines have in common, found before any is read.
struct StackFacts {
  bool two_counts = false;  // a difference: before and after
  bool fractions = false;   // counts are kept in thousandths
  std::string unit = "samples";
  std::vector<std::pair<std::string, std::string>> notes;  // "# key: value"

  std::uint32_t scale() const { return fractions ? 1000 : 1; }
  std::vector<Weight> weights() const;
};

// The file as it was laid out; tells what its calls are.
struct LaidOutStacks {
  StackFacts facts;
  std::size_t weight = 0;  // that was chosen
  std::int64_t total = 0;
  std::size_t calls = 0;
  std::vector<FrameKind> kinds;       // of each call; empty: all are usual
  std::vector<CallWeights> measured;  // one for each weight, if there are several
};

// `cut`: the input lacks its end, so that its last line may be a part of one.
Result<LaidOutStacks> load_stacks(std::string_view text, bool cut, TimelineBuilder& out,
                                  LoadContext& context);

}  // namespace cinderscope::collapsed
