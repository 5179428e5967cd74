#include "app/window/view_frames.h"

#include <imgui.h>

#include <memory>
#include <vector>

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
  explicit UnseenContext(std::size_t lanes)
      : views_(lanes),
        fonts_(build_fonts(1, FontCoverage::whole, {})),
        context_(ImGui::CreateContext(fonts_.atlas.get())) {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {kBenchWidthPx, kBenchHeightPx};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
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
    const float height_px = kBenchHeightPx / static_cast<float>(views_.size());
    std::uint64_t boxes = 0;
    for (std::size_t lane = views_.size(); lane-- > 0;) {
      TimelineState below;
      if (lane > 0) {
        below = state;
        below.lane = LaneState{.is_b = true, .with_ruler = false};
      }
      TimelineState& shown = lane > 0 ? below : state;
      ImGui::PushID(static_cast<int>(lane));
      views_[lane].draw(
          {.timeline = timeline,
           .state = shown,
           .theme = theme_,
           .area = {0, static_cast<float>(lane) * height_px, kBenchWidthPx, height_px},
           .images = images_},
          actions);
      ImGui::PopID();
      boxes += shown.visible_boxes;
    }
    state.visible_boxes = boxes;
    ImGui::End();
    ImGui::Render();
  }

 private:
  std::vector<TimelineView> views_;  // one below the other
  BuiltFonts fonts_;
  ImGuiContext* context_;
  Theme theme_;
  NoImages images_;
};

}  // namespace

DrawFrame whole_view(std::size_t lanes) {
  return [context = std::make_shared<UnseenContext>(lanes)](
             const Timeline& timeline, TimelineState& state) { context->draw(timeline, state); };
}

}  // namespace cinderscope
