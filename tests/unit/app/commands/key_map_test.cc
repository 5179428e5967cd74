#include "app/commands/key_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "app/window/window_commands.h"

namespace cinderscope {
namespace {

KeyMap keys_with(const ChangedKeys& changed) {
  return KeyMap(window_commands(), changed);
}

std::string command_of(std::string_view chord, const KeyMap& keys = keys_with({})) {
  const auto pressed = parse_chord(chord);
  if (!pressed) return "no chord";
  const Command* found = keys.command_for(*pressed);
  return found == nullptr ? "" : std::string(found->name);
}

Result<KeyChange> changed_keys(const ChangedKeys& changed, const Command& command,
                               std::string_view keys) {
  return with_keys(window_commands(), changed, command, keys);
}

const Command& named(std::string_view name) {
  return *window_commands().named(name);
}

TEST(KeyMapTest, GivesNoKeyToTwoCommands) {
  std::set<std::string> chords;
  for (const Command& entry : window_commands()) {
    std::string_view rest = entry.keys;
    while (!rest.empty()) {
      const auto blank = std::min(rest.find(' '), rest.size());
      const std::string chord(rest.substr(0, blank));
      EXPECT_TRUE(parse_chord(chord)) << chord;
      EXPECT_TRUE(chords.insert(chord).second) << chord;
      EXPECT_EQ(command_of(chord), entry.name);
      rest.remove_prefix(std::min(blank + 1, rest.size()));
    }
  }
}

TEST(KeyMapTest, AKeyThatGoesUpIsKnownWhateverIsHeldBesideIt) {
  const KeyMap keys = keys_with({{"zoom-in", "Ctrl+I"}, {"pan-left", "Shift+J ["}});
  EXPECT_TRUE(keys.is_key_of("zoom-in", *parse_chord("I")));
  EXPECT_TRUE(keys.is_key_of("zoom-in", *parse_chord("Ctrl+Shift+I")));
  EXPECT_FALSE(keys.is_key_of("zoom-in", *parse_chord("W")));
  EXPECT_TRUE(keys.is_key_of("pan-left", *parse_chord("J")));
  EXPECT_TRUE(keys.is_key_of("pan-left", *parse_chord("Ctrl+[")));
  EXPECT_FALSE(keys.is_key_of("pan-right", *parse_chord("J")));
}

TEST(KeyMapTest, BindsTheKeysThatPeopleExpect) {
  const std::pair<const char*, const char*> keys[] = {{"Ctrl+O", "open"},
                                                      {"Ctrl+R", "reload"},
                                                      {"F5", "reload"},
                                                      {"Ctrl+W", "close"},
                                                      {"W", "zoom-in"},
                                                      {"s", "zoom-out"},
                                                      {"A", "pan-left"},
                                                      {"D", "pan-right"},
                                                      {"0", "fit"},
                                                      {"Home", "fit"},
                                                      {"F", "zoom-selection"},
                                                      {"Z", "zoom-selection"},
                                                      {"Up", "select-parent"},
                                                      {"Down", "select-child"},
                                                      {"Left", "select-previous"},
                                                      {"Escape", "clear"},
                                                      {"Right", "select-next"},
                                                      {"Alt+Left", "back"},
                                                      {"?", "help"},
                                                      {"Alt+Right", "forward"},
                                                      {"Ctrl++", "larger"},
                                                      {"Ctrl+-", "smaller"},
                                                      {"Ctrl+0", "normal-size"},
                                                      {"Ctrl+Q", "quit"},
                                                      {"Ctrl+Tab", "next-tab"},
                                                      {"Ctrl+Shift+Tab", "previous-tab"}};
  for (const auto& [chord, name] : keys) EXPECT_EQ(command_of(chord), name) << chord;
}

TEST(KeyMapTest, MatchesModifiersOfLettersExactly) {
  EXPECT_EQ(command_of("Shift+W"), "");
  EXPECT_EQ(command_of("Alt+W"), "");
  EXPECT_EQ(command_of("Ctrl+Shift+O"), "");
}

TEST(KeyMapTest, MatchesPunctuationByCharacterWhateverShiftIs) {
  // On a German layout ? is Shift and the key right of 0, on a US one Shift and /.
  KeyChord pressed{.key = Key::none, .character = U'?', .shift = true};
  ASSERT_NE(keys_with({}).command_for(pressed), nullptr);
  EXPECT_EQ(keys_with({}).command_for(pressed)->name, "help");
  pressed = {.character = U'=', .ctrl = true};
  ASSERT_NE(keys_with({}).command_for(pressed), nullptr);
  EXPECT_EQ(keys_with({}).command_for(pressed)->name, "larger");
  EXPECT_EQ(keys_with({}).command_for(KeyChord{}), nullptr);
}

TEST(KeyMapTest, ShowsTheFirstChordInMenusAndAllInTheHelp) {
  const KeyMap keys = keys_with({});
  EXPECT_EQ(keys.first("reload"), "Ctrl+R");
  EXPECT_EQ(keys.all("reload"), "Ctrl+R, F5");
  EXPECT_EQ(keys.first("cancel"), "");
  EXPECT_EQ(keys.all("cancel"), "");
}

TEST(KeyMapTest, WritesChordsAsTheyAreRead) {
  for (const Command& entry : window_commands()) {
    EXPECT_EQ(keys_with({}).chords_text(entry.name), entry.keys) << entry.name;
  }
  EXPECT_EQ(chord_text(*parse_chord("shift+alt+CTRL+pagedown")), "Ctrl+Alt+Shift+PageDown");
  EXPECT_EQ(chord_text(*parse_chord("esc")), "Escape");
  EXPECT_EQ(chord_text({}), "");
  EXPECT_EQ(chord_text({.ctrl = true}), "");
}

TEST(KeyMapTest, PrefersTheCharacterToThePlaceOfAKey) {
  // On a German layout the key right of L makes a slash with Shift where 7 is.
  EXPECT_EQ(keys_with({}).command_for({.key = Key::d7, .character = U'/', .shift = true})->name,
            "search");
  // On a French one the key where others have M makes a comma.
  EXPECT_EQ(keys_with({}).command_for({.key = Key::m, .character = U','})->name, "previous-pair");
  const KeyMap bound = keys_with({{"fit", ","}});
  EXPECT_EQ(bound.command_for({.key = Key::m, .character = U','})->name, "fit");
  // AltGr and 8 on a German one, whose place counts for nothing then.
  EXPECT_EQ(keys_with({}).command_for({.key = Key::none, .character = U'['})->name,
            "previous-bookmark");
}

TEST(KeyMapTest, GivesAChordToWhoAskedForItLast) {
  const KeyChange change = *changed_keys({}, named("fit"), "G ctrl+o");
  EXPECT_NE(change.said.find("Ctrl+O from \"Open a trace\""), std::string::npos) << change.said;
  const KeyMap keys = keys_with(change.keys);
  EXPECT_EQ(command_of("G", keys), "fit");
  EXPECT_EQ(command_of("Ctrl+O", keys), "fit");
  EXPECT_EQ(command_of("0", keys), "");
  EXPECT_EQ(keys.all("fit"), "G, Ctrl+O");
  EXPECT_EQ(keys.all("open"), "");
  EXPECT_TRUE(keys.is_changed("open"));
  EXPECT_FALSE(keys.is_changed("close"));
}

TEST(KeyMapTest, LeavesTheOtherChordsOfWhoLosesOne) {
  KeyChange change = *changed_keys({}, named("panel"), "F5");
  EXPECT_EQ(keys_with(change.keys).all("reload"), "Ctrl+R");
  change = *changed_keys(change.keys, named("panel"), "Ctrl+R F5");
  EXPECT_EQ(keys_with(change.keys).all("reload"), "");
  EXPECT_EQ(keys_with(change.keys).all("panel"), "Ctrl+R, F5");
}

TEST(KeyMapTest, TakesAllKeysAway) {
  const KeyChange change = *changed_keys({}, named("quit"), "");
  EXPECT_EQ(command_of("Ctrl+Q", keys_with(change.keys)), "");
  EXPECT_NE(change.said.find("no key"), std::string::npos);
}

TEST(KeyMapTest, GivesTheTablesKeysBack) {
  const ChangedKeys changed = changed_keys({}, named("fit"), "Ctrl+O")->keys;
  const ChangedKeys restored = changed_keys(changed, named("open"), named("open").keys)->keys;
  EXPECT_EQ(command_of("Ctrl+O", keys_with(restored)), "open");
  EXPECT_EQ(keys_with(restored).all("fit"), "");
  EXPECT_EQ(changed_keys(restored, named("fit"), named("fit").keys)->keys, ChangedKeys{});
}

TEST(KeyMapTest, RefusesWhatIsNoChordAndChangesNothing) {
  const ChangedKeys before = {{"fit", "G"}};
  for (const std::string& keys :
       {std::string("Hyper+X"), std::string("A Ctrl+"), std::string("\xff"),
        std::string(1 << 20, 'x'), std::string("A B C D E F G H I")}) {
    const Result<KeyChange> change = changed_keys(before, named("fit"), keys);
    ASSERT_FALSE(change) << keys.substr(0, 20);
    EXPECT_LT(change.error().text.size(), 200u);
  }
}

TEST(KeyMapTest, PassesOverWhatSettingsGotWrong) {
  const KeyMap keys = keys_with({{"fit", "Hyper+X G \xff"}, {"nonsense", "W"}, {"open", "G"}});
  EXPECT_EQ(command_of("W", keys), "zoom-in");
  // Both want G: the first in the table has it.
  EXPECT_EQ(command_of("G", keys), "open");
  EXPECT_EQ(keys.all("fit"), "");
}

}  // namespace
}  // namespace cinderscope
