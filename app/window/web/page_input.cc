// What the page calls on its own thread: packaging/web/input.js and files.js.
#include <emscripten.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/window/web/page.h"

namespace cinderscope {
namespace {

// Bits in which the page tells what is held.
Modifiers modifiers_of(int held) {
  return {.ctrl = (held & 1) != 0, .shift = (held & 2) != 0, .alt = (held & 4) != 0};
}

Key numbered(Key first, char digit, char first_digit) {
  return static_cast<Key>(static_cast<int>(first) + digit - first_digit);
}

// A key by its place, as browsers name it (KeyboardEvent.code).
Key key_of(std::string_view code) {
  if (code.size() == 4 && code.starts_with("Key") && code[3] >= 'A' && code[3] <= 'Z') {
    return numbered(Key::a, code[3], 'A');
  }
  const bool digit = !code.empty() && code.back() >= '0' && code.back() <= '9';
  if (digit && (code.starts_with("Digit") || code.starts_with("Numpad"))) {
    return numbered(Key::d0, code.back(), '0');
  }
  if (digit && code.starts_with("F")) {
    const int number = code.size() == 2 ? code[1] - '0' : 10 + code[2] - '0';
    return number >= 1 && number <= 12 ? static_cast<Key>(static_cast<int>(Key::f1) + number - 1)
                                       : Key::none;
  }
  static constexpr auto kOthers = std::to_array<std::pair<std::string_view, Key>>({
      {"Escape", Key::escape},
      {"Enter", Key::enter},
      {"NumpadEnter", Key::enter},
      {"Tab", Key::tab},
      {"Backspace", Key::backspace},
      {"Delete", Key::del},
      {"Insert", Key::insert},
      {"ArrowLeft", Key::left},
      {"ArrowRight", Key::right},
      {"ArrowUp", Key::up},
      {"ArrowDown", Key::down},
      {"Home", Key::home},
      {"End", Key::end},
      {"PageUp", Key::page_up},
      {"PageDown", Key::page_down},
      {"Space", Key::space},
  });
  const auto found = std::ranges::find(kOthers, code, &std::pair<std::string_view, Key>::first);
  return found == kOthers.end() ? Key::none : found->second;
}

bool is_punctuation(char32_t c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return c > ' ' && c < 0x7f && !letter && !(c >= '0' && c <= '9');
}

FilesDropped& drop_on_its_way() {
  static FilesDropped drop;
  return drop;
}

}  // namespace

Page& the_page() {
  static auto* const page = new Page;  // other threads use it until the end
  return *page;
}

void push_of_page(InputEvent event) {
  Page& page = the_page();
  {
    const std::lock_guard lock(page.mutex);
    page.queue.push_back(std::move(event));
  }
  page.changed.notify_all();
}

}  // namespace cinderscope

using namespace cinderscope;

extern "C" {

// `character`: what the key makes on the user's layout, 0 if that is no single character.
// `graphic`: AltGr is held, which makes characters and is no Alt.
EMSCRIPTEN_KEEPALIVE void cinderscope_key(const char* code, int character, int down, int repeat,
                                          int held, int graphic) {
  const Modifiers modifiers = modifiers_of(held);
  const auto made = static_cast<char32_t>(character);
  KeyChanged event;
  event.chord = {.key = key_of(code),
                 .ctrl = modifiers.ctrl && graphic == 0,
                 .shift = modifiers.shift,
                 .alt = modifiers.alt && graphic == 0};
  if (graphic != 0 && event.chord.key < Key::escape) event.chord.key = Key::none;
  if (is_punctuation(made)) event.chord.character = made;
  event.down = down != 0;
  event.repeat = repeat != 0;
  push_of_page(event);
  if (event.down && made >= ' ' && made != 0x7f && !event.chord.ctrl && !event.chord.alt) {
    push_of_page(CharacterTyped{made});
  }
}

EMSCRIPTEN_KEEPALIVE void cinderscope_pointer(double x_px, double y_px, int held) {
  push_of_page(PointerMoved{.x = static_cast<float>(x_px),
                            .y = static_cast<float>(y_px),
                            .modifiers = modifiers_of(held)});
}

EMSCRIPTEN_KEEPALIVE void cinderscope_pointer_left() {
  push_of_page(PointerLeft{});
}

// As browsers number buttons: left, middle, right.
EMSCRIPTEN_KEEPALIVE void cinderscope_button(int button, int down, int held) {
  constexpr std::array kButtons = {MouseButton::left, MouseButton::middle, MouseButton::right};
  if (button < 0 || button >= static_cast<int>(kButtons.size())) return;
  push_of_page(ButtonChanged{.button = kButtons.at(static_cast<std::size_t>(button)),
                             .down = down != 0,
                             .modifiers = modifiers_of(held)});
}

EMSCRIPTEN_KEEPALIVE void cinderscope_wheel(double dx, double dy, int held) {
  push_of_page(WheelTurned{
      .dx = static_cast<float>(dx), .dy = static_cast<float>(dy), .modifiers = modifiers_of(held)});
}

EMSCRIPTEN_KEEPALIVE void cinderscope_focus(int focused) {
  push_of_page(FocusChanged{focused != 0});
}

EMSCRIPTEN_KEEPALIVE void cinderscope_pasted(const char* text) {
  Page& page = the_page();
  const std::lock_guard lock(page.mutex);
  page.pasted = text;
}

// A file of a drop; the last one is followed by cinderscope_drop_end().
EMSCRIPTEN_KEEPALIVE void cinderscope_drop(const char* path) {
  drop_on_its_way().paths.emplace_back(path);
}

EMSCRIPTEN_KEEPALIVE void cinderscope_drop_end(int shift) {
  drop_on_its_way().shift = shift != 0;
  push_of_page(std::exchange(drop_on_its_way(), {}));
}

EMSCRIPTEN_KEEPALIVE void cinderscope_resized(int width_px, int height_px, double scale) {
  Page& page = the_page();
  {
    const std::lock_guard lock(page.mutex);
    page.size = {.width_px = width_px, .height_px = height_px};
    page.scale = static_cast<float>(scale);
    page.damaged = true;
  }
  page.changed.notify_all();
}

EMSCRIPTEN_KEEPALIVE void cinderscope_hidden(int hidden) {
  Page& page = the_page();
  {
    const std::lock_guard lock(page.mutex);
    page.hidden = hidden != 0;
    page.damaged = true;
  }
  page.changed.notify_all();
}

EMSCRIPTEN_KEEPALIVE void cinderscope_frame_shown() {
  Page& page = the_page();
  {
    const std::lock_guard lock(page.mutex);
    ++page.shown;
  }
  page.changed.notify_all();
}
}
