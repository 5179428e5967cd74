// The fonts that the window draws with: few at once, all a moment later, more as names ask for
// them.
#pragma once

#include <optional>
#include <string_view>

#include "app/questions/background_task.h"
#include "app/window/fonts.h"
#include "app/window/window.h"

namespace cinderscope {

// UI thread only. Whole fonts are built on a thread of their own, so that neither the first picture
// nor input waits for them; until they are there, what the present ones lack is drawn as boxes.
class WindowFonts {
 public:
  WindowFonts();
  ~WindowFonts();
  WindowFonts(const WindowFonts&) = delete;
  WindowFonts& operator=(const WindowFonts&) = delete;

  // The atlas of the present fonts, empty before the first update(): what an ImGui context is made
  // with. It must not outlive this.
  ImFontAtlas* atlas() { return fonts_.atlas.get(); }

  // Characters of `text` (UTF-8) will be drawn.
  void note(std::string_view text) { stale_ |= wanted_.note(text); }

  // True if fonts have been built that update() will take.
  bool poll();
  // Between two frames, with the window's context current: makes `theme` and the renderer have
  // fonts for theme.scale, and has those built that are missing. True if what is drawn changes.
  bool update(Theme& theme);
  // Something noted will be drawn in another way by a later frame.
  bool building() const { return stale_ || next_ || (builder_ && builder_->busy()); }
  // Waits for fonts that are being built and builds no more. Before the ImGui context goes: its
  // allocator looks at it from all threads.
  void stop() { builder_.reset(); }

 private:
  void take(BuiltFonts fonts, Theme& theme);

  BuiltFonts fonts_;
  unsigned texture_ = 0;  // of OpenGL; 0: not made yet
  WantedCharacters wanted_;
  bool stale_ = true;  // neither fonts_ nor those being built have all that was noted
  std::optional<BuiltFonts> next_;
  std::optional<BackgroundTask<BuiltFonts>> builder_;
};

}  // namespace cinderscope
