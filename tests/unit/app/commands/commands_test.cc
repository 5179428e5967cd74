#include "app/commands/commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "app/commands/arguments.h"
#include "app/window/window_commands.h"

namespace cinderscope {
namespace {

const Command& command(std::string_view name) {
  return *window_commands().named(name);
}

TEST(CommandsTest, HaveNamesOfTheirOwnAndAFunction) {
  std::set<std::string_view> names;
  for (const Command& each : window_commands()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_FALSE(each.help.empty()) << each.name;
    EXPECT_NE(each.run, nullptr) << each.name;
    EXPECT_EQ(window_commands().named(each.name), &each);
  }
  EXPECT_EQ(window_commands().named("nonsense"), nullptr);
  EXPECT_EQ(window_commands().named(""), nullptr);
}

TEST(CommandsTest, AreInTheOrderOfTheirGroups) {
  EXPECT_TRUE(std::ranges::is_sorted(window_commands(), {}, &Command::group));
}

// A word in capitals that is no kind would be read as a word to type.
TEST(CommandsTest, HaveFormsWhoseCapitalsAreKinds) {
  for (const Command& each : window_commands()) {
    for (const ArgumentForm& form : argument_forms(each)) {
      for (const std::string_view word : form.words) {
        EXPECT_TRUE(std::ranges::none_of(word, [](char c) { return c >= 'A' && c <= 'Z'; }))
            << each.name << ": " << word;
      }
    }
  }
}

TEST(CommandsTest, SessionsAndPlacesHaveTheKeysThatAreTheirsAlone) {
  for (const auto& [key, name] : {std::pair("Ctrl+S", "save-session"),
                                  {"Ctrl+Shift+S", "save-session-as"},
                                  {"Ctrl+L", "copy-place"},
                                  {"Ctrl+V", "paste-place"}}) {
    for (const Command& each : window_commands()) {
      const bool has = (" " + std::string(each.keys) + " ").find(" " + std::string(key) + " ") !=
                       std::string::npos;
      EXPECT_EQ(has, each.name == name) << each.name << " " << key;
    }
  }
}

TEST(CommandsTest, EnablesWhatHasWhatItNeeds) {
  const CommandState none, tab{.has_tab = true}, trace{.has_tab = true, .has_trace = true};
  EXPECT_TRUE(enabled(command("open"), none));
  EXPECT_TRUE(enabled(command("quit"), none));
  EXPECT_FALSE(enabled(command("close"), none));
  EXPECT_TRUE(enabled(command("close"), tab));
  EXPECT_FALSE(enabled(command("fit"), tab));
  EXPECT_TRUE(enabled(command("fit"), trace));
  EXPECT_FALSE(enabled(command("copy-name"), trace));
  EXPECT_TRUE(enabled(command("copy-name"), {.has_selection = true}));
  EXPECT_FALSE(enabled(command("cancel"), trace));
  EXPECT_TRUE(enabled(command("cancel"), {.loading = true}));
}

}  // namespace
}  // namespace cinderscope
