// The commands that change settings, and what settings mean for the window.
#include <fmt/format.h>

#include <algorithm>

#include "app/commands/key_help.h"
#include "app/commands/switched.h"
#include "app/desktop/system_theme.h"
#include "app/window/app.h"

namespace cinderscope {

namespace {

constexpr float kScaleStep = 1.125F;

}  // namespace

std::string App::run_settings_command(const Command& command, std::string_view argument) {
  switch (command.id) {
    case CommandId::palette:
      toggle_palette();
      return {};
    case CommandId::theme:
      return set_theme(argument);
    case CommandId::colours:
      if (!argument.empty() && argument != "usual" && argument != "colour-blind") {
        return "Colours are usual or colour-blind.";
      }
      settings_.colour_blind =
          argument.empty() ? !settings_.colour_blind : argument == "colour-blind";
      say(settings_.colour_blind ? "colours for the colour-blind" : "usual colours");
      break;
    case CommandId::colour_by:
      return set_colour_by(argument);
    case CommandId::wheel:
      if (!argument.empty() && argument != "zoom" && argument != "scroll") {
        return "The wheel can zoom or scroll.";
      }
      settings_.wheel_scrolls = argument.empty() ? !settings_.wheel_scrolls : argument == "scroll";
      say(settings_.wheel_scrolls ? "the wheel scrolls, Ctrl+wheel zooms"
                                  : "the wheel zooms, Ctrl+wheel scrolls");
      break;
    case CommandId::reduced_motion:
      if (const auto on = switched(argument, settings_.reduced_motion)) {
        settings_.reduced_motion = *on;
      } else {
        return "reduced-motion is on or off.";
      }
      say(settings_.reduced_motion ? "no animation" : "with animation");
      break;
    case CommandId::larger:
      settings_.scale = std::clamp(user_scale_ * kScaleStep, kSmallestScale, kLargestScale);
      break;
    case CommandId::smaller:
      settings_.scale = std::clamp(user_scale_ / kScaleStep, kSmallestScale, kLargestScale);
      break;
    case CommandId::normal_size:
      settings_.scale = 1;
      break;
    case CommandId::bind:
      return bind_keys(argument);
    case CommandId::default_keys:
      settings_.keys.clear();
      held_.clear();
      say("all keys are as they were made");
      break;
    default:
      break;
  }
  settings_changed();
  return {};
}

std::string App::set_theme(std::string_view argument) {
  if (argument.empty()) argument = theme_.kind == ThemeKind::dark ? "light" : "dark";
  if (argument == "dark") {
    settings_.theme = ThemeChoice::dark;
  } else if (argument == "light") {
    settings_.theme = ThemeChoice::light;
  } else if (argument == "system") {
    settings_.theme = ThemeChoice::system;
  } else {
    return "A theme is dark, light or system.";
  }
  settings_changed();
  return {};
}

std::string App::bind_keys(std::string_view argument) {
  const CommandCall call = split_call(argument);
  const Command* command = command_named(call.name);
  if (command == nullptr) return fmt::format("There is no command \"{}\".", call.name);
  return change_keys(with_keys(settings_.keys, *command, call.argument));
}

std::string App::change_keys(const KeyChange& change) {
  if (!change.problem.empty()) return change.problem;
  settings_.keys = change.keys;
  held_.clear();
  say(change.said);
  settings_changed();
  return {};
}

void App::apply_look_and_keys() {
  theme_.colour_blind = settings_.colour_blind;
  keys_ = KeyMap(settings_.keys);
  key_help_ = key_help_of(keys_, settings_.wheel_scrolls, false);
  all_key_help_ = key_help_of(keys_, settings_.wheel_scrolls, true);
  if (settings_.theme == ThemeChoice::system) {
    ask_system_theme();
  } else {
    show_theme(settings_.theme == ThemeChoice::light ? ThemeKind::light : ThemeKind::dark);
  }
  draw_again();
}

// The answer may take a while: what is shown now stays until it is there.
void App::ask_system_theme() {
  if (settings_.theme != ThemeChoice::system || system_theme_.valid()) return;
  system_theme_ = std::async(std::launch::async, [] {
    const ThemeKind kind = system_theme();
    Window::wake();
    return kind;
  });
}

void App::poll_system_theme() {
  if (!system_theme_.valid() ||
      system_theme_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    return;
  }
  const ThemeKind kind = system_theme_.get();
  if (settings_.theme == ThemeChoice::system) show_theme(kind);
}

void App::show_theme(ThemeKind kind) {
  if (kind == theme_.kind) return;
  theme_.kind = kind;
  style_stale_ = true;
  draw_again();
}

}  // namespace cinderscope
