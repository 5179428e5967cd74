#include <algorithm>
#include <optional>
#include <utility>

#include "ingest/build/timeline_builder.h"
#include "render/views/timeline/timeline.h"
#include "tests/unit/render/views/known_images.h"
#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

constexpr float kTracksLeftX = 232, kRulerY = 54 + 13, kFarDownY = 350;

// The tracks are 1000 px wide and show [0, 10 000) ns. One thread with a call of [1000, 4000) and
// one of [6000, 7000).
class MouseRangeTest : public ViewWindow {
 protected:
  static constexpr float kWidth = 1232;

  void SetUp() override {
    ViewWindow::SetUp();
    TimelineBuilder builder;
    TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "7"));
    slices.complete(1000, 3000, builder.intern("first"), 1);
    slices.complete(6000, 1000, builder.intern("second"), 2);
    slices.complete(0, 1, builder.intern("begin"), 3);
    slices.complete(20'000, 1, builder.intern("end"), 4);
    timeline_ = builder.finish();
    state_.view = showing(0, 10'000, 1000);
    step();
    step();
  }

  // Carries out what is asked for, as the program does between two frames.
  Actions step() {
    const Actions actions = frame([this](Actions& out) {
      view_.draw({.timeline = timeline_,
                  .state = state_,
                  .theme = theme_,
                  .area = {0, 0, kWidth, kArea.height},
                  .images = images_},
                 out);
    });
    for (const Action& action : actions) {
      if (const auto* range = std::get_if<SetRange>(&action)) state_.range = range->range;
      if (const auto* show = std::get_if<ShowView>(&action)) state_.view = show->view;
      if (std::holds_alternative<SetRange>(action)) ++ranges_set_;
    }
    return actions;
  }
  Actions move(double time_ns, float y) {
    ImGui::GetIO().MousePos = {kTracksLeftX + static_cast<float>(state_.view.px_from_ns(
                                                  static_cast<std::int64_t>(time_ns))),
                               y};
    return step();
  }
  Actions button(bool down, int which = 0) {
    ImGui::GetIO().MouseDown[which] = down;
    return step();
  }
  void press(double time_ns, float y) {
    move(time_ns, y);
    button(true);
  }
  void drag(double from_ns, double to_ns, float y) {
    press(from_ns, y);
    for (int i = 1; i <= 5; ++i) move(from_ns + (to_ns - from_ns) * i / 5, y);
    button(false);
  }
  template <class T>
  static bool has(const Actions& actions) {
    return std::any_of(actions.begin(), actions.end(),
                       [](const Action& one) { return std::holds_alternative<T>(one); });
  }
  std::pair<std::int64_t, std::int64_t> range() const {
    if (!state_.range) return {-1, -1};
    return {state_.range->begin_ns, state_.range->end_ns};
  }
  using Ends = std::pair<std::int64_t, std::int64_t>;

  Timeline timeline_;
  TimelineState state_;
  TimelineView view_;
  KnownImages images_;
  int ranges_set_ = 0;
};

TEST_F(MouseRangeTest, ADragWithShiftSelectsWhileItGoesOn) {
  feed_modifiers({.shift = true});
  press(2000, kFarDownY);
  move(3000, kFarDownY);
  EXPECT_EQ(range(), Ends(2000, 3000));
  move(5000, kFarDownY);
  EXPECT_EQ(range(), Ends(2000, 5000));
  button(false);
  EXPECT_EQ(range(), Ends(2000, 5000));
  EXPECT_EQ(ranges_set_, 2);
}

TEST_F(MouseRangeTest, ADragOnTheRulerSelectsWithoutShift) {
  drag(8000, 2000, kRulerY);
  EXPECT_EQ(range(), Ends(2000, 8000));
  EXPECT_EQ(state_.view.begin_ns, 0);
}

TEST_F(MouseRangeTest, EndsSnapToCallsUnlessAltIsHeld) {
  drag(1040, 6950, kRulerY);
  EXPECT_EQ(range(), Ends(1000, 7000));
  state_.range.reset();
  feed_modifiers({.alt = true});
  drag(1040, 6950, kRulerY);
  EXPECT_EQ(range(), Ends(1040, 6950));
}

TEST_F(MouseRangeTest, EdgesAreDraggedOnTheRulerAndInTheTracks) {
  state_.range = {2000, 8000};
  drag(2010, 3000, kFarDownY);
  EXPECT_EQ(range(), Ends(3000, 8000));
  drag(8000, 9000, kRulerY);
  EXPECT_EQ(range(), Ends(3000, 9000));
  drag(9000, 2000, kFarDownY);  // beyond the other edge
  EXPECT_EQ(range(), Ends(2000, 3000));
}

