// What the system's recorder says of processes: their names and threads, and their counters.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/perfetto/tracks/owners.h"

namespace cinderscope::perfetto {

void take_process_tree(std::string_view body, std::uint64_t machine, std::uint64_t place,
                       Owners& owners);

}  // namespace cinderscope::perfetto
