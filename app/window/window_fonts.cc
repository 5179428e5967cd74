#include "app/window/window_fonts.h"

#include <glad/gl.h>
#include <imgui.h>

#include <utility>

#include "ingest/base/self_trace.h"
#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {

WindowFonts::WindowFonts() {
  fonts_.atlas = empty_atlas();
  builder_.emplace([] { Window::wake(); });
}

WindowFonts::~WindowFonts() {
  if (texture_ != 0) glDeleteTextures(1, &texture_);
}

bool WindowFonts::poll() {
  if (auto built = builder_->take()) next_ = std::move(*built);
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
  if (stale_ && !builder_->busy()) {
    stale_ = false;
    builder_->start([scale = theme.scale, wanted = wanted_](const auto&) {
      const SelfTraceMark mark("build fonts");
      return build_fonts(scale, FontCoverage::whole, wanted);
    });
  }
  return changed;
}

void WindowFonts::take(BuiltFonts fonts, Theme& theme) {
  std::swap(fonts_, fonts);
  use_fonts(fonts_, theme);
  ImFontAtlas& atlas = *fonts_.atlas;
  if (texture_ == 0) glGenTextures(1, &texture_);
  use_atlas(atlas, texture_);
  // Letters lie on whole pixels, and everything else is drawn with one white texel: a texel is a
  // pixel. Looked up as such the picture is the same, and takes half the time where the CPU draws.
  glBindTexture(GL_TEXTURE_2D, texture_);
  for (const int filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
    glTexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(filter), GL_NEAREST);
  }
  for (const int wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    glTexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(wrap), GL_CLAMP_TO_EDGE);
  }
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

}  // namespace cinderscope
