#include "app/commands/keys.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ingest/base/ascii.h"

namespace cinderscope {
namespace {

// The first name of a key is the one that is shown.
constexpr auto kNamedKeys = std::to_array<std::pair<std::string_view, Key>>({
    {"Escape", Key::escape},  {"Esc", Key::escape},
    {"Enter", Key::enter},    {"Return", Key::enter},
    {"Tab", Key::tab},        {"Backspace", Key::backspace},
    {"Delete", Key::del},     {"Insert", Key::insert},
    {"Left", Key::left},      {"Right", Key::right},
    {"Up", Key::up},          {"Down", Key::down},
    {"Home", Key::home},      {"End", Key::end},
    {"PageUp", Key::page_up}, {"PageDown", Key::page_down},
    {"Space", Key::space},    {"F1", Key::f1},
    {"F2", Key::f2},          {"F3", Key::f3},
    {"F4", Key::f4},          {"F5", Key::f5},
    {"F6", Key::f6},          {"F7", Key::f7},
    {"F8", Key::f8},          {"F9", Key::f9},
    {"F10", Key::f10},        {"F11", Key::f11},
    {"F12", Key::f12},
});

}  // namespace

std::optional<KeyChord> parse_chord(std::string_view text) {
  KeyChord chord;
  // The last '+' may be the key itself: "Ctrl++".
  for (auto plus = text.find('+');
       plus != std::string_view::npos && plus + 1 < text.size() && plus > 0;
       plus = text.find('+')) {
    const std::string modifier = ascii_lower(text.substr(0, plus));
    if (modifier == "ctrl") {
      chord.ctrl = true;
    } else if (modifier == "shift") {
      chord.shift = true;
    } else if (modifier == "alt") {
      chord.alt = true;
    } else {
      return std::nullopt;
    }
    text.remove_prefix(plus + 1);
  }
  const std::string key = ascii_lower(text);
  if (key.size() == 1) {
    const char c = key[0];
    if (c >= 'a' && c <= 'z') {
      chord.key = static_cast<Key>(static_cast<int>(Key::a) + (c - 'a'));
    } else if (c >= '0' && c <= '9') {
      chord.key = static_cast<Key>(static_cast<int>(Key::d0) + (c - '0'));
    } else if (c > ' ' && c < 0x7f) {
      chord.character = static_cast<char32_t>(c);
    } else {
      return std::nullopt;
    }
    return chord;
  }
  const auto found = std::ranges::find_if(
      kNamedKeys, [&key](const auto& each) { return ascii_lower(each.first) == key; });
  if (found == kNamedKeys.end()) return std::nullopt;
  chord.key = found->second;
  return chord;
}

std::string key_name(Key key) {
  const int number = static_cast<int>(key);
  if (key >= Key::a && key <= Key::z) {
    return std::string(1, static_cast<char>('A' + number - static_cast<int>(Key::a)));
  }
  if (key >= Key::d0 && key <= Key::d9) {
    return std::string(1, static_cast<char>('0' + number - static_cast<int>(Key::d0)));
  }
  const auto found = std::ranges::find(kNamedKeys, key, &std::pair<std::string_view, Key>::second);
  return found == kNamedKeys.end() ? std::string() : std::string(found->first);
}

std::string chord_text(const KeyChord& chord) {
  std::string text;
  if (chord.ctrl) text += "Ctrl+";
  if (chord.alt) text += "Alt+";
  if (chord.shift && chord.character == 0) text += "Shift+";
  if (chord.character > U' ' && chord.character < 0x7f) {
    return text + static_cast<char>(chord.character);
  }
  const std::string name = key_name(chord.key);
  return name.empty() ? std::string() : text + name;
}

}  // namespace cinderscope
