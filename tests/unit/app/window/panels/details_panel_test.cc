#include "app/window/panels/details_panel.h"

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
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, before + 200);
  EXPECT_FALSE(tab().panel_named("details")->busy());
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
