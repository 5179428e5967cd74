#include "app/window/controllers/siblings.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class SiblingsControllerTest : public UnseenWindow {};

TEST_F(SiblingsControllerTest, OffersNothingForATraceWithAllItsThreads) {
  open_two_threads();
  EXPECT_EQ(tab().offered_threads, 0u);
  EXPECT_EQ(run("all-threads"), "This trace is not one thread of a recording in several files.");
}

TEST_F(SiblingsControllerTest, AnOfferStandsAboveTheTimelineUntilItIsAnswered) {
  open_two_threads();
  const Rect area{0, 0, 1000, 500};
  Actions actions;
  tab().offered_threads = 3;
  shell_->poll();
  ImGui::NewFrame();
  ImGui::Begin("window");
  EXPECT_GT(controllers().siblings->draw_offer(tab(), area, actions).y, 0);
  ImGui::End();
  ImGui::Render();
  EXPECT_TRUE(controllers().siblings->answer(false));
  EXPECT_EQ(tab().offered_threads, 0u);
  EXPECT_EQ(controllers().siblings->draw_offer(tab(), area, actions).y, 0);
}

}  // namespace
}  // namespace cinderscope
