#include "render/timeline_view.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <atomic>
#include <cmath>
#include <optional>
#include <random>
#include <string>

#include "ingest/query/slice_search.h"
#include "ingest/timeline_builder.h"
#include "render/palette.h"

namespace cinderscope {
namespace {

constexpr float kWidth = 1232, kHeight = 700;  // the tracks are 1000 px wide
constexpr float kTracksX = 232;
constexpr float kFirstRowY = 54 + 26 + 25 + 4 + 9;  // middle of the first row of slices

// A window without a GPU: ImGui with fonts in memory, driven like by a mouse.
class TimelineViewTest : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {kWidth, kHeight};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    theme_.colours = theme_colours(theme_.kind);
    timeline_ = make_timeline();
    state_.view = showing(0, 10'000, 1000);  // 10 ns a pixel
    frame();                                 // windows can be hovered from the second frame on
  }
  void TearDown() override { ImGui::DestroyContext(); }

  // Process 1 with one thread: a [0, 4000), b [5000, 9000), c [1000, 2000) below a.
  static Timeline make_timeline() {
    TimelineBuilder builder;
    const ProcessId process = builder.process("1");
    const ThreadId thread = builder.thread(process, "7");
    TrackWriter& slices = builder.slices(thread);
    slices.complete(0, 4000, builder.intern("ns::first"), 1);
    slices.complete(1000, 1000, builder.intern("child"), 2);
    slices.complete(5000, 4000, builder.intern("second"), 3);
    builder.instant(thread, 4500, builder.intern("now"), 4);
    const CounterId counter = builder.counter(process, builder.intern("heap"));
    builder.counter_value(counter, kEmptyString, 0, 5);
    builder.counter_value(counter, kEmptyString, 5000, 9);
    builder.flow(builder.intern("flow"), false,
                 {{thread, 1500, FlowBinding::enclosing}, {thread, 6000, FlowBinding::enclosing}});
    return builder.finish();
  }

  // One frame; returns what it asked for. Views that were asked for are shown in the next one.
  Actions frame(float seconds = 1.0f / 60) {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = seconds;
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({kWidth, kHeight});
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    Actions actions;
    view_.draw({.timeline = timeline_,
                .state = state_,
                .theme = theme_,
                .area = {0, 0, kWidth, kHeight},
                .matches = matches_},
               actions);
    ImGui::End();
    ImGui::Render();
    io.MouseWheel = 0;
    for (const Action& action : actions) {
      if (const auto* show = std::get_if<ShowView>(&action)) state_.view = show->view;
      if (const auto* scroll = std::get_if<ScrollTo>(&action)) state_.scroll_px = scroll->scroll_px;
      if (const auto* range = std::get_if<SetRange>(&action)) state_.range = range->range;
    }
    return actions;
  }

  Actions move(float x, float y) {
    ImGui::GetIO().MousePos = {x, y};
    return frame();
  }
  Actions button(int which, bool down) {
    ImGui::GetIO().MouseDown[which] = down;
    return frame();
  }
  Actions wheel(float notches) {
    ImGui::GetIO().MouseWheel = notches;
    return frame();
  }
  Actions drag(float x0, float x1, float y, int which = 0) {
    move(x0, y);
    Actions all;
    const auto add = [&](const Actions& actions) {
      all.insert(all.end(), actions.begin(), actions.end());
    };
    add(button(which, true));
    for (int i = 1; i <= 10; ++i) add(move(x0 + (x1 - x0) * static_cast<float>(i) / 10, y));
    add(button(which, false));
    return all;
  }

  template <class T>
  static std::optional<T> last(const Actions& actions) {
    std::optional<T> found;
    for (const Action& action : actions) {
      if (const auto* wanted = std::get_if<T>(&action)) found = *wanted;
    }
    return found;
  }
  std::string name_of(const SliceRef& slice) const {
    return slice ? std::string(timeline_.text(slice_at(timeline_, slice).name)) : "none";
  }

