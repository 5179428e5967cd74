// What the ends of names say of functions, by stackcollapse-perf.pl and its kin: "do_idle_[k]".
#pragma once

#include <string>
#include <string_view>

#include "ingest/build/profile/frame_kinds.h"

namespace cinderscope::collapsed {

FrameKind kind_of(std::string_view name);

// The end of a name is its colour, not to be read in every box.
std::string_view label_of(std::string_view name);

std::string suffix_of(FrameKind kind);  // "_[k]"; empty if it has none

}  // namespace cinderscope::collapsed
