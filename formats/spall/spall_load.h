// Loads a .spall file: drives a reader round by round and hands threads and names to the builder.
#pragma once

#include "formats/spall/spall_clock.h"
#include "formats/spall/spall_file.h"
#include "ingest/base/result.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/format/load_context.h"
#include "ingest/input/input.h"

namespace cinderscope::spall {

SpallClock clock_of(const SpallFile& file, const Input& input);

// Loader thread. The builder's slices refer to `clock` until it has finished. The only error is
// that `context` was cancelled. `has_args`: whether some record says more than its slice.
Status load_file(const SpallFile& file, const Input& input, const SpallClock& clock,
                 TimelineBuilder& out, LoadContext& context, bool& has_args);

}  // namespace cinderscope::spall