  Theme theme_;
  Timeline timeline_;
  TimelineState state_;
  TimelineView view_;
  const MatchSet* matches_ = nullptr;
};

TEST_F(TimelineViewTest, DrawsAFrameAndTellsWhatIsVisible) {
  EXPECT_TRUE(frame().empty());
  EXPECT_EQ(state_.visible_rows, 3u);  // instants and two rows
  EXPECT_EQ(state_.visible_boxes, 4u);
  EXPECT_GT(state_.content_height_px, 100);
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 100);
  EXPECT_FLOAT_EQ(state_.view.width_px, 1000);
  EXPECT_FALSE(view_.animating());
}

TEST_F(TimelineViewTest, WhatTheSearchDidNotFindIsGrey) {
  const Palette& palette = palette_of(theme_.kind, false);
  const auto drawn_in = [](Rgba colour) {
    const ImDrawData& data = *ImGui::GetDrawData();
    int count = 0;
    for (int l = 0; l < data.CmdListsCount; ++l) {
      for (const ImDrawVert& vertex : data.CmdLists[l]->VtxBuffer) count += vertex.col == colour;
    }
    return count;
  };
  frame();
  EXPECT_EQ(drawn_in(palette.unmatched()), 0);
  const auto colour_of = [&](std::string_view name) {
    return palette.box(timeline_.strings->hash(*timeline_.strings->find(name)));
  };
  const int second = drawn_in(colour_of("second")), first = drawn_in(colour_of("ns::first"));
  const std::atomic<bool> cancelled = false;
  const SearchAnswer answer = search_slices(
      {slice_set_of(timeline_), *parse_search("=\"second\""), {}, nullptr, 1}, cancelled, {});
  matches_ = answer.matches.get();
  frame();
  EXPECT_EQ(drawn_in(palette.unmatched()), 2 * 4 + 4);  // two boxes and the instant
  EXPECT_EQ(drawn_in(colour_of("second")), second);
  EXPECT_EQ(drawn_in(colour_of("ns::first")), first - 4);
  state_.view = showing(0, 100'000'000, 1000);  // all are thinner than a pixel now
  frame();
  EXPECT_GT(drawn_in(palette.unmatched()), 4);
}

TEST_F(TimelineViewTest, HoversWhatIsUnderThePointer) {
  move(kTracksX + 200, kFirstRowY);
  EXPECT_EQ(name_of(state_.hovered), "ns::first");
  EXPECT_EQ(state_.cursor_ns, 2000);
  move(kTracksX + 150, kFirstRowY + 19);
  EXPECT_EQ(name_of(state_.hovered), "child");
  move(kTracksX + 470, kFirstRowY + 19);
  EXPECT_FALSE(state_.hovered);
  move(-5, -5);
  EXPECT_FALSE(state_.cursor_ns.has_value());
}

TEST_F(TimelineViewTest, ClickSelectsAndClickBesideClears) {
  move(kTracksX + 200, kFirstRowY);
  EXPECT_FALSE(last<SelectSlice>(button(0, true)).has_value());
  const auto selected = last<SelectSlice>(button(0, false));
  ASSERT_TRUE(selected.has_value());
  EXPECT_EQ(name_of(selected->slice), "ns::first");
  move(kTracksX + 470, kFirstRowY + 19);
  button(0, true);
  const auto cleared = last<SelectSlice>(button(0, false));
  ASSERT_TRUE(cleared.has_value());
  EXPECT_FALSE(cleared->slice);
}

TEST_F(TimelineViewTest, ClickOnADiamondSelectsTheInstant) {
  move(kTracksX + 450, kFirstRowY - 9);
  button(0, true);
  const auto selected = last<SelectInstant>(button(0, false));
  ASSERT_TRUE(selected.has_value());
  EXPECT_TRUE(selected->instant);
}

TEST_F(TimelineViewTest, DoubleClickZoomsToTheSlice) {
  move(kTracksX + 700, kFirstRowY);
  button(0, true);
  button(0, false);
  const auto zoom = last<ZoomToSlice>(button(0, true));
  ASSERT_TRUE(zoom.has_value());
  EXPECT_EQ(name_of(zoom->slice), "second");
  button(0, false);
}

