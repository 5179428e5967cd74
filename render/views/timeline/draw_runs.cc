#include "render/views/timeline/draw_runs.h"

#include <algorithm>

namespace cinderscope {
namespace {

// The smallest run that is drawn in its own way: a switch takes some microseconds.
constexpr float kLeastPx = 8192;
constexpr unsigned kLeastPlainIndices = 3 * 256;

struct Measured {
  DrawRun run;
  float area_px = 0;  // of what surrounds the triangles' halves
};

RunKind kind_of(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, ImVec2 white_uv) {
  for (const ImDrawVert* corner : {&a, &b, &c}) {
    if (corner->uv.x != white_uv.x || corner->uv.y != white_uv.y) return RunKind::textured;
  }
  const bool one_colour = a.col == b.col && b.col == c.col;
  return one_colour && a.col >> IM_COL32_A_SHIFT == 255 ? RunKind::opaque : RunKind::plain;
}

float area_px(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImVec4& clip) {
  const float x0 = std::max(std::min({a.pos.x, b.pos.x, c.pos.x}), clip.x);
  const float x1 = std::min(std::max({a.pos.x, b.pos.x, c.pos.x}), clip.z);
  const float y0 = std::max(std::min({a.pos.y, b.pos.y, c.pos.y}), clip.y);
  const float y1 = std::min(std::max({a.pos.y, b.pos.y, c.pos.y}), clip.w);
  return x1 > x0 && y1 > y0 ? (x1 - x0) * (y1 - y0) / 2 : 0;
}

bool can_draw(RunKind how, RunKind what) {
  return how == what || how == RunKind::textured ||
         (how == RunKind::plain && what == RunKind::opaque);
}

bool is_worth_a_switch(const Measured& part) {
  if (part.run.kind == RunKind::textured) return true;  // cannot be drawn otherwise
  return part.area_px >= kLeastPx ||
         (part.run.kind == RunKind::plain && part.run.index_count >= kLeastPlainIndices);
}

void add(const Measured& part, std::vector<DrawRun>& out) {
  DrawRun run = part.run;
  if (!is_worth_a_switch(part)) {
    const bool fits = !out.empty() && can_draw(out.back().kind, run.kind);
    run.kind = fits ? out.back().kind : RunKind::textured;
  }
  if (!out.empty() && out.back().kind == run.kind) {
    out.back().index_count += run.index_count;
  } else {
    out.push_back(run);
  }
}

}  // namespace

void split_into_runs(const ImDrawList& list, const ImDrawCmd& command, ImVec2 white_uv,
                     std::vector<DrawRun>& out) {
  out.clear();
  Measured part;
  const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
  const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
  for (unsigned i = 0; i + 3 <= command.ElemCount; i += 3) {
    const ImDrawVert& a = vertices[indices[i]];
    const ImDrawVert& b = vertices[indices[i + 1]];
    const ImDrawVert& c = vertices[indices[i + 2]];
    RunKind kind = kind_of(a, b, c, white_uv);
    // Neither the smoothed edge of a shape is a run of its own, nor the shape between two edges.
    const float area = area_px(a, b, c, command.ClipRect);
    const bool small = kind == RunKind::opaque && area < kLeastPx / 2;
    if (small && part.run.kind == RunKind::plain && part.run.index_count > 0) kind = RunKind::plain;
    if (part.run.index_count > 0 && part.run.kind != kind) {
      add(part, out);
      part = {};
    }
    if (part.run.index_count == 0) part.run = {kind, command.IdxOffset + i, 0};
    part.run.index_count += 3;
    part.area_px += area;
  }
  if (part.run.index_count > 0) add(part, out);
}

DrawRun run_of_picture(const ImDrawList& list, const ImDrawCmd& command) {
  const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
  const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
  const bool as_it_is =
      std::all_of(indices, indices + command.ElemCount,
                  [vertices](ImDrawIdx index) { return vertices[index].col == IM_COL32_WHITE; });
  return {as_it_is ? RunKind::picture : RunKind::textured, command.IdxOffset, command.ElemCount};
}

}  // namespace cinderscope
