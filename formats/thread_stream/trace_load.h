// Loads a thread stream file: tables first, then its streams side by side.
#pragma once

#include <memory>

#include "formats/thread_stream/recording.h"
#include "ingest/base/result.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/format/load_context.h"
#include "ingest/input/input.h"

namespace cinderscope::thread_stream {

class GrowingStreams;

// Loader thread. `recording` has its header; the rest of it and `names` are filled. `growing`: what
// was read of the file before, or null; then what is read on next.
Status load_trace(const Input& input, Recording& recording, std::shared_ptr<Names>& names,
                  std::unique_ptr<GrowingStreams>& growing, TimelineBuilder& out,
                  LoadContext& context);

}  // namespace cinderscope::thread_stream
