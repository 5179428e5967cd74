// Which triangles of a draw list need a texture, and which nothing but their colour.
//
// A list of Dear ImGui takes each colour from a texture and blends it with what is there. Where a
// CPU draws that is most of what a frame costs: a filled area without either is four times as fast.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace cinderscope {

enum class RunKind : std::uint8_t {
  opaque,    // triangles of one colour each that nothing shines through
  plain,     // colours of the corners, no texture
  picture,   // a texture as it is
  textured,  // anything
};

// Triangles that follow each other in the command's order and are drawn in the same way.
struct DrawRun {
  RunKind kind = RunKind::textured;
  unsigned first_index = 0, index_count = 0;  // into the list's IdxBuffer

  bool operator==(const DrawRun&) const = default;
};

// Replaces `out` by the runs of `command`, which uses the font atlas and belongs to `list`;
// `white_uv` is the place of the atlas' white pixel. A way of drawing that saves too little to
// switch to it is not used, so there are few runs whatever the list is made of.
void split_into_runs(const ImDrawList& list, const ImDrawCmd& command, ImVec2 white_uv,
                     std::vector<DrawRun>& out);

// The whole of a command that uses another texture.
DrawRun run_of_picture(const ImDrawList& list, const ImDrawCmd& command);

}  // namespace cinderscope
