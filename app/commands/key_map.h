// Which keys stand for which command: the table's chords, changed by the user's settings.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"

namespace cinderscope {

// Command name -> chords separated by blanks; empty: the command has no key. As in Settings::keys.
using ChangedKeys = std::map<std::string, std::string>;

// "Ctrl+Shift+P", as parse_chord reads it; punctuation goes by its character. Empty for keys that
// have no name, such as Shift by itself.
std::string chord_text(const KeyChord& chord);

// One owner per chord: a changed command keeps its chord against the table's owner, of two changed
// ones the first in the table does. What is no command or no chord is passed over.
class KeyMap {
 public:
  KeyMap() : KeyMap(ChangedKeys{}) {}
  explicit KeyMap(const ChangedKeys& changed);

  // The command that `pressed` stands for, or null. Characters go before places.
  const Command* command_for(const KeyChord& pressed) const;
  // Whether the command is held by this key, whose modifiers may have gone up before it.
  bool is_key_of(CommandId id, const KeyChord& released) const;

  // As shown to people: "Ctrl+R" or, all of them, "Ctrl+R, F5"; empty if there is none.
  std::string first(CommandId id) const;
  std::string all(CommandId id) const;
  // "Ctrl+R F5", as Settings::keys has it.
  std::string chords_text(CommandId id) const;
  // Whether the keys are other ones than the table's.
  bool is_changed(CommandId id) const;

 private:
  struct Binding {
    KeyChord chord;
    const Command* command;
  };
  const Binding* owner_of(const KeyChord& chord) const;
  std::vector<Binding> bindings_;
};

// What `bind` does: `keys` (chords separated by blanks; none takes all away) for one command. The
// commands that had a chord until now lose it. `problem` says what is wrong, and nothing changes.
struct KeyChange {
  ChangedKeys keys;
  std::string said;  // in plain words, for the status bar
  std::string problem;
};
KeyChange with_keys(const ChangedKeys& changed, const Command& command, std::string_view keys);

// The table's keys for one command again; they are taken from others as with_keys does.
KeyChange with_default_keys(const ChangedKeys& changed, const Command& command);

}  // namespace cinderscope
