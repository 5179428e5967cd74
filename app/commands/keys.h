// Keys of the keyboard, chords of them, and how both are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cinderscope {

// Keys by their place on the keyboard, named after what is there on a US layout.
enum class Key : std::uint8_t {
  none,
  a,
  b,
  c,
  d,
  e,
  f,
  g,
  h,
  i,
  j,
  k,
  l,
  m,
  n,
  o,
  p,
  q,
  r,
  s,
  t,
  u,
  v,
  w,
  x,
  y,
  z,  // clang-format off
  d0, d1, d2, d3, d4, d5, d6, d7, d8, d9,  // clang-format on
  escape,
  enter,
  tab,
  backspace,
  del,
  insert,
  left,
  right,
  up,
  down,
  home,
  end,
  page_up,
  page_down,
  space,
  f1,
  f2,
  f3,
  f4,
  f5,
  f6,
  f7,
  f8,
  f9,
  f10,
  f11,
  f12,
  count,
};

// A key with what is held beside it. Letters, digits and named keys match by place, punctuation by
// the character the key makes.
struct KeyChord {
  Key key = Key::none;
  char32_t character = 0;  // punctuation only
  bool ctrl = false, shift = false, alt = false;
  bool operator==(const KeyChord&) const = default;
};

// "Ctrl+Shift+Tab", "?", "F5", "Home"; nullopt for anything else. Letters in either case.
std::optional<KeyChord> parse_chord(std::string_view text);

// "PageUp", "W", "0"; empty for Key::none.
std::string key_name(Key key);

// "Ctrl+Shift+P", as parse_chord reads it; punctuation goes by its character. Empty for keys that
// have no name, such as Shift by itself.
std::string chord_text(const KeyChord& chord);

}  // namespace cinderscope