TEST_F(TimelineViewTest, RightClickAsksForTheMenu) {
  move(kTracksX + 200, kFirstRowY);
  const Actions actions = button(1, true);
  ASSERT_TRUE(last<RunCommand>(actions).has_value());
  EXPECT_EQ(last<RunCommand>(actions)->name, "context-menu");
  EXPECT_TRUE(last<SelectSlice>(actions).has_value());
  button(1, false);
}

TEST_F(TimelineViewTest, WheelZoomsAtThePointer) {
  move(kTracksX + 300, kFirstRowY);
  const auto shown = last<ShowView>(wheel(1));
  ASSERT_TRUE(shown.has_value());
  EXPECT_LT(shown->view.ns_per_px, 10);
  EXPECT_NEAR(shown->view.px_from_ns(3000), 300, 1e-6);
}

TEST_F(TimelineViewTest, NotchesAddUpWhileTheViewStillFollows) {
  move(kTracksX + 300, kFirstRowY);
  const Viewport before = state_.view;
  wheel(1);
  state_.view = before;  // as an animation that has only begun
  const auto second = last<ShowView>(wheel(1));
  ASSERT_TRUE(second.has_value());
  EXPECT_NEAR(second->view.ns_per_px, 6.4, 1e-9);
}

TEST_F(TimelineViewTest, ShiftWheelPansAndCtrlWheelScrolls) {
  state_.view = showing(0, 5000, 1000);
  move(kTracksX + 300, kFirstRowY);
  ImGui::GetIO().KeyShift = true;
  const auto panned_to = last<ShowView>(wheel(-1));
  ImGui::GetIO().KeyShift = false;
  ASSERT_TRUE(panned_to.has_value());
  EXPECT_EQ(panned_to->view.begin_ns, 500);
  ImGui::GetIO().KeyCtrl = true;
  const Actions scrolled = wheel(-1);
  ImGui::GetIO().KeyCtrl = false;
  EXPECT_FALSE(last<ShowView>(scrolled).has_value());  // all rows fit: nothing to scroll
  EXPECT_FALSE(last<ScrollTo>(scrolled).has_value());
}

TEST_F(TimelineViewTest, PresetLetsThePlainWheelScroll) {
  state_.wheel_scrolls = true;
  move(kTracksX + 300, kFirstRowY);
  EXPECT_FALSE(last<ShowView>(wheel(1)).has_value());
  ImGui::GetIO().KeyCtrl = true;
  EXPECT_TRUE(last<ShowView>(wheel(1)).has_value());
  ImGui::GetIO().KeyCtrl = false;
}

TEST_F(TimelineViewTest, LeftDragPansAndCoasts) {
  state_.view = showing(0, 5000, 1000);
  const Actions actions = drag(kTracksX + 600, kTracksX + 500, kFirstRowY);
  EXPECT_FALSE(last<SelectSlice>(actions).has_value());
  ASSERT_TRUE(last<ShowView>(actions).has_value());
  EXPECT_GE(state_.view.begin_ns, 500);
  EXPECT_TRUE(view_.animating());
  const std::int64_t released_ns = state_.view.begin_ns;
  int frames = 0;
  while (view_.animating() && ++frames < 500) frame();
  EXPECT_GT(state_.view.begin_ns, released_ns);
  EXPECT_LT(frames, 200);
}

TEST_F(TimelineViewTest, DragHeldStillDoesNotCoast) {
  move(kTracksX + 600, kFirstRowY);
  button(0, true);
  move(kTracksX + 500, kFirstRowY);
  ImGui::GetIO().MouseDown[0] = false;
  frame(0.5f);
  EXPECT_FALSE(view_.animating());
}

TEST_F(TimelineViewTest, ShiftDragSelectsARangeThatSnapsToSlices) {
  ImGui::GetIO().KeyShift = true;
  const auto range = last<SetRange>(drag(kTracksX + 103, kTracksX + 497, kFirstRowY));
  ASSERT_TRUE(range.has_value() && range->range.has_value());
  EXPECT_EQ(range->range->begin_ns, 1000);  // the child's begin
  EXPECT_EQ(range->range->end_ns, 5000);    // the second's begin
  ImGui::GetIO().KeyAlt = true;
  const auto free_range = last<SetRange>(drag(kTracksX + 803, kTracksX + 897, kFirstRowY));
  ImGui::GetIO().KeyAlt = false;
  ImGui::GetIO().KeyShift = false;
  ASSERT_TRUE(free_range.has_value() && free_range->range.has_value());
  EXPECT_EQ(free_range->range->begin_ns, 8030);
  EXPECT_EQ(free_range->range->end_ns, 8970);
}

