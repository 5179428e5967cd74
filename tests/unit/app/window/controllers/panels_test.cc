#include "app/window/controllers/panels.h"

#include <set>

#include "app/window/panels/panel.h"
#include "render/layout/track_list.h"
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

TEST_F(PanelsControllerTest, ArrowKeysGoThroughItsTableOnceItHasThem) {
  run("panel statistics");
  run("sort-statistics name");  // job, step, work
  EXPECT_EQ(run("focus"), "");
  press("Down");
  EXPECT_EQ(selected_name(), "job");
  press("End");
  EXPECT_EQ(selected_name(), "work");
  press("Up");
  EXPECT_EQ(selected_name(), "step");
  press("Enter");  // as a double click: all calls of that name
  EXPECT_TRUE(controllers().panels->shows("search"));
  EXPECT_TRUE(controllers().panels->has_keys());
  press("Escape");
  EXPECT_FALSE(controllers().panels->has_keys());
  EXPECT_EQ(selected_name(), "step");
  press("Up");  // its caller
  EXPECT_EQ(selected_name(), "work");
}

TEST_F(PanelsControllerTest, AClickOnAPanelGivesItTheKeysAndOneElsewhereTakesThem) {
  run("panel statistics");
  click_down_panel(100, [&] { return !selected_name().empty(); });
  EXPECT_TRUE(controllers().panels->has_keys());
  click(600, 300);
  EXPECT_FALSE(controllers().panels->has_keys());
}

TEST_F(PanelsControllerTest, OnlyATableCanHaveTheKeys) {
  press("F6");
  EXPECT_FALSE(controllers().panels->has_keys());
  EXPECT_EQ(run("focus panel"), "This panel has no table.");
  run("panel");
  EXPECT_EQ(run("focus panel"), "The lower panel is closed.");
  run("panel statistics");
  press("F6");
  EXPECT_TRUE(controllers().panels->has_keys());
  press("F6");
  EXPECT_FALSE(controllers().panels->has_keys());
}

TEST_F(PanelsControllerTest, SelectsTheThreadThatTheFileAsksFor) {
  open("p.speedscope.json",
       R"({"$schema":"https://www.speedscope.app/file-format-schema.json","activeProfileIndex":1,)"
       R"("shared":{"frames":[{"name":"main"}]},"profiles":[)"
       R"({"type":"sampled","name":"a","unit":"seconds","startValue":0,"endValue":9,)"
       R"("samples":[[0]],"weights":[1]},)"
       R"({"type":"sampled","name":"b","unit":"seconds","startValue":0,"endValue":9,)"
       R"("samples":[[0]],"weights":[1]}]})");
  const Timeline& timeline = tab().session->timeline();
  const IndexSet& selected = tab().session->state().selected_tracks;
  ASSERT_EQ(selected.size(), 1u);
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    EXPECT_EQ(selected.contains(i), track_label(timeline, timeline.tracks[i]) == "b");
  }
}

}  // namespace
}  // namespace cinderscope
