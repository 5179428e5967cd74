#include "app/window/controllers/chrome/settings_page.h"

#include <imgui.h>

#include <vector>

#include "app/commands/arguments.h"
#include "app/commands/setting_lines.h"
#include "app/window/app_context.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/chrome/palette.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/store.h"
#include "render/views/chrome/settings_page.h"

namespace cinderscope {

void SettingsPageController::toggle() {
  open_ = !open_;
  if (!open_) return;
  app_.controllers().keys->let_go();
  app_.controllers().keys->close_help();
}

bool SettingsPageController::take_key(const KeyChord& chord) {
  if (!open_) return false;
  const Command* command = app_.controllers().keys->map().command_for(chord);
  const bool own = command != nullptr && command->name == "settings";
  const bool away = command != nullptr && command->name == "palette";
  if (own || away || chord.key == Key::escape) open_ = false;
  return !away;
}

void SettingsPageController::draw(Actions& actions) {
  if (!open_) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const std::vector<SettingLine> lines =
      setting_lines(app_.settings(), app_.commands(), app_.command_state());
  const SettingsPageAnswer answer =
      draw_settings_page({.theme = app_.theme(),
                          .area = {0, 0, size.x, size.y},
                          .lines = lines,
                          .file = app_.controllers().store->settings_path()});
  if (answer.close) open_ = false;
  if (!answer.pressed) return;
  const Command* command = app_.commands().named(answer.pressed->command);
  if (command == nullptr) return;
  if (answer.pressed->argument.empty() && !command->arguments.empty()) {
    open_ = false;
    return app_.controllers().palette->ask(command);
  }
  if (command->name == "help") open_ = false;
  run_command(actions, command->name, answer.pressed->argument);
}

namespace {

Status settings(AppContext& app, const CommandArguments& /*arguments*/) {
  app.controllers().settings_page->toggle();
  return ok();
}

constexpr Command kSettingsPageCommands[] = {
    {"settings", "", "Ctrl+,", "Settings", CommandGroup::window, CommandNeeds::nothing, settings},
};

}  // namespace

std::span<const Command> settings_page_commands() {
  return kSettingsPageCommands;
}

}  // namespace cinderscope
