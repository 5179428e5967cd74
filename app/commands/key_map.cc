#include "app/commands/key_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/commands/arguments.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMaxChords = 8;  // of one command

// Calls `visit(word)` for each word between blanks.
template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
  for (CommandCall call = split_call(text); !call.name.empty(); call = split_call(call.argument)) {
    visit(call.name);
  }
}

// Punctuation needs Shift on some layouts and not on others, so Shift is no part of the match.
bool same_character(const KeyChord& wanted, const KeyChord& pressed) {
  if (wanted.character == 0 || wanted.ctrl != pressed.ctrl || wanted.alt != pressed.alt) {
    return false;
  }
  // "Ctrl++" should not ask for Shift where + shares its key with =.
  const bool is_plus = wanted.character == U'+' && wanted.ctrl && pressed.character == U'=';
  return wanted.character == pressed.character || is_plus;
}

bool same_place(const KeyChord& wanted, const KeyChord& pressed) {
  return wanted.character == 0 && wanted.key != Key::none && wanted.key == pressed.key &&
         wanted.ctrl == pressed.ctrl && wanted.alt == pressed.alt && wanted.shift == pressed.shift;
}

// A chord as it is kept: Shift is no part of punctuation.
std::optional<KeyChord> kept_chord(std::string_view text) {
  std::optional<KeyChord> chord = parse_chord(text);
  if (chord && chord->character != 0) chord->shift = false;
  return chord;
}

void append_word(std::string& text, std::string_view word, std::string_view separator) {
  if (!text.empty()) text += separator;
  text += word;
}

// The table's own chords of a command as chords_text writes them.
std::string usual_chords(const Command& command) {
  std::string text;
  for_each_word(command.keys, [&](std::string_view word) {
    if (const auto chord = kept_chord(word)) append_word(text, chord_text(*chord), " ");
  });
  return text;
}

}  // namespace

KeyMap::KeyMap(const CommandTable& commands, const ChangedKeys& changed) : commands_(&commands) {
  const auto add = [this](const Command& command, std::string_view keys) {
    std::size_t count = 0;
    for_each_word(keys, [&](std::string_view word) {
      const auto chord = kept_chord(word);
      if (!chord || count++ >= kMaxChords || owner_of(*chord) != nullptr) return;
      bindings_.push_back({*chord, &command});
    });
  };
  for (const Command& command : commands) {
    const auto found = changed.find(std::string(command.name));
    if (found != changed.end()) add(command, found->second);
  }
  for (const Command& command : commands) {
    if (!changed.contains(std::string(command.name))) add(command, command.keys);
  }
}

const KeyMap::Binding* KeyMap::owner_of(const KeyChord& chord) const {
  const auto found = std::ranges::find(bindings_, chord, &Binding::chord);
  return found == bindings_.end() ? nullptr : &*found;
}

const Command* KeyMap::command_for(const KeyChord& pressed) const {
  const auto with = [&](auto matches) -> const Command* {
    const auto found = std::ranges::find_if(
        bindings_, [&](const Binding& binding) { return matches(binding.chord, pressed); });
    return found == bindings_.end() ? nullptr : found->command;
  };
  // A key that makes the very character goes before one that stands in for it.
  if (const Binding* exact =
          pressed.character != 0
              ? owner_of({.character = pressed.character, .ctrl = pressed.ctrl, .alt = pressed.alt})
              : nullptr) {
    return exact->command;
  }
  if (const Command* by_character = with(same_character)) return by_character;
  return with(same_place);
}

bool KeyMap::is_key_of(std::string_view command, const KeyChord& released) const {
  return std::ranges::any_of(bindings_, [&](const Binding& binding) {
    if (binding.command->name != command) return false;
    KeyChord wanted = binding.chord;
    wanted.ctrl = released.ctrl;
    wanted.alt = released.alt;
    wanted.shift = released.shift;
    const bool is_plus = wanted.character == U'+' && released.character == U'=';
    return is_plus || same_character(wanted, released) || same_place(wanted, released);
  });
}

std::string KeyMap::first(std::string_view command) const {
  const auto found = std::ranges::find_if(
      bindings_, [&](const Binding& each) { return each.command->name == command; });
  return found == bindings_.end() ? std::string() : chord_text(found->chord);
}

std::string KeyMap::all(std::string_view command) const {
  std::string text;
  for (const Binding& binding : bindings_) {
    if (binding.command->name != command) continue;
    append_word(text, chord_text(binding.chord), ", ");
  }
  return text;
}

std::string KeyMap::chords_text(std::string_view command) const {
  std::string text;
  for (const Binding& binding : bindings_) {
    if (binding.command->name != command) continue;
    append_word(text, chord_text(binding.chord), " ");
  }
  return text;
}

bool KeyMap::is_changed(std::string_view command) const {
  const Command* found = commands_->named(command);
  return found != nullptr && chords_text(command) != usual_chords(*found);
}

Result<KeyChange> with_keys(const CommandTable& commands, const ChangedKeys& changed,
                            const Command& command, std::string_view keys) {
  std::vector<KeyChord> wanted;
  std::optional<Error> problem;
  for_each_word(keys, [&](std::string_view word) {
    const auto chord = kept_chord(word);
    if (chord) {
      if (std::ranges::find(wanted, *chord) == wanted.end()) wanted.push_back(*chord);
    } else if (!problem) {
      problem = refused(fmt::format("\"{}\" is not a key; keys look like Ctrl+Shift+P, F5 or ?.",
                                    word.substr(0, 40)));
    }
  });
  if (problem) return *problem;
  if (wanted.size() > kMaxChords) {
    return refused(fmt::format("A command has at most {} keys.", kMaxChords));
  }
  KeyChange change{.keys = changed, .said = {}};
  const KeyMap before(commands, changed);
  // Who had one of the chords goes on with what is left.
  std::string lost;
  for (const Command& other : commands) {
    if (other.name == command.name) continue;
    std::string left;
    bool had = false;
    for_each_word(before.chords_text(other.name), [&](std::string_view word) {
      const auto chord = kept_chord(word);
      if (chord && std::ranges::find(wanted, *chord) != wanted.end()) {
        had = true;
        append_word(lost, fmt::format("{} from \"{}\"", word, other.help), ", ");
      } else {
        append_word(left, word, " ");
      }
    });
    if (had) change.keys[std::string(other.name)] = left;
  }
  std::string text;
  for (const KeyChord& chord : wanted) append_word(text, chord_text(chord), " ");
  change.keys[std::string(command.name)] = text;
  if (text == usual_chords(command)) change.keys.erase(std::string(command.name));
  const std::string now = KeyMap(commands, change.keys).all(command.name);
  change.said = now.empty() ? fmt::format("\"{}\" has no key now", command.help)
                            : fmt::format("\"{}\" is {} now", command.help, now);
  if (!lost.empty()) change.said += "; taken: " + lost;
  return change;
}

}  // namespace cinderscope
