// How much memory the machine has.
#pragma once

#include <cstdint>

namespace cinderscope {

std::uint64_t machine_memory_bytes();  // 4 GiB where that is not told

}  // namespace cinderscope
