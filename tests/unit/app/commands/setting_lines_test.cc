#include "app/commands/setting_lines.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/commands/arguments.h"
#include "app/window/window_commands.h"

namespace cinderscope {
namespace {

std::vector<SettingLine> lines_of(const Settings& settings) {
  return setting_lines(settings, window_commands(), {.has_tab = true, .has_trace = true});
}

const SettingLine& line_of(const std::vector<SettingLine>& lines, std::string_view command) {
  return *std::ranges::find_if(lines, [&](const SettingLine& line) {
    return line.command.substr(0, line.command.find(' ')) == command;
  });
}

TEST(SettingLinesTest, EverySettingHasALineOrIsNoChoice) {
  for (const StoredMember& member : members_of(Settings())) {
    const bool listed = std::ranges::count(listed_settings(), std::string_view(member.key)) == 1;
    const bool remembered =
        std::ranges::count(remembered_settings(), std::string_view(member.key)) == 1;
    EXPECT_NE(listed, remembered) << member.key;
  }
}

TEST(SettingLinesTest, EveryWordIsACommandThatTakesIt) {
  for (const SettingLine& line : lines_of(Settings())) {
    EXPECT_TRUE(line.enabled) << line.label;
    for (const SettingLine::Word& word : line.words) {
      const Command* command = window_commands().named(word.command);
      ASSERT_NE(command, nullptr) << word.command;
      EXPECT_TRUE(parse_arguments(*command, word.argument)) << word.command << word.argument;
    }
  }
}

TEST(SettingLinesTest, SaysWhatEachIsNow) {
  Settings settings;
  for (const SettingLine& line : lines_of(settings)) {
    EXPECT_TRUE(line.chosen || !line.value.empty()) << line.label;
  }
  settings.theme = ThemeChoice::system;
  settings.reduced_motion = true;
  settings.wheel_scrolls = true;
  settings.scale = 1.25F;
  settings.lazy_memory_mb = 2000;
  settings.prepared_percent = 25;
  settings.keys["fit"] = "Ctrl+1";
  const std::vector<SettingLine> lines = lines_of(settings);
  const auto chosen = [&](std::string_view command) {
    const SettingLine& line = line_of(lines, command);
    return line.chosen ? line.words[*line.chosen].label : "";
  };
  EXPECT_EQ(chosen("theme"), "As the desktop");
  EXPECT_EQ(chosen("reduced-motion"), "None");
  EXPECT_EQ(chosen("wheel"), "Scrolls");
  EXPECT_EQ(chosen("colours"), "Usual");
  EXPECT_EQ(chosen("larger"), "");
  EXPECT_EQ(line_of(lines, "larger").value, "125 %");
  EXPECT_EQ(line_of(lines, "lazy-memory").value, "2.0 GB");
  EXPECT_EQ(line_of(lines, "prepared-size").value, "at most 10 GB");
  EXPECT_EQ(chosen("prepared-size"), "Usual");
  EXPECT_EQ(line_of(lines, "prepared-share").value, "at most 25 %");
  EXPECT_EQ(chosen("prepared-share"), "Percent…");
  EXPECT_EQ(line_of(lines, "bind").value, "1 changed");
}

TEST(SettingLinesTest, WhatNeedsATraceCannotBeChangedWithoutOne) {
  const std::vector<SettingLine> lines = setting_lines(Settings(), window_commands(), {});
  EXPECT_FALSE(line_of(lines, "time-shown").enabled);
  EXPECT_TRUE(line_of(lines, "theme").enabled);
}

}  // namespace
}  // namespace cinderscope
