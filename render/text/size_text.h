// Sizes and rates as people read them: "2.1 MB", "512 MB/s".
#pragma once

#include <cstdint>
#include <string>

namespace cinderscope {

// Decimal units, at least two significant digits: "812 bytes", "2.1 MB", "48 GB".
std::string size_text(std::uint64_t bytes);
std::string rate_text(double bytes_per_second);

}  // namespace cinderscope
