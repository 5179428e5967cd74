// Dear ImGui without a window and a GPU: fonts in memory, input from the test by `feed_key` and the
// like.
#pragma once

#include <imgui.h>

#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {

// The current context while this lives.
class NullImGui {
 public:
  static constexpr std::uint64_t kFontTexture = 1;

  NullImGui(float width_px, float height_px) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {width_px, height_px};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    use_atlas(*io.Fonts, kFontTexture);
    set_up_context();
  }
  ~NullImGui() { ImGui::DestroyContext(); }
  NullImGui(const NullImGui&) = delete;
  NullImGui& operator=(const NullImGui&) = delete;
};

}  // namespace cinderscope
