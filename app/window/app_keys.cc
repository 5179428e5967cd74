// Keys in the window: which command a key runs, and how keys are changed in the key help.
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/window/app.h"

namespace cinderscope {

void App::take_key(const KeyChanged& key) {
  if (!key.down) {
    std::erase_if(held_, [&](CommandId id) { return keys_.is_key_of(id, key.chord); });
    return;
  }
  const Key pressed = key.chord.key;
  const bool escape = pressed == Key::escape;
  if (palette_.open) return take_palette_key(key);
  if (help_open_) return take_help_key(key);
  if (escape && active() != nullptr && active()->statistics.close_menu()) return;
  if (menu_open_ && escape) {
    menu_closes_ = true;
    return;
  }
  if (escape && active() != nullptr && active()->timeline_view.moves_row()) return;
  if (take_search_key(key)) return;
  const bool typing = ImGui::GetIO().WantTextInput;
  if (typing && escape) {
    filter_open_ = false;
    leave_note(false);
    return;
  }
  if (active() == nullptr && take_start_key(key.chord)) return;
  const Command* command = keys_.command_for(key.chord);
  if (command == nullptr || (typing && !key.chord.ctrl)) return;
  if (!enabled(*command, command_state())) return;
  if (command->held) {
    if (std::ranges::find(held_, command->id) == held_.end()) held_.push_back(command->id);
    return;
  }
  const std::string problem = run(*command, {});
  if (!problem.empty()) say(problem);
}

// While a key is listened for, all keys are but that; else Escape and the help's own key close it.
void App::take_help_key(const KeyChanged& key) {
  const bool plain = !key.chord.ctrl && !key.chord.alt && !key.chord.shift;
  if (listening_ == nullptr) {
    const Command* command = keys_.command_for(key.chord);
    const bool own = command != nullptr && command->id == CommandId::help;
    const bool away = command != nullptr && command->id == CommandId::palette;
    if (own || away || (plain && key.chord.key == Key::escape)) help_open_ = false;
    if (away) toggle_palette();
    return;
  }
  const std::string chord = chord_text(key.chord);
  if (chord.empty()) return;  // Shift and the like: what they are held for is still to come
  const Command& command = *std::exchange(listening_, nullptr);
  if (plain && key.chord.key == Key::escape) return;
  const bool removes = plain && key.chord.key == Key::backspace;
  const std::string problem =
      change_keys(with_keys(settings_.keys, command, removes ? std::string() : chord));
  if (!problem.empty()) say(problem);
}

void App::draw_help() {
  if (!help_open_) {
    listening_ = nullptr;
    return;
  }
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const KeyHelpAnswer answer =
      draw_key_help({.theme = theme_,
                     .area = {0, 0, size.x, size.y},
                     .keys = key_help_whole_ ? all_key_help_ : key_help_,
                     .listening = listening_ == nullptr ? "" : std::string(listening_->name),
                     .whole = key_help_whole_});
  if (!answer.listen.empty()) listening_ = command_named(answer.listen);
  if (!answer.reset.empty()) {
    change_keys(with_default_keys(settings_.keys, *command_named(answer.reset)));
  }
  if (answer.toggle_whole) key_help_whole_ = !key_help_whole_;
  if (answer.close) help_open_ = false;
}

}  // namespace cinderscope
