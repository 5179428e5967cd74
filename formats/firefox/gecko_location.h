// The texts by which Firefox names the places of its stacks.
#pragma once

#include <string_view>

#include "formats/firefox/thread_tables.h"

namespace cinderscope::firefox {

// What such a text says, as the Firefox Profiler takes it: an address, a function of a library, a
// place in a script, or a label.
FunctionFacts function_of_location(std::string_view location, const ProfileFacts& facts,
                                   ProfileTexts& texts);

}  // namespace cinderscope::firefox
