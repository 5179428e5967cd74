// The tree of a trace as text, as the recorder's own printer writes it.
#pragma once

#include "formats/lincheck/lookup.h"
#include "ingest/format/capabilities.h"

namespace cinderscope::lincheck {

// Thread by thread, without anything but the map in memory but for 32 bytes for each container of
// one thread. Ends early once the context is cancelled or `write` returns false.
void print_tree(const Lookup& names, const TreeRequest& request, const TreeSink& write,
                const LoadContext& context);

// As shown: its own, or one made of its id.
std::string thread_title(std::int32_t id, const Lookup& names);

}  // namespace cinderscope::lincheck
