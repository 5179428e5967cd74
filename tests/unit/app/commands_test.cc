#include "app/commands.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace cinderscope {
namespace {

std::string command_of(std::string_view chord) {
  const auto pressed = parse_chord(chord);
  if (!pressed) return "no chord";
  const Command* found = command_for(*pressed);
  return found == nullptr ? "" : std::string(found->name);
}

TEST(CommandsTest, HasOneEntryPerNameAndId) {
  std::set<std::string_view> names;
  std::set<CommandId> ids;
  for (const Command& entry : all_commands()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.name;
    EXPECT_FALSE(entry.help.empty()) << entry.name;
    EXPECT_EQ(command_named(entry.name), &entry);
    EXPECT_EQ(&command(entry.id), &entry);
  }
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(CommandId::quit) + 1);
  EXPECT_EQ(command_named("nonsense"), nullptr);
  EXPECT_EQ(command_named(""), nullptr);
}

TEST(CommandsTest, GivesNoKeyToTwoCommands) {
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

TEST(CommandsTest, BindsTheKeysThatPeopleExpect) {
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

TEST(CommandsTest, MatchesModifiersOfLettersExactly) {
  EXPECT_EQ(command_of("Shift+W"), "");
  EXPECT_EQ(command_of("Alt+W"), "");
  EXPECT_EQ(command_of("Ctrl+Shift+O"), "");
}

TEST(CommandsTest, MatchesPunctuationByCharacterWhateverShiftIs) {
  // On a German layout ? is Shift and the key right of 0, on a US one Shift and /.
  KeyChord pressed{.key = Key::none, .character = U'?', .shift = true};
  ASSERT_NE(command_for(pressed), nullptr);
  EXPECT_EQ(command_for(pressed)->id, CommandId::help);
  pressed = {.character = U'=', .ctrl = true};
  ASSERT_NE(command_for(pressed), nullptr);
  EXPECT_EQ(command_for(pressed)->id, CommandId::larger);
  EXPECT_EQ(command_for(KeyChord{}), nullptr);
}

TEST(CommandsTest, ReadsChordsInEitherCase) {
  const auto chord = parse_chord("ctrl+SHIFT+pageup");
  ASSERT_TRUE(chord);
  EXPECT_EQ(*chord, (KeyChord{.key = Key::page_up, .ctrl = true, .shift = true}));
  EXPECT_EQ(parse_chord("Esc")->key, Key::escape);
  EXPECT_EQ(parse_chord("9")->key, Key::d9);
  EXPECT_EQ(parse_chord("+")->character, U'+');
  EXPECT_EQ(parse_chord("Ctrl++")->character, U'+');
}

TEST(CommandsTest, RefusesWhatIsNoChord) {
  for (const char* text :
       {"", " ", "Ctrl+", "Hyper+A", "Ctrl", "F13", "AB", "\xc3\xbc", "Ctrl+ ", "+A", "++", "\n"}) {
    EXPECT_FALSE(parse_chord(text)) << '"' << text << '"';
  }
}

TEST(CommandsTest, EnablesWhatHasWhatItNeeds) {
  const CommandState none, tab{.has_tab = true}, trace{.has_tab = true, .has_trace = true};
  EXPECT_TRUE(enabled(command(CommandId::open), none));
  EXPECT_TRUE(enabled(command(CommandId::quit), none));
  EXPECT_FALSE(enabled(command(CommandId::close), none));
  EXPECT_TRUE(enabled(command(CommandId::close), tab));
  EXPECT_FALSE(enabled(command(CommandId::fit), tab));
  EXPECT_TRUE(enabled(command(CommandId::fit), trace));
  EXPECT_FALSE(enabled(command(CommandId::copy_name), trace));
  EXPECT_TRUE(enabled(command(CommandId::copy_name), {.has_selection = true}));
  EXPECT_FALSE(enabled(command(CommandId::cancel), trace));
  EXPECT_TRUE(enabled(command(CommandId::cancel), {.loading = true}));
}

TEST(CommandsTest, SplitsCallsAtTheFirstBlank) {
  EXPECT_EQ(split_call("zoom-to 1 2").name, "zoom-to");
  EXPECT_EQ(split_call("zoom-to 1 2").argument, "1 2");
  EXPECT_EQ(split_call("  fit\t\r").name, "fit");
  EXPECT_EQ(split_call("fit ").argument, "");
  EXPECT_EQ(split_call("").name, "");
  EXPECT_EQ(split_call(" \t ").name, "");
  EXPECT_EQ(split_call("filter\t a  b ").argument, "a  b");
}

TEST(CommandsTest, ShowsTheFirstChordInMenus) {
  EXPECT_EQ(shown_keys(command(CommandId::reload)), "Ctrl+R");
  EXPECT_EQ(shown_keys(command(CommandId::cancel)), "");
}

}  // namespace
}  // namespace cinderscope
