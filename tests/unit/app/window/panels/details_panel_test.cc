#include "app/window/panels/details_panel.h"

#include "app/window/controllers/panels.h"
#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class DetailsPanelTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
  }
};

TEST_F(DetailsPanelTest, ShowsWhatIsSelectedAndIsDoneOnceAllIsKnown) {
  const int before = ImGui::GetDrawData()->TotalVtxCount;
  click(kWidthPx - 400, 0);
  // Below the head of the process, which a click folds.
  for (float y = 150; y < 400 && selected_name().empty(); y += 5) click(kWidthPx - 400, y);
  ASSERT_EQ(selected_name(), "work");
  EXPECT_NE(ImGui::GetDrawData()->TotalVtxCount, before);
  EXPECT_FALSE(tab().panel_named("details")->busy());
}

TEST_F(DetailsPanelTest, ShowsTheRangeOrTheSelectionWhicheverCameLast) {
  const auto drawn = [this] {
    settle();
    return ImGui::GetDrawData()->TotalVtxCount;
  };
  const int whole = drawn();
  EXPECT_FALSE(tab().panel_named("details")->busy());
  EXPECT_EQ(run("select-range 0 500000"), "");
  const int range = drawn();
  EXPECT_NE(range, whole);
  EXPECT_FALSE(tab().panel_named("details")->busy());
  EXPECT_TRUE(find("work"));
  const int call = drawn();
  EXPECT_NE(call, range);
  EXPECT_EQ(run("select-range 0 500001"), "");
  EXPECT_NE(drawn(), call);
}

TEST_F(DetailsPanelTest, LeadsFromTheRangeToItsStatistics) {
  EXPECT_EQ(run("select-range 0 500000"), "");
  for (float y = kHeightPx - 280; y < kHeightPx - 30; y += 9) {
    for (float x = 20; x < 320; x += 40) {
      click(x, y);
      if (!controllers().panels->shows("statistics")) continue;
      EXPECT_EQ(tab().scope.choice(state()), ScopeChoice::range);
      return;
    }
  }
  FAIL() << "no button leads there";
}

// Characters of arguments are looked at once they are shown, and only then.
TEST_F(DetailsPanelTest, HandsOnTheTextsThatItShows) {
  DetailsPanel panel;
  const auto draw = [&] {
    Actions actions;
    ImGui::NewFrame();
    ImGui::Begin("window");
    panel.draw({.session = *tab().session,
                .theme = shell_->theme(),
                .area = {0, 0, 600, 300},
                .app = *shell_},
               actions);
    ImGui::End();
    ImGui::Render();
    return panel.take_shown_texts();
  };
  draw();
  state().selected = {TrackId{0}, BlockId{0}, 0, 0};
  EXPECT_NE(draw().find("id"), std::string::npos);
  EXPECT_EQ(draw(), "");
}

}  // namespace
}  // namespace cinderscope
