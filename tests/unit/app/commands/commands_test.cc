#include "app/commands/commands.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace cinderscope {
namespace {

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

}  // namespace
}  // namespace cinderscope
