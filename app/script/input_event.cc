#include "app/script/input_event.h"

#include <algorithm>
#include <optional>

namespace cinderscope {
namespace {

std::optional<Modifiers> modifiers_of(const InputEvent& event) {
  if (const auto* moved = std::get_if<PointerMoved>(&event)) return moved->modifiers;
  if (const auto* button = std::get_if<ButtonChanged>(&event)) return button->modifiers;
  if (const auto* wheel = std::get_if<WheelTurned>(&event)) return wheel->modifiers;
  if (const auto* key = std::get_if<KeyChanged>(&event)) {
    return Modifiers{key->chord.ctrl, key->chord.shift, key->chord.alt};
  }
  return std::nullopt;
}

// Whether the key may move the focus, so that what is typed next goes elsewhere: any that makes no
// character itself; and "/", which opens the search.
bool moves_focus(const KeyChanged& key, char32_t typed_next) {
  const KeyChord& chord = key.chord;
  if (!key.down) return false;
  if (chord.character == U'/') return typed_next != U'/';
  return chord.ctrl || chord.alt || (chord.key >= Key::escape && chord.key != Key::space);
}

// Whether `next` would overwrite something of `taken` that a frame has to see first.
bool needs_own_frame(const std::vector<InputEvent>& taken, const InputEvent& next) {
  for (const InputEvent& earlier : taken) {
    const bool earlier_button = std::holds_alternative<ButtonChanged>(earlier);
    const bool earlier_wheel = std::holds_alternative<WheelTurned>(earlier);
    if (const auto* button = std::get_if<ButtonChanged>(&next)) {
      const auto* other = std::get_if<ButtonChanged>(&earlier);
      if (other != nullptr && other->button == button->button) return true;
      if (earlier_wheel) return true;
      // A drag sees where it went before it ends.
      if (!button->down && std::holds_alternative<PointerMoved>(earlier)) return true;
    } else if (std::holds_alternative<PointerMoved>(next) ||
               std::holds_alternative<PointerLeft>(next)) {
      if (earlier_button || earlier_wheel) return true;
    } else if (std::holds_alternative<WheelTurned>(next)) {
      if (earlier_button) return true;
    } else if (const auto* key = std::get_if<KeyChanged>(&next)) {
      const auto* other = std::get_if<KeyChanged>(&earlier);
      if (other != nullptr && other->down != key->down && other->chord.key == key->chord.key) {
        return true;
      }
      if (earlier_button) return true;
    } else if (const auto* typed = std::get_if<CharacterTyped>(&next)) {
      const auto* other = std::get_if<KeyChanged>(&earlier);
      if (other != nullptr && moves_focus(*other, typed->character)) return true;
    }
    const auto now = modifiers_of(next);
    const auto before = modifiers_of(earlier);
    if (now && before && *now != *before && (earlier_button || earlier_wheel)) return true;
  }
  return false;
}

}  // namespace

std::vector<InputEvent> take_for_frame(InputQueue& queue) {
  std::vector<InputEvent> taken;
  while (!queue.empty() && !needs_own_frame(taken, queue.front())) {
    taken.push_back(std::move(queue.front()));
    queue.pop_front();
  }
  return taken;
}

}  // namespace cinderscope
