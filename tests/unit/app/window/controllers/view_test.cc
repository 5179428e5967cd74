#include "app/window/controllers/view.h"

#include "tests/support/unseen_window.h"

namespace cinderscope {
namespace {

class ViewControllerTest : public UnseenWindow {
 protected:
  void SetUp() override {
    UnseenWindow::SetUp();
    open_two_threads();
  }
  std::pair<std::int64_t, std::int64_t> view() {
    return {state().view.begin_ns, state().view.end_ns()};
  }
  using Ends = std::pair<std::int64_t, std::int64_t>;
};

TEST_F(ViewControllerTest, ShowsARangeAndGoesBackAndForward) {
  const Ends whole = view();
  EXPECT_EQ(run("zoom-to 100000 200000"), "");
  const Ends part = view();
  EXPECT_LE(part.first, 100000);
  EXPECT_GE(part.second, 200000);
  EXPECT_LT(part.second - part.first, 200000);
  EXPECT_EQ(run("back"), "");
  EXPECT_EQ(view(), whole);
  EXPECT_EQ(run("forward"), "");
  EXPECT_EQ(view(), part);
  EXPECT_EQ(run("fit"), "");
  EXPECT_EQ(view(), whole);
  EXPECT_EQ(run("zoom-to 5 1"), "Two times are expected, BEGIN before END.");
}

TEST_F(ViewControllerTest, ZoomsAndPansByAStep) {
  run("zoom-to 400000 600000");
  const auto span = [this] { return view().second - view().first; };
  const std::int64_t before = span(), begin = view().first;
  run("pan-right");
  EXPECT_GT(view().first, begin);
  run("pan-left");
  EXPECT_NEAR(static_cast<double>(view().first), static_cast<double>(begin), 2);
  run("zoom-in");
  EXPECT_NEAR(static_cast<double>(span()), static_cast<double>(before) / 2, 4);
  run("zoom-out");
  EXPECT_NEAR(static_cast<double>(span()), static_cast<double>(before), 8);
}

TEST_F(ViewControllerTest, AnAnimatedMoveEndsWhereItLeads) {
  shell_->settings().reduced_motion = false;
  EXPECT_EQ(run("zoom-to 100000 200000"), "");
  EXPECT_FALSE(controllers().view->moves());
  EXPECT_LE(view().first, 100000);
  EXPECT_LT(view().second, 300000);
}

TEST_F(ViewControllerTest, FindsASliceByNameAndMovesAmongItsNeighbours) {
  EXPECT_TRUE(controllers().view->find("step"));
  EXPECT_EQ(selected_name(), "step");
  EXPECT_EQ(run("select-parent"), "");
  EXPECT_EQ(selected_name(), "work");
  EXPECT_EQ(run("select-child"), "");
  EXPECT_EQ(selected_name(), "step");
  const SliceRef first = state().selected;
  run("select-next");
  EXPECT_EQ(selected_name(), "step");
  EXPECT_NE(state().selected, first);
  run("select-previous");
  EXPECT_EQ(state().selected, first);
  EXPECT_FALSE(controllers().view->find("nobody"));
}

TEST_F(ViewControllerTest, ZoomsToWhatIsSelected) {
  ASSERT_TRUE(controllers().view->find("job"));
  run("fit");
  EXPECT_EQ(run("zoom-selection"), "");
  EXPECT_NEAR(static_cast<double>(view().first), 200000, 100000);
  EXPECT_EQ(run("zoom-range"), "No range is selected.");
  EXPECT_EQ(run("select-range 100000 200000"), "");
  EXPECT_EQ(run("zoom-range"), "");
  EXPECT_LT(view().second - view().first, 200000);
}

TEST_F(ViewControllerTest, ClearsTheLastChoiceFirst) {
  run("select-range 100000 200000");
  controllers().view->find("work");
  run("search step");
  run("clear");
  EXPECT_EQ(tab().search.text(), "");
  EXPECT_EQ(selected_name(), "work");
  run("clear");
  EXPECT_EQ(selected_name(), "");
  EXPECT_TRUE(state().range);
  run("clear");
  EXPECT_FALSE(state().range);
}

TEST_F(ViewControllerTest, GoesToAThreadThatWasHidden) {
  run("hide worker");
  EXPECT_EQ(run("go-to worker"), "");
  EXPECT_TRUE(state().hidden_tracks.empty());
  EXPECT_EQ(run("go-to nobody"), "There is no thread \"nobody\".");
}

TEST_F(ViewControllerTest, CopiesNameAndDetails) {
  controllers().view->find("work");
  EXPECT_EQ(run("copy-name"), "");
  EXPECT_EQ(copied_, "work");
  EXPECT_EQ(run("copy-details"), "");
  EXPECT_NE(copied_.find("id"), std::string::npos);
}

TEST_F(ViewControllerTest, ShowsNanosecondsWhereAsked) {
  EXPECT_EQ(run("time-unit ns"), "");
  EXPECT_TRUE(timeline().show_ns_unit);
  EXPECT_EQ(run("time-unit"), "");
  EXPECT_FALSE(timeline().show_ns_unit);
}

}  // namespace
}  // namespace cinderscope
