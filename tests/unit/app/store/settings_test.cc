#include "app/store/settings.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cinderscope {
namespace {

Settings read(const std::string& json) {
  const auto members = json_members(json);
  EXPECT_TRUE(members) << json;
  return settings_from(members.value_or(StoredMembers()));
}

TEST(SettingsTest, ReadsBackWhatItWrites) {
  Settings settings{.theme = ThemeChoice::system,
                    .colour_blind = true,
                    .scale = 1.1F,
                    .reduced_motion = true,
                    .wheel_scrolls = true,
                    .fit_rows = false,
                    .hand_over = true,
                    .time_shown = TimeShown::time_of_day,
                    .prepared_most_mb = 2500,
                    .prepared_percent = 35,
                    .lazy_above_mb = 250,
                    .lazy_memory_mb = 3000,
                    .panel_px = 312.5F,
                    .gutter_px = 180,
                    .window_width = 1234,
                    .window_height = 777,
                    .maximised = true,
                    .trace_folders = {"/traces", "/more"},
                    .keys = {{"open", "Ctrl+P \""}, {"fit", ""}}};
  const Settings again = read(json_object(members_of(settings)));
  EXPECT_EQ(again.theme, settings.theme);
  EXPECT_TRUE(again.colour_blind && again.reduced_motion && again.wheel_scrolls &&
              again.hand_over && again.maximised);
  EXPECT_FALSE(again.fit_rows);
  EXPECT_EQ(again.scale, settings.scale);
  EXPECT_EQ(again.time_shown, settings.time_shown);
  EXPECT_EQ(again.panel_px, settings.panel_px);
  EXPECT_EQ(again.gutter_px, settings.gutter_px);
  EXPECT_EQ(again.window_width, settings.window_width);
  EXPECT_EQ(again.window_height, settings.window_height);
  EXPECT_EQ(again.keys, settings.keys);
  EXPECT_EQ(again.trace_folders, settings.trace_folders);
  EXPECT_EQ(again.prepared_most_mb, settings.prepared_most_mb);
  EXPECT_EQ(again.prepared_percent, settings.prepared_percent);
  EXPECT_EQ(again.lazy_above_mb, settings.lazy_above_mb);
  EXPECT_EQ(again.lazy_memory_mb, settings.lazy_memory_mb);
}

TEST(SettingsTest, TraceFoldersAreAbsolute) {
  EXPECT_EQ(read(R"({"trace_folders":["a",7,"/b",""]})").trace_folders,
            std::vector<std::string>{"/b"});
}

TEST(SettingsTest, ReadsTheMemoryLimitUnderItsOlderName) {
  EXPECT_EQ(read(R"({"memory_limit_mb":700})").lazy_memory_mb, 700u);
  EXPECT_EQ(read(R"({"lazy_memory_mb":800,"memory_limit_mb":700})").lazy_memory_mb, 800u);
}

TEST(SettingsTest, ReadsSizesInMegabytes) {
  EXPECT_EQ(megabytes_from("500"), 500u);
  EXPECT_EQ(megabytes_from("500MB"), 500u);
  EXPECT_EQ(megabytes_from("2 GB"), 2000u);
  EXPECT_EQ(megabytes_from("0"), 0u);
  for (const char* text : {"", "GB", "-1", "1.5GB", "two", "1000001", "99999999999GB", "5 kB"}) {
    EXPECT_EQ(megabytes_from(text), std::nullopt) << text;
  }
}

TEST(SettingsTest, KeepsItsDefaultsWhereAValueMakesNoSense) {
  const Settings settings = read(
      R"({"theme":"purple","colours":7,"scale":1e9,"reduced_motion":"yes","wheel":[],
          "time_shown":null,"prepared_most_mb":1000001,"prepared_percent":0,"panel_px":-1,"gutter_px":"wide","window":{"width":1e300,"height":-5,
          "maximised":1},"keys":[1,2],"scale2":3})");
  const Settings usual;
  EXPECT_EQ(settings.theme, usual.theme);
  EXPECT_EQ(settings.scale, usual.scale);
  EXPECT_EQ(settings.prepared_most_mb, usual.prepared_most_mb);
  EXPECT_EQ(settings.prepared_percent, usual.prepared_percent);
  EXPECT_EQ(settings.panel_px, 0);
  EXPECT_EQ(settings.gutter_px, 0);
  EXPECT_EQ(settings.window_width, 0);
  EXPECT_EQ(settings.window_height, 0);
  EXPECT_FALSE(settings.maximised || settings.reduced_motion || settings.wheel_scrolls);
  EXPECT_TRUE(settings.keys.empty());
  EXPECT_EQ(read(R"({"scale":null})").scale, 1);  // what is written for a number that is none
}

TEST(RecentFilesTest, PutsTheNewestFirstAndEachOnce) {
  std::vector<RecentFile> files;
  for (int i = 0; i < 100; ++i) add_recent(files, {"/t/" + std::to_string(i % 60), 1, i});
  ASSERT_EQ(files.size(), kMostRecent);
  EXPECT_EQ(files[0].path, "/t/39");
  add_recent(files, {"/t/35", 5, 200});
  EXPECT_EQ(files.size(), kMostRecent);
  EXPECT_EQ(files[0], (RecentFile{"/t/35", 5, 200}));
  EXPECT_EQ(std::ranges::count(files, "/t/35", &RecentFile::path), 1);
}

TEST(RecentFilesTest, ReadsBackWhatItWrites) {
  const std::vector<RecentFile> files = {{"/a \"b\"\n.json", UINT64_MAX, 17}, {"/ü", 0, 0}};
  const auto members = json_members(recent_json(files));
  ASSERT_TRUE(members);
  EXPECT_EQ(recent_from(*members), files);
}

TEST(RecentFilesTest, LeavesOutWhatIsNoAbsolutePath) {
  const auto members = json_members(
      R"({"recent":[{"path":"relative"},{"size_bytes":3},7,"x",{"path":"/a\u0000b"},
          {"path":"/good","size_bytes":-4,"opened_s":-1}]})");
  ASSERT_TRUE(members);
  EXPECT_EQ(recent_from(*members), (std::vector<RecentFile>{{"/good", 0, 0}}));
  std::vector<RecentFile> files;
  add_recent(files, {"/no\xffutf8", 1, 1});
  add_recent(files, {"/" + std::string(1 << 20, 'x'), 1, 1});
  EXPECT_TRUE(files.empty());
}

}  // namespace
}  // namespace cinderscope
