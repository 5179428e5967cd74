// Tells whether two frames look the same without drawing them.
#pragma once

#include <imgui.h>

#include <cstdint>

namespace cinderscope {

// A hash of everything that is drawn but the pixels of textures: equal for equal lists, for others
// only by chance (64 bits).
std::uint64_t digest_of(const ImDrawData& data);

}  // namespace cinderscope
