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
  EXPECT_EQ(run("zoom-to 5 1"), "Give two times, e.g. +1.2s +1.5s: 1 is not after 5.");
  EXPECT_EQ(run("zoom-to 5"), "zoom-to needs a time such as +1.2s.");
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

TEST_F(ViewControllerTest, AnAnimatedMoveGoesByTheTimeBetweenFrames) {
  shell_->settings().reduced_motion = false;
  ASSERT_TRUE(shell_->run_command("zoom-to", "100000 200000"));
  int frames = 0;  // of a sixtieth of a second
  for (; frames < 100 && controllers().view->moves(); ++frames) frame();
  EXPECT_EQ(frames, 8);
  // A rest is no part of it.
  ASSERT_TRUE(shell_->run_command("fit", ""));
  shell_->draw_frame(1, 5, [] {});
  EXPECT_TRUE(controllers().view->moves());
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
  EXPECT_TRUE(state().ruler_in_ns);
  EXPECT_EQ(run("time-unit"), "");
  EXPECT_FALSE(state().ruler_in_ns);
}

// Starts at 5 s of its clock, as traces do whose clock counts from the machine's start.
constexpr std::string_view kLate =
    R"([{"ph":"X","pid":1,"tid":1,"ts":5000000,"dur":1000,"name":"work"},
{"ph":"X","pid":1,"tid":1,"ts":5000100,"dur":200,"name":"step"}])";
constexpr std::int64_t kLateNs = 5'000'000'000;

TEST_F(ViewControllerTest, TakesTimesFromTheBeginTheEndAMarkAndTheSelection) {
  open("late.json", kLate);
  EXPECT_EQ(run("select-range +100us +300us"), "");
  EXPECT_EQ(state().range->begin_ns, kLateNs + 100'000);
  EXPECT_EQ(state().range->end_ns, kLateNs + 300'000);
  EXPECT_EQ(run("select-range 5.0005s end-0.1ms"), "");
  EXPECT_EQ(state().range->begin_ns, kLateNs + 500'000);
  EXPECT_EQ(state().range->end_ns, kLateNs + 900'000);
  EXPECT_EQ(run("select-range now end"), "now is the selected call; none is selected.");
  ASSERT_TRUE(controllers().view->find("step"));
  EXPECT_EQ(run("select-range now end"), "");
  EXPECT_EQ(state().range->begin_ns, kLateNs + 100'000);
  state().bookmarks.push_back({.begin_ns = kLateNs + 200'000,
                               .end_ns = kLateNs + 400'000,
                               .time_ns = kLateNs + 250'000,
                               .note = "slow part"});
  EXPECT_EQ(run(R"(select-range mark:"slow part" +800us)"), "");
  EXPECT_EQ(state().range->begin_ns, kLateNs + 250'000);
  EXPECT_EQ(run(R"(select-range "mark:slow part" "mark:slow part")"), "");
  EXPECT_EQ(state().range->begin_ns, kLateNs + 200'000);
  EXPECT_EQ(state().range->end_ns, kLateNs + 400'000);
  EXPECT_EQ(run("select-range mark:none end"), "There is no bookmark \"none\".");
}

TEST_F(ViewControllerTest, SaysWhereTheTraceIsWhenATimeIsNot) {
  open("late.json", kLate);
  EXPECT_EQ(run("zoom-to 0.5ms 1ms"),
            "\"0.5ms\" is not in the trace, which goes from 5000000000 to 5001000000 ns; "
            "\"+0.5ms\" counts from its begin.");
  EXPECT_EQ(run("go-to-time 7s"),
            "\"7s\" is not in the trace, which goes from 5000000000 to 5001000000 ns.");
  EXPECT_EQ(run("select-range 7s 8s").substr(0, 4), "\"7s\"");
  EXPECT_FALSE(state().range);
}

TEST_F(ViewControllerTest, AViewThatReachesBeyondTheTraceCanBeShownAgain) {
  const Ends whole = view();
  EXPECT_LT(whole.first, 0);
  EXPECT_EQ(run("zoom-to " + std::to_string(whole.first) + " " + std::to_string(whole.second)), "");
  EXPECT_NEAR(static_cast<double>(view().first), static_cast<double>(whole.first), 2);
}

TEST_F(ViewControllerTest, GoesToATimeAndKeepsTheScale) {
  open("late.json", kLate);
  run("zoom-to +0us +100us");
  const double ns_per_px = state().view.ns_per_px;
  EXPECT_EQ(run("go-to-time +500us"), "");
  EXPECT_DOUBLE_EQ(state().view.ns_per_px, ns_per_px);
  EXPECT_NEAR(state().view.px_from_ns(kLateNs + 500'000),
              static_cast<double>(state().view.width_px) / 2, 1);
}

TEST_F(ViewControllerTest, ATimeTypedBesideTheRulerCountsAsTheRuler) {
  open("late.json", kLate);
  run("zoom-to +0us +100us");
  press("G");
  type("0.5ms");
  press("Enter");
  EXPECT_NEAR(state().view.px_from_ns(kLateNs + 500'000),
              static_cast<double>(state().view.width_px) / 2, 1);
  run("time-shown clock");
  EXPECT_EQ(controllers().view->as_on_ruler("5.0003s"), "5.0003s");
  run("time-shown start");
  EXPECT_EQ(controllers().view->as_on_ruler("5.0003s"), "+5.0003s");
  EXPECT_EQ(controllers().view->as_on_ruler("end-1ms"), "end-1ms");
}

TEST_F(ViewControllerTest, LeavesAMarginBesideACallZoomedTo) {
  ASSERT_TRUE(controllers().view->find("job"));
  EXPECT_GT(state().view.px_from_ns(200'000), 10);
  EXPECT_LT(state().view.px_from_ns(900'000), static_cast<double>(state().view.width_px) - 10);
}

TEST_F(ViewControllerTest, PagesScrollTheRows) {
  std::string many = "[";
  for (int i = 0; i < 100; ++i) {
    many += (i == 0 ? "" : ",") +
            std::string(R"({"ph":"X","pid":1,"ts":0,"dur":9,"name":"a","tid":)") +
            std::to_string(i) + "}";
  }
  open("many.json", many + "]");
  press("PageDown");
  const double page = state().scroll_px;
  EXPECT_GT(page, 200);
  press("PageDown");
  EXPECT_DOUBLE_EQ(state().scroll_px, 2 * page);
  press("PageUp");
  EXPECT_DOUBLE_EQ(state().scroll_px, page);
  for (int i = 0; i < 100; ++i) run("page-down");
  EXPECT_LT(state().scroll_px, state().content_height_px);
  for (int i = 0; i < 100; ++i) run("page-up");
  EXPECT_DOUBLE_EQ(state().scroll_px, 0);
}

}  // namespace
}  // namespace cinderscope
