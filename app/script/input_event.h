// What the user does, as the window tells it: the same events for GLFW and for --play scripts.
#pragma once

#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "app/commands/keys.h"

namespace cinderscope {

struct Modifiers {
  bool ctrl = false, shift = false, alt = false;
  bool operator==(const Modifiers&) const = default;
};

enum class MouseButton : std::uint8_t { left, right, middle };

// Positions in pixels of the framebuffer from its top left corner.
struct PointerMoved {
  float x = 0, y = 0;
  Modifiers modifiers;
};
struct PointerLeft {};
struct ButtonChanged {
  MouseButton button = MouseButton::left;
  bool down = false;
  Modifiers modifiers;
};
struct WheelTurned {
  float dx = 0, dy = 0;  // notches; dy > 0 away from the user
  Modifiers modifiers;
};
// `chord.character` is what the key made on the user's layout, with all that was held beside it, if
// that is punctuation. With AltGr held letters and digits have no place (Key::none).
struct KeyChanged {
  KeyChord chord;
  bool down = false, repeat = false;
};
struct CharacterTyped {
  char32_t character = 0;
};
struct FilesDropped {
  std::vector<std::string> paths;
  bool shift = false;  // was held
};
struct FocusChanged {
  bool focused = false;
};

using InputEvent = std::variant<PointerMoved, PointerLeft, ButtonChanged, WheelTurned, KeyChanged,
                                CharacterTyped, FilesDropped, FocusChanged>;
using InputQueue = std::deque<InputEvent>;

// Takes from the front what one frame can show: a press and its release, or a press and the
// movement after it, go to different frames, since a frame sees only one state of a button. So do a
// key that may move the focus and what is typed behind it: a field takes text from the next frame.
std::vector<InputEvent> take_for_frame(InputQueue& queue);

}  // namespace cinderscope
