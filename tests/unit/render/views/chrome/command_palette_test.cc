#include "render/views/chrome/command_palette.h"

#include <array>

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class CommandPaletteViewTest : public ViewWindow {
 protected:
  Draw drawn(Rect area = kArea) {
    return [this, area](Actions&) {
      const CommandPaletteAnswer answer = draw_command_palette({.theme = theme_,
                                                                .area = area,
                                                                .hint = "hint",
                                                                .text = text_,
                                                                .replaced = replaced_,
                                                                .rows = rows_,
                                                                .chosen = chosen_,
                                                                .reveal_chosen = true});
      edited_ |= answer.edited;
      run_ |= answer.run;
      outside_ |= answer.outside;
      rows_shown_ = answer.rows_shown;
    };
  }

  // Clicks at this height in the middle of the window; true if that is below the palette.
  bool outside_after(float y) {
    run_ = outside_ = false;
    click(kArea.width / 2, y, drawn());
    return outside_ && y > kArea.height / 2;
  }

  std::array<char, 64> text_{};
  std::optional<std::string> replaced_;
  std::vector<PaletteRow> rows_ = {{.text = "Whole trace", .offsets = {0, 6}, .keys = "0"},
                                   {.text = "Zoom in", .note = "zoom-in", .enabled = false}};
  std::size_t chosen_ = 0, rows_shown_ = 0;
  bool edited_ = false, run_ = false, outside_ = false;
};

TEST_F(CommandPaletteViewTest, TakesWhatIsTypedWithoutAClick) {
  frame(drawn());
  frame(drawn());
  frame(drawn());
  for (const char c : {'f', 'i', 't'}) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
    frame(drawn());
  }
  EXPECT_TRUE(edited_);
  EXPECT_STREQ(text_.data(), "fit");
}

TEST_F(CommandPaletteViewTest, RunsTheRowThatIsClicked) {
  std::vector<std::size_t> ran;
  for (float y = 4; y < kArea.height && !outside_after(y); y += 8) {
    if (run_ && (ran.empty() || ran.back() != chosen_)) ran.push_back(chosen_);
  }
  EXPECT_EQ(ran, (std::vector<std::size_t>{0, 1}));
}

TEST_F(CommandPaletteViewTest, LeavesTheChoiceToTheKeysWhileThePointerRests) {
  float y = 4;
  for (; y < kArea.height && chosen_ != 1; y += 8) {
    ImGui::GetIO().MousePos = {kArea.width / 2, y};
    frame(drawn());
  }
  ASSERT_EQ(chosen_, 1u);
  chosen_ = 0;
  frame(drawn());
  EXPECT_EQ(chosen_, 0u);
}

TEST_F(CommandPaletteViewTest, TellsOfAClickBesideIt) {
  click(1, 1, drawn());
  EXPECT_TRUE(outside_);
  EXPECT_FALSE(run_);
}

TEST_F(CommandPaletteViewTest, DrawsOnlyTheRowsInSight) {
  rows_.assign(20'000, {.text = std::string(1 << 10, 'x') + "\n\xff", .offsets = {1, 5, 900}});
  frame(drawn());
  frame(drawn());
  EXPECT_LT(vertices(), 30'000u);
  chosen_ = 19'999;
  frame(drawn());
  frame(drawn());
  EXPECT_LT(rows_shown_, 15u);
}

TEST_F(CommandPaletteViewTest, DrawsInHardlyAnyRoom) {
  frame(drawn({0, 0, 0, 0}));
  rows_.clear();
  theme_.scale = 4;
  frame(drawn({0, 0, 10, 10}));
  EXPECT_GE(rows_shown_, 1u);
}

}  // namespace
}  // namespace cinderscope
