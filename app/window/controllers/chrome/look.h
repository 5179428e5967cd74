// The look of the window: theme, scale, style, and the letters that its fonts need.
#pragma once

#include <cstdint>
#include <future>
#include <span>
#include <string_view>

#include "app/commands/commands.h"
#include "render/base/theme.h"

namespace cinderscope {

class AppContext;
class StringPool;
class WindowFonts;
struct Timeline;

// UI thread only.
class LookController {
 public:
  // `fonts` may be null: everything is drawn with ImGui's own font then.
  LookController(AppContext& app, WindowFonts* fonts) : app_(app), fonts_(fonts) {}

  const Theme& theme() const { return theme_; }
  void apply_settings();
  void poll();              // takes what the desktop answers
  void ask_system_theme();  // it may have changed meanwhile
  // Before a frame, on a display with `scale`. True if all is to be drawn anew.
  bool update(float display_scale);

  void note_text(std::string_view text);  // its characters will be drawn
  bool building_fonts() const;            // missing characters will be drawn soon
  bool take_fonts();                      // they were built; update() uses them

 private:
  void show_theme(ThemeKind kind);
  void note_names(const Timeline& timeline);
  void note_paths();

  AppContext& app_;
  WindowFonts* fonts_;
  Theme theme_;
  bool style_stale_ = true;
  std::future<ThemeKind> system_theme_;  // valid while the desktop is being asked
  std::uint32_t noted_names_ = 0;        // of the shown tab's string pool
  const StringPool* noted_pool_ = nullptr;
};

std::span<const Command> look_commands();

}  // namespace cinderscope
