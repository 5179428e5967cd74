#include "app/window/controllers/panels.h"

#include <set>

#include "app/window/panels/panel.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class PanelsControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
  }
  std::string visible() {
    const Panel* panel = controllers().panels->visible(tab());
    return panel == nullptr ? "" : std::string(panel->word());
  }
};

TEST_F(PanelsControllerTest, ShowsOneOfTheTabsPanels) {
  EXPECT_EQ(visible(), "details");
  for (const char* word : {"statistics", "flame-graph", "search", "report", "details"}) {
    EXPECT_EQ(run(std::string("panel ") + word), "");
    EXPECT_EQ(visible(), word);
  }
  EXPECT_EQ(run("panel"), "");
  EXPECT_EQ(visible(), "");
  EXPECT_EQ(run("panel search"), "");
  EXPECT_EQ(visible(), "search");
}

TEST_F(PanelsControllerTest, OnlyTheShownTabHasAVisibleOne) {
  Tab& first = tab();
  open("b.json", kTwoThreads);
  EXPECT_EQ(controllers().panels->visible(first), nullptr);
  EXPECT_NE(controllers().panels->visible(tab()), nullptr);
}

TEST_F(PanelsControllerTest, EveryPanelHasAWordAndALabelOfItsOwn) {
  std::set<std::string_view> words, labels;
  for (const auto& panel : tab().panels) {
    EXPECT_TRUE(words.insert(panel->word()).second) << panel->word();
    EXPECT_TRUE(labels.insert(panel->label()).second) << panel->label();
    EXPECT_EQ(tab().panel_named(panel->word()), panel.get());
  }
  EXPECT_EQ(tab().panel_named("nonsense"), nullptr);
}

TEST_F(PanelsControllerTest, TakesNoMoreThanLeavesRoomForTheTimeline) {
  const PanelsController& panels = *controllers().panels;
  EXPECT_GT(panels.height_px({0, 0, 1000, 900}), 200);
  EXPECT_LT(panels.height_px({0, 0, 1000, 300}), 150);
  run("panel");
  EXPECT_EQ(panels.height_px({0, 0, 1000, 900}), 0);
}

TEST_F(PanelsControllerTest, IsAsHighAsTheSettingsSay) {
  shell_->settings().panel_px = 400;
  shell_->settings_changed();
  EXPECT_EQ(controllers().panels->height_px({0, 0, 1000, 900}), 400);
}

}  // namespace
}  // namespace cinderscope
