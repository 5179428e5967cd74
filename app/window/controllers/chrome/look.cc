#include "app/window/controllers/chrome/look.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/commands/arguments.h"
#include "app/desktop/system_theme.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/imgui_style.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "app/window/window_fonts.h"
#include "ingest/base/parallel.h"

namespace cinderscope {

namespace {

constexpr float kScaleStep = 1.125F;
constexpr std::uint32_t kNamesPerFrame = 50'000;  // looked at for missing glyphs, some ms
constexpr std::size_t kLongestName = 512;         // bytes of each

}  // namespace

void LookController::apply_settings() {
  theme_.colour_blind = app_.settings().colour_blind;
  switch (app_.settings().theme) {
    case ThemeChoice::system:
      return ask_system_theme();
    case ThemeChoice::light:
      return show_theme(ThemeKind::light);
    case ThemeChoice::dark:
      return show_theme(ThemeKind::dark);
  }
}

// The answer may take a while: what is shown now stays until it is there.
void LookController::ask_system_theme() {
  if (app_.settings().theme != ThemeChoice::system || system_theme_.valid()) return;
  system_theme_ = in_background([] {
    const ThemeKind kind = system_theme();
    Window::wake();
    return kind;
  });
}

void LookController::poll() {
  if (!system_theme_.valid() ||
      system_theme_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    return;
  }
  const ThemeKind kind = system_theme_.get();
  if (app_.settings().theme == ThemeChoice::system) show_theme(kind);
}

void LookController::show_theme(ThemeKind kind) {
  if (kind == theme_.kind) return;
  theme_.kind = kind;
  style_stale_ = true;
  app_.draw_again();
}

bool LookController::update(float display_scale) {
  const float scale = display_scale * app_.settings().scale;
  if (const Tab* tab = app_.tabs().shown(); tab != nullptr && tab->session->has_trace()) {
    note_names(tab->session->timeline());
  }
  note_paths();
  const bool scaled = scale != theme_.scale || theme_.words == nullptr;
  if (std::exchange(style_stale_, false) || scaled) {
    theme_.scale = scale;
    theme_.colours = theme_colours(theme_.kind);
    apply_style(theme_);
  }
  return fonts_ != nullptr && fonts_->update(theme_);
}

void LookController::note_names(const Timeline& timeline) {
  if (noted_pool_ != timeline.strings.get()) {
    noted_pool_ = timeline.strings.get();
    noted_names_ = 0;
  }
  const std::uint32_t end = std::min(timeline.strings->size(), noted_names_ + kNamesPerFrame);
  for (; noted_names_ < end; ++noted_names_) {
    const std::string_view name = timeline.text(StringId{noted_names_});
    if (fonts_ != nullptr) fonts_->note(name.substr(0, kLongestName));
  }
  if (noted_names_ < timeline.strings->size()) app_.draw_again(1);
}

// Of tabs and of the start page.
void LookController::note_paths() {
  if (fonts_ == nullptr) return;
  for (const Tab* tab : app_.tabs().with_lanes()) {
    fonts_->note(tab->session->path());
    fonts_->note(tab->session->title());
  }
  for (const RecentFile& file : app_.settings().recent) fonts_->note(file.path);
}

void LookController::note_text(std::string_view text) {
  if (fonts_ == nullptr) return;
  fonts_->note(text);
  if (fonts_->building()) app_.draw_again();  // a frame has them begun
}

bool LookController::building_fonts() const {
  return fonts_ != nullptr && fonts_->building();
}

bool LookController::take_fonts() {
  return fonts_ != nullptr && fonts_->poll();
}

namespace {

// Nothing is the other one of dark and light.
Status theme(AppContext& app, const CommandArguments& arguments) {
  const bool dark = app.theme().kind == ThemeKind::dark;
  ThemeChoice choice = dark ? ThemeChoice::light : ThemeChoice::dark;
  if (arguments.is("dark")) choice = ThemeChoice::dark;
  if (arguments.is("light")) choice = ThemeChoice::light;
  if (arguments.is("system")) choice = ThemeChoice::system;
  app.settings().theme = choice;
  app.settings_changed();
  return ok();
}

Status colours(AppContext& app, const CommandArguments& arguments) {
  bool& colour_blind = app.settings().colour_blind;
  colour_blind = arguments.switched(colour_blind, "colour-blind");
  app.say(colour_blind ? "colours for the colour-blind" : "usual colours");
  app.settings_changed();
  return ok();
}

Status reduced_motion(AppContext& app, const CommandArguments& arguments) {
  bool& reduced = app.settings().reduced_motion;
  reduced = arguments.switched(reduced);
  app.say(reduced ? "no animation" : "with animation");
  app.settings_changed();
  return ok();
}

Status wheel(AppContext& app, const CommandArguments& arguments) {
  bool& scrolls = app.settings().wheel_scrolls;
  scrolls = arguments.switched(scrolls, "scroll");
  app.say(scrolls ? "the wheel scrolls, Ctrl+wheel zooms" : "the wheel zooms, Ctrl+wheel scrolls");
  app.settings_changed();
  return ok();
}

Status scale_to(AppContext& app, float scale) {
  app.settings().scale = std::clamp(scale, kSmallestScale, kLargestScale);
  app.settings_changed();
  return ok();
}

Status larger(AppContext& app, const CommandArguments& /*arguments*/) {
  return scale_to(app, app.settings().scale * kScaleStep);
}

Status smaller(AppContext& app, const CommandArguments& /*arguments*/) {
  return scale_to(app, app.settings().scale / kScaleStep);
}

Status normal_size(AppContext& app, const CommandArguments& /*arguments*/) {
  return scale_to(app, 1);
}

constexpr Command kLookCommands[] = {
    {"theme", "[dark|light|system]", "T", "Dark or light", CommandGroup::window,
     CommandNeeds::nothing, theme},
    {"colours", "[usual|colour-blind]", "", "Colours of the boxes", CommandGroup::window,
     CommandNeeds::nothing, colours},
    {"larger", "", "Ctrl++", "Larger", CommandGroup::window, CommandNeeds::nothing, larger},
    {"smaller", "", "Ctrl+-", "Smaller", CommandGroup::window, CommandNeeds::nothing, smaller},
    {"normal-size", "", "Ctrl+0", "Normal size", CommandGroup::window, CommandNeeds::nothing,
     normal_size},
    {"reduced-motion", "[on|off]", "", "No animation", CommandGroup::window, CommandNeeds::nothing,
     reduced_motion},
    {"wheel", "[zoom|scroll]", "", "What the plain wheel does", CommandGroup::window,
     CommandNeeds::nothing, wheel},
};

}  // namespace

std::span<const Command> look_commands() {
  return kLookCommands;
}

}  // namespace cinderscope
