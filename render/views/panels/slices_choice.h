// The switch between calls, samples and both, and the words for what was counted.
#pragma once

#include <cstdint>
#include <string>

#include "ingest/model/scope.h"
#include "render/base/actions.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

// What a panel measures of a trace that has samples.
struct SlicesChoice {
  bool shown = false;  // the trace has samples to choose
  SlicesOf slices = SlicesOf::calls;
  bool searches = false;  // by the command `search-slices`
};

// Runs the command `slices`, or that of a search. Returns its right edge; draws nothing and returns
// `x` where there is nothing to choose, or where it does not fit before `end_x`.
float draw_slices_choice(const Pen& pen, const SlicesChoice& choice, float x, float y, float end_x,
                         Actions& actions);

// "1 call", "5 974 runs": what statistics and flame graphs counted. `of_runs`: the threads' own
// slices are runs of samples (counts_runs()), as those on tracks of samples always are.
std::string counted_text(std::uint64_t count, SlicesOf slices, bool of_runs);

}  // namespace cinderscope
