#include "render/views/chrome/key_help.h"

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class KeyHelpTest : public ViewWindow {
 protected:
  std::vector<KeyHelp> keys_ = {{"File", "Ctrl+O", "Open a trace"},
                                {"File", "Ctrl+W", "Close"},
                                {"View", "0 Home", "Whole trace"}};
};

TEST_F(KeyHelpTest, AClickBesideItClosesIt) {
  bool closed = false;
  const Draw draw = [&](Actions&) {
    closed |= draw_key_help({.theme = theme_, .area = kArea, .keys = keys_}).close;
  };
  frame(draw);
  frame(draw);
  EXPECT_FALSE(closed);
  click(kArea.width / 2, kArea.height / 2, draw);
  EXPECT_FALSE(closed);
  click(4, 4, draw);
  EXPECT_TRUE(closed);
}

TEST_F(KeyHelpTest, StaysOpenInTheFrameThatOpenedIt) {
  ImGui::GetIO().MousePos = {4, 4};
  ImGui::GetIO().MouseDown[0] = true;
  bool closed = false;
  frame([&](Actions&) {
    closed = draw_key_help({.theme = theme_, .area = kArea, .keys = keys_}).close;
  });
  EXPECT_FALSE(closed);
}

TEST_F(KeyHelpTest, AsksForTheKeysThatWereClickedButNotForTheMouses) {
  keys_ = {{"Mouse", "Wheel", "Zoom"},
           {"File", "Ctrl+O", "Open a trace", "open"},
           {"File", "G", "Close", "close", true}};
  std::set<std::string> listened, reset;
  bool whole = false;
  const Draw draw = [&](Actions&) {
    const KeyHelpAnswer answer =
        draw_key_help({.theme = theme_, .area = kArea, .keys = keys_, .listening = "open"});
    if (!answer.listen.empty()) listened.insert(answer.listen);
    if (!answer.reset.empty()) reset.insert(answer.reset);
    whole |= answer.toggle_whole;
  };
  click_everywhere<RunCommand>(draw, 11);
  EXPECT_EQ(listened, (std::set<std::string>{"open", "close"}));
  EXPECT_EQ(reset, (std::set<std::string>{"close"}));
  EXPECT_TRUE(whole);
}

TEST_F(KeyHelpTest, DrawsWithoutKeysOrRoom) {
  const std::vector<KeyHelp> no_keys;
  KeyHelpAnswer answer;
  frame([&](Actions&) {
    answer = draw_key_help({.theme = theme_, .area = {0, 0, 0, 0}, .keys = no_keys});
  });
  EXPECT_TRUE(answer.listen.empty());
  EXPECT_FALSE(answer.toggle_whole);
}

}  // namespace
}  // namespace cinderscope
