// Which keys stand for which command: the table's chords, changed by the user's settings.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/keys.h"

namespace cinderscope {

// Command name -> chords separated by blanks; empty: the command has no key. As in Settings::keys.
using ChangedKeys = std::map<std::string, std::string>;

// One owner per chord: a changed command keeps its chord against the table's owner, of two changed
// ones the first in the table does. What is no command or no chord is passed over. Commands go by
// their names; the table must outlive the map.
class KeyMap {
 public:
  explicit KeyMap(const CommandTable& commands, const ChangedKeys& changed = {});

  // The command that `pressed` stands for, or null. Characters go before places.
  const Command* command_for(const KeyChord& pressed) const;
  // Whether the command is held by this key, whose modifiers may have gone up before it.
  bool is_key_of(std::string_view command, const KeyChord& released) const;

  // As shown to people: "Ctrl+R" or, all of them, "Ctrl+R, F5"; empty if there is none.
  std::string first(std::string_view command) const;
  std::string all(std::string_view command) const;
  // "Ctrl+R F5", as Settings::keys has it.
  std::string chords_text(std::string_view command) const;
  // Whether the keys are other ones than the table's.
  bool is_changed(std::string_view command) const;

 private:
  struct Binding {
    KeyChord chord;
    const Command* command;
  };
  const Binding* owner_of(const KeyChord& chord) const;
  const CommandTable* commands_;
  std::vector<Binding> bindings_;
};

// What `bind` does: `keys` (chords separated by blanks; none takes all away) for one command. The
// commands that had a chord until now lose it.
struct KeyChange {
  ChangedKeys keys;
  std::string said;  // in plain words, for the status bar
};
Result<KeyChange> with_keys(const CommandTable& commands, const ChangedKeys& changed,
                            const Command& command, std::string_view keys);

}  // namespace cinderscope
