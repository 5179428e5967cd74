// How much memory the machine has.
#pragma once

#include <cstdint>

namespace cinderscope {

std::uint64_t machine_memory_bytes();  // 4 GiB if the system does not tell

}  // namespace cinderscope