TEST_F(TimelineViewTest, EdgesOfTheRangeCanBeDragged) {
  state_.range = TimeRange{2500, 7000};
  const auto range = last<SetRange>(drag(kTracksX + 700, kTracksX + 900, kFirstRowY + 300));
  ASSERT_TRUE(range.has_value() && range->range.has_value());
  EXPECT_EQ(range->range->begin_ns, 2500);
  EXPECT_EQ(range->range->end_ns, 9000);
}

TEST_F(TimelineViewTest, MiddleDragZoomsToTheDraggedRange) {
  const auto zoom = last<ZoomToRange>(drag(kTracksX + 300, kTracksX + 200, kFirstRowY, 2));
  ASSERT_TRUE(zoom.has_value());
  EXPECT_EQ(zoom->begin_ns, 2000);
  EXPECT_EQ(zoom->end_ns, 3000);
}

TEST_F(TimelineViewTest, OverviewCentresDragsAndResizesTheView) {
  state_.view = showing(4000, 5000, 1000);
  move(kTracksX + 800, 20);
  const auto centred = last<ShowView>(button(0, true));
  button(0, false);
  ASSERT_TRUE(centred.has_value());
  EXPECT_NEAR(static_cast<double>(centred->view.begin_ns), 9000.0 * 0.8 - 500, 2);
  EXPECT_NEAR(centred->view.span_ns(), 1000, 1e-6);
  // The frame's right grip, 1000 ns after its begin, to the trace's end.
  const float grip = kTracksX + static_cast<float>(state_.view.end_ns()) / 9;
  const auto wider = last<ShowView>(drag(grip, kTracksX + 999, 20));
  ASSERT_TRUE(wider.has_value());
  EXPECT_NEAR(static_cast<double>(wider->view.end_ns()), 8991, 20);
}

TEST_F(TimelineViewTest, GutterFoldsAndShowsHiddenTracksAgain) {
  move(60, 54 + 26 + 12);
  EXPECT_TRUE(last<ToggleProcess>(button(0, true)).has_value());
  button(0, false);
  move(60, kFirstRowY);
  EXPECT_TRUE(last<ToggleTrack>(button(0, true)).has_value());
  button(0, false);
  const Actions menu = button(1, true);
  ASSERT_TRUE(last<RunCommand>(menu).has_value());
  EXPECT_EQ(last<RunCommand>(menu)->argument, "track 0");
  button(1, false);
  state_.hidden_tracks = {0};
  move(kTracksX + 10, 54 + 26 + 12);
  const auto shown = last<HideTrack>(button(0, true));
  ASSERT_TRUE(shown.has_value());
  EXPECT_FALSE(shown->hide);
  button(0, false);
}

TEST_F(TimelineViewTest, GutterEdgeIsDraggable) {
  drag(232, 332, 400);
  EXPECT_NEAR(state_.gutter_px, 332, 1);
}

TEST_F(TimelineViewTest, ScrollBarCanBeDraggedAndJumpsToThePress) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  for (int i = 0; i < 200; ++i) {
    builder.slices(thread).complete(0, 10'000, builder.intern("deep"), 1);
  }
  timeline_ = builder.finish();
  frame();
  constexpr float kBarX = kWidth - 4, kTop = 54 + 26, kTracks = kHeight - kTop;
  const double most = state_.content_height_px - static_cast<double>(kTracks);
  move(kBarX, kTop + 5);  // on the thumb
  button(0, true);
  move(kBarX, kTop + 105);
  const double share = static_cast<double>(kTracks) / state_.content_height_px;
  EXPECT_NEAR(state_.scroll_px, 100 * most / (static_cast<double>(kTracks) * (1 - share)), 2);
  EXPECT_FALSE(state_.hovered);
  button(0, false);
  move(kBarX, kHeight - 2);  // below the thumb
  button(0, true);
  EXPECT_NEAR(state_.scroll_px, most, 2);
  button(0, false);
  EXPECT_FALSE(view_.animating());
}

