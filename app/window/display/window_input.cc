// What GLFW tells of keyboard, pointer and window, as input events.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "app/desktop/display_keys.h"
#include "app/window/display/window_impl.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

Window::Impl& impl_of(GLFWwindow* window) {
  return *static_cast<Window::Impl*>(glfwGetWindowUserPointer(window));
}

void push(GLFWwindow* window, InputEvent event) {
  Window::Impl& impl = impl_of(window);
  if (impl.queue != nullptr) impl.queue->push_back(std::move(event));
}

bool held(GLFWwindow* window, int left, int right) {
  return glfwGetKey(window, left) == GLFW_PRESS || glfwGetKey(window, right) == GLFW_PRESS;
}

// Asked of the keyboard each time, since scroll and move callbacks do not tell.
Modifiers modifiers_now(GLFWwindow* window) {
  return {.ctrl = held(window, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL),
          .shift = held(window, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT),
          .alt = held(window, GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT)};
}

Key key_from_glfw(int key) {
  if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) {
    return static_cast<Key>(static_cast<int>(Key::a) + key - GLFW_KEY_A);
  }
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) {
    return static_cast<Key>(static_cast<int>(Key::d0) + key - GLFW_KEY_0);
  }
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) {
    return static_cast<Key>(static_cast<int>(Key::d0) + key - GLFW_KEY_KP_0);
  }
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) {
    return static_cast<Key>(static_cast<int>(Key::f1) + key - GLFW_KEY_F1);
  }
  constexpr auto kOthers = std::to_array<std::pair<int, Key>>({
      {GLFW_KEY_ESCAPE, Key::escape},
      {GLFW_KEY_ENTER, Key::enter},
      {GLFW_KEY_KP_ENTER, Key::enter},
      {GLFW_KEY_TAB, Key::tab},
      {GLFW_KEY_BACKSPACE, Key::backspace},
      {GLFW_KEY_DELETE, Key::del},
      {GLFW_KEY_INSERT, Key::insert},
      {GLFW_KEY_LEFT, Key::left},
      {GLFW_KEY_RIGHT, Key::right},
      {GLFW_KEY_UP, Key::up},
      {GLFW_KEY_DOWN, Key::down},
      {GLFW_KEY_HOME, Key::home},
      {GLFW_KEY_END, Key::end},
      {GLFW_KEY_PAGE_UP, Key::page_up},
      {GLFW_KEY_PAGE_DOWN, Key::page_down},
      {GLFW_KEY_SPACE, Key::space},
  });
  const auto* found = std::ranges::find(kOthers, key, &std::pair<int, Key>::first);
  return found == kOthers.end() ? Key::none : found->second;
}

// The punctuation that the key makes on the user's layout, or 0.
char32_t punctuation_of(int key, int scancode) {
  if (key == GLFW_KEY_KP_ADD) return U'+';
  if (key == GLFW_KEY_KP_SUBTRACT) return U'-';
  const char* name = glfwGetKeyName(key, scancode);
  if (name == nullptr || std::strlen(name) != 1) return 0;
  const auto c = static_cast<unsigned char>(name[0]);
  const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return plain || c <= ' ' || c >= 0x7f ? 0 : c;
}

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  Window::Impl& impl = impl_of(window);
  KeyChanged event;
  event.chord = {.key = key_from_glfw(key),
                 .ctrl = (mods & GLFW_MOD_CONTROL) != 0,
                 .shift = (mods & GLFW_MOD_SHIFT) != 0,
                 .alt = (mods & GLFW_MOD_ALT) != 0};
  if (key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER) {
    // Of such a key itself `mods` tells what was held before.
    const Modifiers now = modifiers_now(window);
    event.chord.ctrl = now.ctrl;
    event.chord.shift = now.shift;
    event.chord.alt = now.alt;
  }
  event.down = action != GLFW_RELEASE;
  event.repeat = action == GLFW_REPEAT;
  // AltGr is the right Alt key without being Alt: what is pressed with it is meant for the
  // character that it makes, never for the place of the key.
  const bool alt_gr = glfwGetKey(window, GLFW_KEY_RIGHT_ALT) == GLFW_PRESS && !event.chord.alt;
  const bool named = key_from_glfw(key) >= Key::escape;
  if (alt_gr && !named) event.chord.key = Key::none;
  impl.pressed_scancode = -1;
  if (event.down) {
    // A character that follows (on_character) is right whatever is held; until then, or where none
    // follows because Ctrl is held, it is what the key makes by itself.
    if (!alt_gr && !event.chord.shift) event.chord.character = punctuation_of(key, scancode);
    impl.characters[scancode] = event.chord.character;
    impl.pressed_scancode = scancode;
  } else if (const auto made = impl.characters.find(scancode); made != impl.characters.end()) {
    event.chord.character = made->second;
  }
  push(window, event);
}

