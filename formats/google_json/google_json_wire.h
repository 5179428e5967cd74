// The words of the Google trace event format: its keys and phases, and how a key is told.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace cinderscope::google_json {

// The keys of an event that mean something here (google-json specification, section 3).
enum class Key : std::uint8_t {
  phase,
  name,
  time,
  duration,
  pid,
  tid,
  category,
  args,
  id,
  id2,
  scope,
  instant_scope,
  binding_point,
  bind_id,
  flow_in,
  flow_out,
  stack_frame,
  end_stack_frame,
  stack,
  end_stack,
  cpu_time,
  cpu_duration,
  cut,
  other,
};
inline constexpr unsigned kKeyCount = static_cast<unsigned>(Key::other) + 1;

constexpr unsigned index(Key key) {
  return static_cast<unsigned>(key);
}

// Characters of each key, in the order of Key; 0 for `other`.
inline constexpr std::array<std::uint8_t, kKeyCount> kKeyLengths = {
    2, 4, 2, 3, 3, 3, 3, 4, 2, 3, 5, 1, 2, 7, 7, 8, 2, 3, 5, 6, 3, 4, 3, 0};
constexpr unsigned key_length(Key key) {
  return kKeyLengths[index(key)];
}

constexpr std::uint32_t key_tag(char a, char b, char c) {
  return static_cast<std::uint32_t>(static_cast<unsigned char>(a)) |
         static_cast<std::uint32_t>(static_cast<unsigned char>(b)) << 8 |
         static_cast<std::uint32_t>(static_cast<unsigned char>(c)) << 16;
}

// The key whose text and closing quote stand at `text`; at least 16 bytes must be readable. A key
// that is written with escapes comes out as `other`.
inline Key key_at(const char* text) {
  const auto spells = [text](std::string_view wanted, Key key) {
    return std::memcmp(text, wanted.data(), wanted.size()) == 0 ? key : Key::other;
  };
  switch (key_tag(text[0], text[1], text[2])) {
    case key_tag('p', 'h', '"'):
      return Key::phase;
    case key_tag('t', 's', '"'):
      return Key::time;
    case key_tag('i', 'd', '"'):
      return Key::id;
    case key_tag('b', 'p', '"'):
      return Key::binding_point;
    case key_tag('s', 'f', '"'):
      return Key::stack_frame;
    case key_tag('n', 'a', 'm'):
      return spells("name\"", Key::name);
    case key_tag('d', 'u', 'r'):
      return spells("dur\"", Key::duration);
    case key_tag('c', 'u', 't'):
      return spells("cut\"", Key::cut);
    case key_tag('p', 'i', 'd'):
      return spells("pid\"", Key::pid);
    case key_tag('t', 'i', 'd'):
      return spells("tid\"", Key::tid);
    case key_tag('c', 'a', 't'):
      return spells("cat\"", Key::category);
    case key_tag('a', 'r', 'g'):
      return spells("args\"", Key::args);
    case key_tag('t', 't', 's'):
      return spells("tts\"", Key::cpu_time);
    case key_tag('t', 'd', 'u'):
      return spells("tdur\"", Key::cpu_duration);
    case key_tag('i', 'd', '2'):
      return spells("id2\"", Key::id2);
    case key_tag('s', 'c', 'o'):
      return spells("scope\"", Key::scope);
    case key_tag('b', 'i', 'n'):
      return spells("bind_id\"", Key::bind_id);
    case key_tag('f', 'l', 'o'):
      return text[5] == 'i' ? spells("flow_in\"", Key::flow_in)
                            : spells("flow_out\"", Key::flow_out);
    case key_tag('e', 's', 'f'):
      return spells("esf\"", Key::end_stack_frame);
    case key_tag('s', 't', 'a'):
      return spells("stack\"", Key::stack);
    case key_tag('e', 's', 't'):
      return spells("estack\"", Key::end_stack);
    default:
      return text[0] == 's' && text[1] == '"' ? Key::instant_scope : Key::other;
  }
}

// The key that `text` spells: decoded, without quotes.
inline Key key_from_text(std::string_view text) {
  char padded[32] = {};
  if (text.size() > 12) return Key::other;
  std::memcpy(padded, text.data(), text.size());
  padded[text.size()] = '"';
  return key_at(padded);
}

// What becomes of an event, by its phase letter (section 4).
enum class PhaseKind : std::uint8_t {
  unknown,
  slice,     // B E X
  instant,   // i I R
  counter,   // C
  async,     // b e S F, and their steps n T p
  object,    // N O D
  flow,      // s t f
  sample,    // P
  metadata,  // M
  ignored,   // v V c ( )
};

constexpr PhaseKind phase_kind(char letter) {
  switch (letter) {
    case 'B':
    case 'E':
    case 'X':
      return PhaseKind::slice;
    case 'i':
    case 'I':
    case 'R':
      return PhaseKind::instant;
    case 'C':
      return PhaseKind::counter;
    case 'b':
    case 'n':
    case 'e':
    case 'S':
    case 'T':
    case 'p':
    case 'F':
      return PhaseKind::async;
    case 's':
    case 't':
    case 'f':
      return PhaseKind::flow;
    case 'P':
      return PhaseKind::sample;
    case 'M':
      return PhaseKind::metadata;
    case 'N':
    case 'O':
    case 'D':
      return PhaseKind::object;
    case 'v':
    case 'V':
    case 'c':
    case '(':
    case ')':
      return PhaseKind::ignored;
    default:
      return PhaseKind::unknown;
  }
}

}  // namespace cinderscope::google_json
