#include "app/commands/key_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace cinderscope {
namespace {

std::string command_of(std::string_view chord, const KeyMap& keys = KeyMap()) {
  const auto pressed = parse_chord(chord);
  if (!pressed) return "no chord";
  const Command* found = keys.command_for(*pressed);
  return found == nullptr ? "" : std::string(found->name);
}

const Command& named(std::string_view name) {
  return *command_named(name);
}

TEST(KeyMapTest, GivesNoKeyToTwoCommands) {
  std::set<std::string> chords;
  for (const Command& entry : all_commands()) {
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
  const KeyMap keys(ChangedKeys{{"zoom-in", "Ctrl+I"}, {"pan-left", "Shift+J ["}});
  EXPECT_TRUE(keys.is_key_of(CommandId::zoom_in, *parse_chord("I")));
  EXPECT_TRUE(keys.is_key_of(CommandId::zoom_in, *parse_chord("Ctrl+Shift+I")));
  EXPECT_FALSE(keys.is_key_of(CommandId::zoom_in, *parse_chord("W")));
  EXPECT_TRUE(keys.is_key_of(CommandId::pan_left, *parse_chord("J")));
  EXPECT_TRUE(keys.is_key_of(CommandId::pan_left, *parse_chord("Ctrl+[")));
  EXPECT_FALSE(keys.is_key_of(CommandId::pan_right, *parse_chord("J")));
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
  ASSERT_NE(KeyMap().command_for(pressed), nullptr);
  EXPECT_EQ(KeyMap().command_for(pressed)->id, CommandId::help);
  pressed = {.character = U'=', .ctrl = true};
  ASSERT_NE(KeyMap().command_for(pressed), nullptr);
  EXPECT_EQ(KeyMap().command_for(pressed)->id, CommandId::larger);
  EXPECT_EQ(KeyMap().command_for(KeyChord{}), nullptr);
}

TEST(KeyMapTest, ShowsTheFirstChordInMenusAndAllInTheHelp) {
  const KeyMap keys;
  EXPECT_EQ(keys.first(CommandId::reload), "Ctrl+R");
  EXPECT_EQ(keys.all(CommandId::reload), "Ctrl+R, F5");
  EXPECT_EQ(keys.first(CommandId::cancel), "");
  EXPECT_EQ(keys.all(CommandId::cancel), "");
}

TEST(KeyMapTest, WritesChordsAsTheyAreRead) {
  for (const Command& entry : all_commands()) {
    EXPECT_EQ(KeyMap().chords_text(entry.id), entry.keys) << entry.name;
  }
  EXPECT_EQ(chord_text(*parse_chord("shift+alt+CTRL+pagedown")), "Ctrl+Alt+Shift+PageDown");
  EXPECT_EQ(chord_text(*parse_chord("esc")), "Escape");
  EXPECT_EQ(chord_text({}), "");
  EXPECT_EQ(chord_text({.ctrl = true}), "");
}

TEST(KeyMapTest, PrefersTheCharacterToThePlaceOfAKey) {
  // On a German layout the key right of L makes a slash with Shift where 7 is.
  EXPECT_EQ(KeyMap().command_for({.key = Key::d7, .character = U'/', .shift = true})->id,
            CommandId::search);
  // On a French one the key where others have M makes a comma.
  EXPECT_EQ(KeyMap().command_for({.key = Key::m, .character = U','})->id, CommandId::bookmark);
  const KeyMap bound(ChangedKeys{{"fit", ","}});
  EXPECT_EQ(bound.command_for({.key = Key::m, .character = U','})->id, CommandId::fit);
  // AltGr and 8 on a German one, whose place counts for nothing then.
  EXPECT_EQ(KeyMap().command_for({.key = Key::none, .character = U'['})->id,
            CommandId::previous_bookmark);
}

TEST(KeyMapTest, GivesAChordToWhoAskedForItLast) {
  const KeyChange change = with_keys({}, named("fit"), "G ctrl+o");
  EXPECT_EQ(change.problem, "");
  EXPECT_NE(change.said.find("Ctrl+O from \"Open a trace\""), std::string::npos) << change.said;
  const KeyMap keys(change.keys);
  EXPECT_EQ(command_of("G", keys), "fit");
  EXPECT_EQ(command_of("Ctrl+O", keys), "fit");
  EXPECT_EQ(command_of("0", keys), "");
  EXPECT_EQ(keys.all(CommandId::fit), "G, Ctrl+O");
  EXPECT_EQ(keys.all(CommandId::open), "");
  EXPECT_TRUE(keys.is_changed(CommandId::open));
  EXPECT_FALSE(keys.is_changed(CommandId::close));
}

TEST(KeyMapTest, LeavesTheOtherChordsOfWhoLosesOne) {
  KeyChange change = with_keys({}, named("panel"), "F5");
  EXPECT_EQ(KeyMap(change.keys).all(CommandId::reload), "Ctrl+R");
  change = with_keys(change.keys, named("panel"), "Ctrl+R F5");
  EXPECT_EQ(KeyMap(change.keys).all(CommandId::reload), "");
  EXPECT_EQ(KeyMap(change.keys).all(CommandId::panel), "Ctrl+R, F5");
}

TEST(KeyMapTest, TakesAllKeysAway) {
  const KeyChange change = with_keys({}, named("quit"), "");
  EXPECT_EQ(command_of("Ctrl+Q", KeyMap(change.keys)), "");
  EXPECT_NE(change.said.find("no key"), std::string::npos);
}

TEST(KeyMapTest, GivesTheTablesKeysBack) {
  const ChangedKeys changed = with_keys({}, named("fit"), "Ctrl+O").keys;
  const ChangedKeys restored = with_default_keys(changed, named("open")).keys;
  EXPECT_EQ(command_of("Ctrl+O", KeyMap(restored)), "open");
  EXPECT_EQ(KeyMap(restored).all(CommandId::fit), "");
  EXPECT_EQ(with_default_keys(restored, named("fit")).keys, ChangedKeys{});
}

TEST(KeyMapTest, RefusesWhatIsNoChordAndChangesNothing) {
  const ChangedKeys before = {{"fit", "G"}};
  for (const std::string& keys :
       {std::string("Hyper+X"), std::string("A Ctrl+"), std::string("\xff"),
        std::string(1 << 20, 'x'), std::string("A B C D E F G H I")}) {
    const KeyChange change = with_keys(before, named("fit"), keys);
    EXPECT_NE(change.problem, "") << keys.substr(0, 20);
    EXPECT_LT(change.problem.size(), 200u);
    EXPECT_EQ(change.keys, before);
  }
}

TEST(KeyMapTest, PassesOverWhatSettingsGotWrong) {
  const KeyMap keys(ChangedKeys{{"fit", "Hyper+X G \xff"}, {"nonsense", "W"}, {"open", "G"}});
  EXPECT_EQ(command_of("W", keys), "zoom-in");
  // Both want G: the first in the table has it.
  EXPECT_EQ(command_of("G", keys), "open");
  EXPECT_EQ(keys.all(CommandId::fit), "");
}

}  // namespace
}  // namespace cinderscope
