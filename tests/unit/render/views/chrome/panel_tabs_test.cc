#include "render/views/chrome/panel_tabs.h"

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class PanelTabsTest : public ViewWindow {
 protected:
  // The tab that is active after a click at `x`.
  std::size_t after_click(float x) {
    click(x, kStrip.height / 2,
          [this](Actions&) { active_ = draw_panel_tabs(theme_, kStrip, tabs_, active_); });
    return active_;
  }

  static constexpr Rect kStrip{0, 0, kArea.width, 32};
  std::vector<PanelTab> tabs_ = {{"Details"}, {"Statistics"}, {"Load report", "1 234"}};
  std::size_t active_ = 0;
};

TEST_F(PanelTabsTest, AClickSwitchesFromLeftToRight) {
  std::vector<std::size_t> seen;
  for (float x = 4; x < kStrip.width; x += 8) {
    const std::size_t active = after_click(x);
    if (seen.empty() || seen.back() != active) seen.push_back(active);
  }
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1, 2}));  // beside them the last one stays
}

TEST_F(PanelTabsTest, ACountTakesRoomBehindItsTab) {
  const auto drawn = [this] {
    frame([this](Actions&) { draw_panel_tabs(theme_, kStrip, tabs_, 0); });
    return vertices();
  };
  drawn();
  const std::size_t with = drawn();
  tabs_[2].count.clear();
  EXPECT_LT(drawn(), with);
}

}  // namespace
}  // namespace cinderscope
