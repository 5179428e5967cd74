// Splits a draw list into triangles that need a texture and triangles that only need their colour.
//
// Dear ImGui's lists read each colour from a texture and blend it with the background. If a CPU
// draws (no GPU), that is most of a frame's cost: a filled area without both is four times as fast.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace cinderscope {

enum class RunKind : std::uint8_t {
  opaque,    // triangles of one opaque colour each
  plain,     // colours of the corners, no texture
  picture,   // a texture without colour
  textured,  // anything
};

// Consecutive triangles of a command that are drawn in the same way.
struct DrawRun {
  RunKind kind = RunKind::textured;
  unsigned first_index = 0, index_count = 0;  // into the list's IdxBuffer

  bool operator==(const DrawRun&) const = default;
};

// Replaces `out` by the runs of `command`, which uses the font atlas and belongs to `list`;
// `white_uv` is the position of the atlas' white pixel. Short runs that would not pay for the
// switch are joined with their neighbours, so there are few runs in any list.
void split_into_runs(const ImDrawList& list, const ImDrawCmd& command, ImVec2 white_uv,
                     std::vector<DrawRun>& out);

// The run of a whole command that uses another texture.
DrawRun run_of_picture(const ImDrawList& list, const ImDrawCmd& command);

}  // namespace cinderscope
