// The colour of the palette that comes nearest to one that a trace wants.
#pragma once

#include <cstdint>
#include <optional>

namespace cinderscope::thread_stream {

// As StringPool::intern() takes it. None for greys, which the palette has not.
std::optional<std::uint32_t> near_colour(std::uint8_t red, std::uint8_t green, std::uint8_t blue);

}  // namespace cinderscope::thread_stream
