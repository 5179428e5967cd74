// Loads all trace points of a mapped-out trace into a timeline.
#pragma once

#include <cstdint>

#include "formats/lincheck/lookup.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/format/load_context.h"

namespace cinderscope::lincheck {

// The id of the thread in the builder, with its names; made where it is new.
ThreadId add_thread(const Lookup& lookup, std::uint32_t thread, TimelineBuilder& out);

// Threads are read side by side. `done_before` bytes of progress came before. False if cancelled.
bool load_all(const Lookup& lookup, TimelineBuilder& out, LoadContext& context,
              std::uint64_t done_before);

}  // namespace cinderscope::lincheck