TEST_F(MouseRangeTest, AClickOnAnEdgeLeavesTheRange) {
  state_.range = {2000, 8000};
  press(2000, kFarDownY);
  button(false);
  EXPECT_EQ(range(), Ends(2000, 8000));
}

TEST_F(MouseRangeTest, TheBarOnTheRulerMovesAllOfIt) {
  state_.range = {2000, 4400};
  feed_modifiers({.alt = true});
  drag(2500, 5000, kRulerY);
  EXPECT_EQ(range(), Ends(4500, 6900));
}

TEST_F(MouseRangeTest, AMovedRangeSnapsWithEitherEndAndKeepsItsLength) {
  state_.range = {2000, 4400};
  drag(2500, 6460, kRulerY);  // its begin comes near 6000
  EXPECT_EQ(range(), Ends(6000, 8400));
  state_.range = {2000, 4400};
  drag(3200, 4840, kRulerY);  // its end comes near 6000, its begin near nothing
  EXPECT_EQ(range(), Ends(3600, 6000));
}

TEST_F(MouseRangeTest, TheCrossGivesTheRangeUp) {
  state_.range = {2000, 8000};
  for (double time = 4500; time < 5800 && state_.range; time += 20) {
    move(time, kRulerY);
    button(true);
    button(false);
  }
  EXPECT_FALSE(state_.range);
}

TEST_F(MouseRangeTest, AClickBesideTheBarGivesTheRangeUp) {
  state_.range = {2000, 4000};
  press(9000, kRulerY);
  button(false);
  EXPECT_FALSE(state_.range);
}

TEST_F(MouseRangeTest, ADoubleClickOnTheBarZoomsToIt) {
  state_.range = {2000, 8000};
  press(3000, kRulerY);
  button(false);
  const Actions actions = button(true);
  ASSERT_EQ(actions.size(), 1u);
  const auto* zoom = std::get_if<RunCommand>(&actions.front());
  ASSERT_NE(zoom, nullptr);
  EXPECT_EQ(zoom->name + " " + zoom->argument, "zoom-to 2000 8000");
  button(false);
  EXPECT_EQ(range(), Ends(2000, 8000));
}

TEST_F(MouseRangeTest, EscapeBringsBackTheRangeFromBeforeTheDrag) {
  state_.range = {2000, 8000};
  press(3000, kRulerY);
  move(5000, kRulerY);
  EXPECT_NE(range(), Ends(2000, 8000));
  EXPECT_TRUE(view_.cancel_drag(state_));
  EXPECT_EQ(range(), Ends(2000, 8000));
  move(7000, kRulerY);
  button(false);
  EXPECT_EQ(range(), Ends(2000, 8000));
  EXPECT_FALSE(view_.cancel_drag(state_));
}

TEST_F(MouseRangeTest, ADragBeyondTheEdgePansUntilTheEndOfTheTrace) {
  feed_modifiers({.shift = true});
  press(5000, kFarDownY);
  ImGui::GetIO().MousePos = {kTracksLeftX + 1100, kFarDownY};
  step();
  EXPECT_TRUE(view_.animating());
  for (int i = 0; i < 20; ++i) step();
  EXPECT_GT(state_.view.begin_ns, 0);
  EXPECT_EQ(state_.range->begin_ns, 5000);
  EXPECT_GT(state_.range->end_ns, 10'000);
  for (int i = 0; i < 2000 && view_.animating(); ++i) step();
  EXPECT_FALSE(view_.animating()) << "nothing is left to pan to";
  button(false);
  EXPECT_FALSE(view_.animating());
}

TEST_F(MouseRangeTest, ARightClickOnTheRulerAsksForTheRangesMenu) {
  move(5000, kRulerY);
  std::optional<RunCommand> asked;
  for (const Action& action : button(true, 1)) {
    if (const auto* call = std::get_if<RunCommand>(&action)) asked = *call;
  }
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->name, "context-menu");
  EXPECT_EQ(asked->argument, "ruler");
}

TEST_F(MouseRangeTest, RangesAtTheLimitsOfTimeAreDrawnAndDragged) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  state_.range = {-kFar, kFar};
  drag(3000, 6000, kRulerY);
  ASSERT_TRUE(state_.range);
  EXPECT_LT(state_.range->begin_ns, state_.range->end_ns);
}

}  // namespace
}  // namespace cinderscope