TEST_F(TimelineViewTest, DoesNothingWhileAPopupOwnsTheInput) {
  ImGui::GetIO().MousePos = {kTracksX + 200, kFirstRowY};
  ImGui::GetIO().MouseWheel = 1;
  ImGui::NewFrame();
  ImGui::Begin("window");
  Actions actions;
  view_.draw({.timeline = timeline_,
              .state = state_,
              .theme = theme_,
              .area = {0, 0, kWidth, kHeight},
              .interactive = false},
             actions);
  ImGui::End();
  ImGui::Render();
  EXPECT_TRUE(actions.empty());
  EXPECT_FALSE(state_.hovered);
}

TEST_F(TimelineViewTest, DrawsCountersOfSeveralSeriesStackedAndWithNegativeValues) {
  for (const double lowest : {0.0, -4.0}) {
    TimelineBuilder builder;
    const CounterId counter = builder.counter(builder.process("1"), builder.intern("heap"));
    for (int i = 0; i < 100; ++i) {
      builder.counter_value(counter, builder.intern("used"), i * 100, i % 7);
      builder.counter_value(counter, builder.intern("free"), i * 100 + i % 3, lowest + i % 5);
    }
    timeline_ = builder.finish();
    move(10, 10);
    frame();
    const int empty = ImGui::GetDrawData()->TotalVtxCount;
    move(700, 54 + 26 + 25 + 20);
    frame();
    EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, empty);
  }
}

TEST_F(TimelineViewTest, SurvivesReferencesToWhatIsGone) {
  state_.selected = {TrackId(99), BlockId(3), 7, 1'000'000};
  state_.selected_instant = {TrackId(99), 5};
  state_.range = TimeRange{INT64_MIN, INT64_MAX};
  move(kTracksX + 200, kFirstRowY);
  state_.hidden_tracks = {1'000'000};
  state_.collapsed_tracks = {1'000'000};
  timeline_ = Timeline{};
  frame();
  frame();
  EXPECT_EQ(state_.visible_boxes, 0u);
  EXPECT_FALSE(state_.hovered);
  EXPECT_EQ(view_.scroll_for(timeline_, state_, state_.selected), state_.scroll_px);
}

TEST_F(TimelineViewTest, SurvivesAnyInputAtAnySize) {
  std::mt19937 random(1);
  ImGuiIO& io = ImGui::GetIO();
  state_.selected = {TrackId(0), BlockId(0), 0, 0};
  for (int i = 0; i < 3000; ++i) {
    io.MousePos = {static_cast<float>(random() % 1300), static_cast<float>(random() % 750)};
    for (int b = 0; b < 3; ++b) io.MouseDown[b] = random() % 4 == 0;
    io.MouseWheel = random() % 5 == 0 ? static_cast<float>(random() % 21) - 10 : 0;
    io.KeyShift = random() % 3 == 0;
    io.KeyCtrl = random() % 5 == 0;
    theme_.scale = random() % 50 == 0 ? 2.5f : 1;
    theme_.kind = random() % 2 == 0 ? ThemeKind::dark : ThemeKind::light;
    frame();
    ASSERT_TRUE(std::isfinite(state_.view.ns_per_px));
    ASSERT_GT(state_.view.ns_per_px, 0);
    ASSERT_GE(state_.scroll_px, 0);
  }
}

TEST_F(TimelineViewTest, ScrollsToRowsOutOfSight) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  for (int i = 0; i < 1000; ++i) slices.begin(i, builder.intern("f"), 1);
  timeline_ = builder.finish();
  frame();
  const SliceRef deep{TrackId(0), BlockId(0), 900, 0};
  const double scroll_px = view_.scroll_for(timeline_, state_, deep);
  EXPECT_LT(scroll_px, 900 * 19);
  EXPECT_GT(scroll_px, 900 * 19 - 620);
  EXPECT_EQ(view_.scroll_for(timeline_, state_, {TrackId(0), BlockId(0), 3, 0}), 0);
}

}  // namespace
}  // namespace cinderscope
