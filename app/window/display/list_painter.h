// Draws the lists of Dear ImGui by OpenGL, each part in the cheapest way that looks the same.
#pragma once

#include <imgui.h>

#include <vector>

#include "render/views/timeline/draw_runs.h"

namespace cinderscope {

// UI thread, while the window's context is current, from open() on.
class ListPainter {
 public:
  ListPainter() = default;
  ~ListPainter();
  ListPainter(const ListPainter&) = delete;
  ListPainter& operator=(const ListPainter&) = delete;

  void open();
  // Onto what is bound. The current fonts' texture is the only one that a white pixel is looked for
  // in.
  void paint(const ImDrawData& data);
  // Uses each program once, drawing nothing: a driver translates a program at its first use, which
  // takes llvmpipe 40 ms, so it is done before input waits for it. After a frame.
  void warm_up();

 private:
  void paint(const ImDrawList& list, float height_px);
  void use(RunKind kind);
  void tell_size(ImVec2 size);

  unsigned plain_ = 0, picture_ = 0, textured_ = 0;  // programs
  unsigned vertex_array_ = 0, vertices_ = 0, indices_ = 0;
  ImVec2 told_size_;  // that the programs know
  std::vector<DrawRun> runs_;
};

}  // namespace cinderscope
