#include "app/window/view_frames.h"

#include <imgui.h>

#include <memory>

#include "app/window/fonts.h"
#include "app/window/imgui_style.h"
#include "render/layout/box_image.h"
#include "render/views/timeline/timeline.h"

namespace cinderscope {

namespace {

// Nothing is shown, and what the GPU does is not measured.
class NoImages : public ImageStore {
 public:
  ImageTexture texture_of(const BoxImage& image) override { return {0, image.lines()}; }
};

// A Dear ImGui context that nothing shows: enough for layout, hit tests and draw lists.
class UnseenContext {
 public:
  UnseenContext()
      : fonts_(build_fonts(1, FontCoverage::whole, {})),
        context_(ImGui::CreateContext(fonts_.atlas.get())) {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {kBenchWidthPx, kBenchHeightPx};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as the OpenGL backend has
    theme_.colours = theme_colours(theme_.kind);
    apply_style(theme_);
    use_fonts(fonts_, theme_);
  }
  ~UnseenContext() { ImGui::DestroyContext(context_); }
  UnseenContext(const UnseenContext&) = delete;
  UnseenContext& operator=(const UnseenContext&) = delete;

  void draw(const Timeline& timeline, TimelineState& state) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().DeltaTime = 1.0F / 60;
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({kBenchWidthPx, kBenchHeightPx});
    ImGui::Begin("timeline", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
    Actions actions;
    view_.draw({.timeline = timeline,
                .state = state,
                .theme = theme_,
                .area = {0, 0, kBenchWidthPx, kBenchHeightPx},
                .images = images_},
               actions);
    ImGui::End();
    ImGui::Render();
  }

 private:
  BuiltFonts fonts_;
  ImGuiContext* context_;
  Theme theme_;
  TimelineView view_;
  NoImages images_;
};

}  // namespace

DrawFrame whole_view() {
  return [context = std::make_shared<UnseenContext>()](
             const Timeline& timeline, TimelineState& state) { context->draw(timeline, state); };
}

}  // namespace cinderscope
