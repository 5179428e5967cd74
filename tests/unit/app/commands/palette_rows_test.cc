#include "app/commands/palette_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/window/window_commands.h"

namespace cinderscope {
namespace {

class PaletteRowsTest : public testing::Test {
 protected:
  std::vector<PaletteRow> rows(std::string_view typed) const {
    return palette_rows({.commands = window_commands(),
                         .keys = keys_,
                         .state = state_,
                         .recent = recent_,
                         .targets = targets_},
                        typed);
  }
  std::string first(std::string_view typed) const {
    const std::vector<PaletteRow> found = rows(typed);
    return found.empty() ? ""
                         : found.front().command +
                               (found.front().argument.empty() ? "" : " " + found.front().argument);
  }

  KeyMap keys_{window_commands()};
  CommandState state_{.has_tab = true, .has_trace = true};
  std::vector<std::string_view> recent_;
  std::vector<PaletteTarget> targets_;
};

TEST_F(PaletteRowsTest, FindsCommandsByWhatTheyDoAndByName) {
  EXPECT_EQ(first("whole trace"), "fit");
  EXPECT_EQ(first("zoom in"), "zoom-in");
  EXPECT_EQ(first("theme"), "theme");
  EXPECT_EQ(first("reload"), "reload");
  EXPECT_EQ(first("hide thr"), "hide");
  EXPECT_TRUE(rows("qqqq").empty());
}

TEST_F(PaletteRowsTest, ListsEveryCommandButItselfWhileNothingIsTyped) {
  std::vector<PaletteRow> all = rows("");
  EXPECT_EQ(all.size(), window_commands().size() - 1);
  EXPECT_EQ(rows("  ").size(), all.size());
}

TEST_F(PaletteRowsTest, PutsTheLastUsedFirst) {
  note_recent(recent_, "fit");
  note_recent(recent_, "theme");
  note_recent(recent_, "fit");
  EXPECT_EQ(recent_, (std::vector<std::string_view>{"fit", "theme"}));
  const std::vector<PaletteRow> all = rows("");
  EXPECT_EQ(all[0].command, "fit");
  EXPECT_EQ(all[1].command, "theme");
  EXPECT_EQ(std::ranges::count(all, std::string("fit"), &PaletteRow::command), 1);
  for (const Command& each : window_commands()) note_recent(recent_, each.name);
  EXPECT_EQ(recent_.size(), 8u);
}

TEST_F(PaletteRowsTest, ShowsTheUsersKeys) {
  keys_ = KeyMap(window_commands(), ChangedKeys{{"fit", "Ctrl+Shift+F7"}});
  const std::vector<PaletteRow> found = rows("whole trace");
  EXPECT_EQ(found.front().keys, "Ctrl+Shift+F7");
}

TEST_F(PaletteRowsTest, MarksWhatCanDoNothingNowAndPutsItLast) {
  state_ = {};
  const std::vector<PaletteRow> all = rows("");
  EXPECT_TRUE(all.front().enabled);
  EXPECT_FALSE(all.back().enabled);
  EXPECT_TRUE(std::ranges::is_sorted(all, std::ranges::greater(), &PaletteRow::enabled));
}

TEST_F(PaletteRowsTest, AsksForArgumentsThatAreNeededAndForChoices) {
  EXPECT_TRUE(rows("zoom-to").front().asks);
  EXPECT_TRUE(rows("theme").front().asks);
  EXPECT_FALSE(rows("whole trace").front().asks);
  EXPECT_TRUE(rows("open a trace").front().asks);
}

TEST_F(PaletteRowsTest, RunsAWholeCallAsTyped) {
  EXPECT_EQ(first("zoom-to 1 2"), "zoom-to 1 2");
  EXPECT_FALSE(rows("zoom-to 1 2").front().asks);
  EXPECT_EQ(first("theme dark"), "theme dark");
  EXPECT_EQ(first("search RunTask"), "search RunTask");
  EXPECT_EQ(rows("hide thr")[1].argument, "thr");
}

TEST_F(PaletteRowsTest, ListsTheChoicesOfAnArgument) {
  const Command& theme = *window_commands().named("theme");
  const std::vector<PaletteRow> all = argument_rows(theme, "");
  ASSERT_EQ(all.size(), 4u);  // three choices, and the other one
  EXPECT_EQ(all[0].argument, "dark");
  EXPECT_EQ(all[3].argument, "");
  const std::vector<PaletteRow> some = argument_rows(theme, "li");
  ASSERT_EQ(some.size(), 1u);
  EXPECT_EQ(some[0].argument, "light");
  EXPECT_TRUE(argument_rows(theme, "pink").empty());
}

TEST_F(PaletteRowsTest, TakesAFreeArgumentAsItIs) {
  const std::vector<PaletteRow> one = argument_rows(*window_commands().named("zoom-to"), " 5 6");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].argument, "5 6");
  EXPECT_TRUE(argument_rows(*window_commands().named("zoom-to"), "").empty());
  // A group is one of two words or any expression.
  const std::vector<PaletteRow> group = argument_rows(*window_commands().named("group"), "pro");
  ASSERT_EQ(group.size(), 2u);
  EXPECT_EQ(group[0].argument, "process");
  EXPECT_EQ(group[1].argument, "pro");
}

TEST_F(PaletteRowsTest, GoesToThreadsAndTabs) {
  targets_ = {{"Go to thread worker 7", "go-to", "track 3", "17"},
              {"Show trace b.json", "tab", "2", ""}};
  EXPECT_EQ(first("worker"), "go-to track 3");
  EXPECT_EQ(first("b.json"), "tab 2");
}

TEST_F(PaletteRowsTest, BearsAMegabyteOfTyping) {
  EXPECT_TRUE(rows(std::string(1 << 20, 'z')).empty());
  EXPECT_EQ(argument_rows(*window_commands().named("zoom-to"), std::string(1 << 20, '\xff')).size(),
            1u);
}

}  // namespace
}  // namespace cinderscope
