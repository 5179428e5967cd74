#include "app/window/controllers/chrome/keys.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/commands/arguments.h"
#include "app/commands/key_help.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/comparison/drop_chooser.h"
#include "app/window/controllers/bookmarks.h"
#include "app/window/controllers/chrome/menus.h"
#include "app/window/controllers/chrome/palette.h"
#include "app/window/controllers/chrome/settings_page.h"
#include "app/window/controllers/chrome/start.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/export/pictures.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/search.h"
#include "app/window/controllers/threads.h"
#include "app/window/tab.h"
#include "render/views/chrome/key_help.h"

namespace cinderscope {

KeysController::KeysController(AppContext& app) : app_(app), map_(app.commands()) {}

void KeysController::apply_settings() {
  const Settings& settings = app_.settings();
  map_ = KeyMap(app_.commands(), settings.keys);
  help_ = key_help_of(app_.commands(), map_, settings.wheel_scrolls, false);
  whole_help_ = key_help_of(app_.commands(), map_, settings.wheel_scrolls, true);
}

Status KeysController::bind(const Command& command, std::string_view chords) {
  const Result<KeyChange> changed =
      with_keys(app_.commands(), app_.settings().keys, command, chords);
  if (!changed) return changed.error();
  app_.settings().keys = changed->keys;
  held_.clear();
  app_.say(changed->said);
  app_.settings_changed();
  return ok();
}

void KeysController::use_default_keys() {
  app_.settings().keys.clear();
  held_.clear();
  app_.say("all keys are reset");
  app_.settings_changed();
}

void KeysController::take(const KeyChanged& key) {
  if (!key.down) {
    std::erase_if(held_,
                  [&](const Command* each) { return map_.is_key_of(each->name, key.chord); });
    return;
  }
  Controllers& controllers = app_.controllers();
  if (controllers.palette->open()) return controllers.palette->take_key(key.chord);
  if (help_open_) return take_help_key(key);
  if (controllers.settings_page->take_key(key.chord)) return;
  if (controllers.drops->take_key(key.chord)) return;
  ExportSheet* sheet = open_sheet(controllers);
  if (sheet != nullptr && !controllers.search->typing() && sheet->take_key(key.chord)) return;
  const bool escape = key.chord.key == Key::escape;
  if (escape && close_what_is_open()) return;
  if (controllers.bookmarks->take_key(key.chord)) return;
  if (controllers.panels->take_editor_key(key.chord)) return;
  if (controllers.search->take_key(key.chord)) return;
  const bool typing = ImGui::GetIO().WantTextInput;
  if (typing && escape) {
    controllers.threads->close_filter();
    return;
  }
  if (app_.tabs().shown() == nullptr && controllers.start->take_key(key.chord)) return;
  if (!typing && controllers.panels->take_key(key.chord)) return;
  const Command* command = map_.command_for(key.chord);
  // While a text is typed its field has its own keys: all, copy, paste, cut, undo, redo.
  constexpr std::array kOfFields = {Key::a, Key::c, Key::v, Key::x, Key::y, Key::z};
  const bool of_field = key.chord.ctrl && !key.chord.shift &&
                        std::ranges::find(kOfFields, key.chord.key) != kOfFields.end();
  if (command == nullptr || (typing && (!key.chord.ctrl || of_field))) return;
  if (!enabled(*command, app_.command_state())) return;
  if (command->held) {
    if (std::ranges::find(held_, command) == held_.end()) held_.push_back(command);
    return;
  }
  app_.ask_command(command->name, {});
}

bool KeysController::close_what_is_open() {
  const Tab* tab = app_.tabs().page();
  Panel* panel = tab == nullptr ? nullptr : app_.controllers().panels->visible(*tab);
  if (panel != nullptr && panel->close_menu()) return true;
  MenusController& menus = *app_.controllers().menus;
  if (menus.open()) {
    menus.close();
    return true;
  }
  tab = app_.tabs().shown();
  return tab != nullptr && tab->timeline_view.moves_row();  // gives it up by itself
}

std::vector<HeldMotion> KeysController::held() const {
  std::vector<HeldMotion> motions;
  for (const Command* command : held_) motions.push_back(command->held);
  return motions;
}

// While a key is listened for, all keys are but that; else Escape and the help's own key close it.
void KeysController::take_help_key(const KeyChanged& key) {
  const bool plain = !key.chord.ctrl && !key.chord.alt && !key.chord.shift;
  if (listening_ == nullptr) {
    const Command* command = map_.command_for(key.chord);
    const bool own = command != nullptr && command->name == "help";
    const bool away = command != nullptr && command->name == "palette";
    if (own || away || (plain && key.chord.key == Key::escape)) help_open_ = false;
    if (away) app_.controllers().palette->toggle();
    return;
  }
  const std::string chord = chord_text(key.chord);
  if (chord.empty()) return;  // Shift and the like: what they are held for is still to come
  const Command& command = *std::exchange(listening_, nullptr);
  if (plain && key.chord.key == Key::escape) return;
  const bool removes = plain && key.chord.key == Key::backspace;
  const Status bound = bind(command, removes ? std::string() : chord);
  if (!bound) app_.say(bound.error().text);
}

void KeysController::draw_help() {
  if (!help_open_) {
    listening_ = nullptr;
    return;
  }
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const KeyHelpAnswer answer =
      draw_key_help({.theme = app_.theme(),
                     .area = {0, 0, size.x, size.y},
                     .keys = shows_whole_help_ ? whole_help_ : help_,
                     .listening = listening_ == nullptr ? "" : std::string(listening_->name),
                     .whole = shows_whole_help_});
  if (!answer.listen.empty()) listening_ = app_.commands().named(answer.listen);
  if (!answer.reset.empty()) {
    const Command& command = *app_.commands().named(answer.reset);
    const Status bound = bind(command, command.keys);
    if (!bound) app_.say(bound.error().text);
  }
  if (answer.toggle_whole) shows_whole_help_ = !shows_whole_help_;
  if (answer.close) help_open_ = false;
}

namespace {

Status bind(AppContext& app, const CommandArguments& arguments) {
  const Command* command = app.commands().named(arguments.text());
  if (command == nullptr) {
    return refused(fmt::format("There is no command \"{}\".", arguments.text()));
  }
  return app.controllers().keys->bind(*command, arguments.text(1));
}

Status default_keys(AppContext& app, const CommandArguments& /*arguments*/) {
  app.controllers().keys->use_default_keys();
  return ok();
}

Status help(AppContext& app, const CommandArguments& /*arguments*/) {
  app.controllers().keys->toggle_help();
  return ok();
}

constexpr Command kKeysCommands[] = {
    {"bind", "COMMAND [KEYS]", "", "Give a command other keys", CommandGroup::window,
     CommandNeeds::nothing, bind},
    {"default-keys", "", "", "Reset all keys", CommandGroup::window, CommandNeeds::nothing,
     default_keys},
    {"help", "", "? F1", "These keys", CommandGroup::window, CommandNeeds::nothing, help},
};

}  // namespace

std::span<const Command> key_commands() {
  return kKeysCommands;
}

}  // namespace cinderscope
