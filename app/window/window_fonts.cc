#include "app/window/window_fonts.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <utility>

#include "ingest/self_trace.h"

namespace cinderscope {

WindowFonts::WindowFonts() {
  fonts_.atlas = empty_atlas();
}

WindowFonts::~WindowFonts() = default;

bool WindowFonts::poll() {
  if (auto built = builder_.take()) next_ = std::move(*built);
  return next_.has_value();
}

bool WindowFonts::update(Theme& theme) {
  if (fonts_.words == nullptr || fonts_.scale != theme.scale) {
    const SelfTraceMark mark("build first fonts");
    take(build_fonts(theme.scale, FontCoverage::first_picture, wanted_), theme);
    stale_ = true;
    return true;  // the whole ones are begun after the frame that these are for
  }
  bool changed = false;
  if (poll()) {
    BuiltFonts built = std::move(*std::exchange(next_, std::nullopt));
    changed = built.scale == theme.scale;
    if (changed) take(std::move(built), theme);
  }
  if (stale_ && !builder_.busy()) {
    stale_ = false;
    builder_.start([scale = theme.scale, wanted = wanted_](const auto&) {
      const SelfTraceMark mark("build fonts");
      return build_fonts(scale, FontCoverage::whole, wanted);
    });
  }
  return changed;
}

void WindowFonts::take(BuiltFonts fonts, Theme& theme) {
  std::swap(fonts_, fonts);
  use_fonts(fonts_, theme);
  ImGui::GetIO().Fonts = fonts_.atlas.get();
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

}  // namespace cinderscope