// Comes right after the press of the key that makes it; also with Ctrl held, as long as what the
// layout makes then is a character.
void on_character(GLFWwindow* window, unsigned character, int mods) {
  Window::Impl& impl = impl_of(window);
  if (impl.queue == nullptr) return;
  const bool letter =
      (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
  const bool digit = character >= '0' && character <= '9';
  const bool punctuation = character > ' ' && character < 0x7f && !letter && !digit;
  if (!impl.queue->empty() && impl.pressed_scancode >= 0) {
    if (auto* key = std::get_if<KeyChanged>(&impl.queue->back()); key != nullptr && key->down) {
      key->chord.character = punctuation ? static_cast<char32_t>(character) : 0;
      impl.characters[impl.pressed_scancode] = key->chord.character;
    }
  }
  impl.pressed_scancode = -1;
  if ((mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT)) != 0) return;  // a command, no text
  push(window, CharacterTyped{static_cast<char32_t>(character)});
}

PointerMoved moved_to(GLFWwindow* window, double x, double y) {
  // The pointer is in screen coordinates, everything here in pixels.
  const Window::Impl& impl = impl_of(window);
  return {.x = static_cast<float>(x * impl.size.width_px / std::max(impl.width, 1)),
          .y = static_cast<float>(y * impl.size.height_px / std::max(impl.height, 1)),
          .modifiers = modifiers_now(window)};
}

void on_button(GLFWwindow* window, int button, int action, int /*mods*/) {
  if (button > GLFW_MOUSE_BUTTON_MIDDLE) return;
  push(window, ButtonChanged{.button = static_cast<MouseButton>(button),
                             .down = action == GLFW_PRESS,
                             .modifiers = modifiers_now(window)});
}

void on_drop(GLFWwindow* window, int count, const char** paths) {
  FilesDropped drop;
  for (int i = 0; i < count; ++i) drop.paths.push_back(utf8_of(path_of(paths[i])));
  // While files are dragged another window has the keyboard, so GLFW has seen no key go down.
  drop.shift = modifiers_now(window).shift || display_has_shift_held();
  push(window, std::move(drop));
}

}  // namespace

void take_input_of(GLFWwindow* window) {
  glfwSetKeyCallback(window, on_key);
  glfwSetCharModsCallback(window, on_character);
  glfwSetCursorPosCallback(window,
                           [](GLFWwindow* w, double x, double y) { push(w, moved_to(w, x, y)); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    if (entered == GLFW_FALSE) push(w, PointerLeft{});
  });
  glfwSetMouseButtonCallback(window, on_button);
  glfwSetScrollCallback(window, [](GLFWwindow* w, double dx, double dy) {
    push(w, WheelTurned{.dx = static_cast<float>(dx),
                        .dy = static_cast<float>(dy),
                        .modifiers = modifiers_now(w)});
  });
  glfwSetDropCallback(window, on_drop);
  glfwSetWindowFocusCallback(
      window, [](GLFWwindow* w, int focused) { push(w, FocusChanged{focused == GLFW_TRUE}); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { impl_of(w).damaged = true; });
  glfwSetWindowSizeCallback(window, [](GLFWwindow* w, int width, int height) {
    impl_of(w).width = width;
    impl_of(w).height = height;
  });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int width_px, int height_px) {
    impl_of(w).size = {width_px, height_px};
    impl_of(w).damaged = true;
  });
  glfwSetWindowIconifyCallback(
      window, [](GLFWwindow* w, int minimised) { impl_of(w).minimised = minimised == GLFW_TRUE; });
  glfwSetWindowMaximizeCallback(
      window, [](GLFWwindow* w, int maximised) { impl_of(w).maximised = maximised == GLFW_TRUE; });
  glfwSetWindowContentScaleCallback(window,
                                    [](GLFWwindow* w, float, float) { impl_of(w).damaged = true; });
}

}  // namespace cinderscope
