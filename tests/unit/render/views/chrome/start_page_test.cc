#include "render/views/chrome/start_page.h"

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class StartViewTest : public ViewWindow {
 protected:
  std::vector<KeyHelp> keys_ = {{"File", "Ctrl+O", "Open a trace"},
                                {"File", "Ctrl+W", "Close"},
                                {"View", "0 Home", "Whole trace"}};
};

TEST_F(StartViewTest, OpensAFileOrTheSample) {
  const Draw draw = [this](Actions& actions) {
    draw_start({.theme = theme_, .area = kArea, .sample_path = "s.json.gz", .keys = keys_},
               actions);
  };
  bool asked = false, sample = false;
  for (const RunCommand& command : click_everywhere<RunCommand>(draw, 20)) {
    EXPECT_EQ(command.name, "open");
    asked |= command.argument.empty();
    sample |= command.argument == "s.json.gz";
  }
  EXPECT_TRUE(asked);
  EXPECT_TRUE(sample);
}

TEST_F(StartViewTest, ListsRecentFilesToOpenOrForget) {
  const std::vector<KeyHelp> no_keys;
  std::vector<RecentRow> recent = {
      {.path = "/a/b.json", .size_bytes = 12, .opened_s = 1},
      {.path = "/" + std::string(100'000, 'x') + "/\xff\n.json", .missing = true}};
  const Draw draw = [&](Actions& actions) {
    draw_start({.theme = theme_, .area = kArea, .keys = no_keys, .recent = recent}, actions);
  };
  std::set<std::string> asked;
  for (const RunCommand& command : click_everywhere<RunCommand>(draw, 10)) {
    asked.insert(command.name + " " + command.argument);
  }
  EXPECT_TRUE(asked.contains("open /a/b.json"));
  EXPECT_TRUE(asked.contains("forget-recent /a/b.json"));
  EXPECT_TRUE(asked.contains("open " + quoted_argument(recent[1].path)));
}

TEST_F(StartViewTest, ShowsOnlyTheRecentFilesThatHaveRoom) {
  const std::vector<KeyHelp> no_keys;
  std::vector<RecentRow> recent(1000, RecentRow{.path = "/a.json"});
  const auto draw = [&](std::optional<std::size_t> chosen) {
    return Draw([&recent, &no_keys, chosen, this](Actions& actions) {
      draw_start(
          {.theme = theme_, .area = kArea, .keys = no_keys, .recent = recent, .chosen = chosen},
          actions);
    });
  };
  frame(draw({}));
  frame(draw({}));
  EXPECT_LT(vertices(), 4000u);
  recent[999].path = "/last.json";
  bool last = false;
  for (const RunCommand& command : click_everywhere<RunCommand>(draw(999), 10)) {
    last |= command.argument == "/last.json";
  }
  EXPECT_TRUE(last);  // the keys have gone to it
}

TEST_F(StartViewTest, DrawsWithoutKeysOrRoom) {
  const Rect none{0, 0, 0, 0};
  const std::vector<KeyHelp> no_keys;
  EXPECT_TRUE(frame([&](Actions& actions) {
                draw_start({.theme = theme_, .area = none, .sample_path = "", .keys = no_keys},
                           actions);
              }).empty());
}

}  // namespace
}  // namespace cinderscope
