#include "render/views/timeline/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/search/slice_search.h"
#include "render/base/palette.h"
#include "tests/unit/render/views/known_images.h"
#include "tests/unit/render/views/null_imgui.h"

namespace cinderscope {
namespace {

constexpr float kWidth = 1232, kHeight = 700;  // the tracks are 1000 px wide
constexpr float kTracksX = 232;
constexpr float kHeadY = 54 + 26 + 12;
// The middle of the first row of slices, below the row of instants.
constexpr float kFirstRowY = 54 + 26 + 25 + 4 + static_cast<float>(kInstantRowPx) + 9;
constexpr float kNameY = 54 + 26 + 25 + 4 + 9;  // of the thread's name in the gutter

// A window without a GPU: ImGui with fonts in memory, driven like by a mouse.
class TimelineViewTest : public testing::Test {
 protected:
  void SetUp() override {
    theme_.colours = theme_colours(theme_.kind);
    timeline_ = make_timeline();
    state_.view = showing(0, 10'000, 1000);  // 10 ns a pixel
    frame();                                 // windows can be hovered from the second frame on
  }

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
    images_.shown.clear();
    view_.draw({.timeline = timeline_,
                .state = state_,
                .theme = theme_,
                .area = {0, 0, kWidth, kHeight},
                .filter_open = filter_open_,
                .matches = matches_,
                .images = images_},
               actions);
    ImGui::End();
    ImGui::Render();
    io.MouseWheel = 0;
    for (const Action& action : actions) {
      if (const auto* show = std::get_if<ShowView>(&action)) state_.view = show->view;
      if (const auto* scroll = std::get_if<ScrollTo>(&action)) {
        (scroll->pinned ? state_.pinned_scroll_px : state_.scroll_px) = scroll->scroll_px;
      }
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
  // Presses and releases where the pointer is.
  Actions click() {
    Actions all = button(0, true);
    for (const Action& action : button(0, false)) all.push_back(action);
    return all;
  }
  Actions drag_down(float x, float y0, float y1) {
    move(x, y0);
    button(0, true);
    for (int i = 1; i <= 10; ++i) move(x, y0 + (y1 - y0) * static_cast<float>(i) / 10);
    state_.scroll_px = 0;
    return button(0, false);
  }
  // One process; each thread has one call over the whole view.
  static Timeline many_threads(int count) {
    TimelineBuilder builder;
    const ProcessId process = builder.process("1");
    for (int i = 0; i < count; ++i) {
      const ThreadId thread = builder.thread(process, std::to_string(i));
      builder.slices(thread).complete(0, 10'000, builder.intern("call " + std::to_string(i)), 1);
    }
    return builder.finish();
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
  // The last command, "zoom-to 1 2"; empty if there is none.
  static std::string command(const Actions& actions) {
    const auto run = last<RunCommand>(actions);
    return run ? run->name + " " + run->argument : "";
  }
  std::string name_of(const SliceRef& slice) const {
    return slice ? std::string(timeline_.text(slice_at(timeline_, slice).name)) : "none";
  }

  NullImGui imgui_{kWidth, kHeight};
  Theme theme_;
  Timeline timeline_;
  bool filter_open_ = false;
  TimelineState state_;
  TimelineView view_;
  const MatchSet* matches_ = nullptr;
  KnownImages images_;
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
  const auto diamonds_in = [](Rgba colour) {
    const ImDrawData& data = *ImGui::GetDrawData();
    int count = 0;
    for (int l = 0; l < data.CmdListsCount; ++l) {
      for (const ImDrawVert& vertex : data.CmdLists[l]->VtxBuffer) count += vertex.col == colour;
    }
    return count / 4;
  };
  const auto colour_of = [&](std::string_view name) {
    return palette.box(timeline_.strings->hash(*timeline_.strings->find(name)));
  };
  frame();
  EXPECT_EQ(images_.pixels_in(palette.unmatched()), 0);
  EXPECT_EQ(images_.pixels_in(colour_of("ns::first")), 399);
  EXPECT_EQ(images_.pixels_in(colour_of("second")), 399);
  EXPECT_EQ(diamonds_in(palette.unmatched()), 0);
  const std::atomic<bool> cancelled = false;
  const SearchAnswer answer = search_slices(
      {slice_set_of(timeline_), *parse_search("=\"second\""), {}, nullptr, 1}, cancelled, {});
  matches_ = answer.matches.get();
  frame();
  EXPECT_EQ(images_.pixels_in(palette.unmatched()), 399 + 99);  // the first one and its child
  EXPECT_EQ(images_.pixels_in(colour_of("second")), 399);
  EXPECT_EQ(images_.pixels_in(colour_of("ns::first")), 0);
  EXPECT_EQ(diamonds_in(palette.unmatched()), 1);
  state_.view = showing(0, 100'000'000, 1000);  // all are thinner than a pixel now
  frame();
  EXPECT_EQ(images_.pixels_in(palette.unmatched()), 1);  // the child: its row has nothing else
  matches_ = nullptr;
  frame();
  EXPECT_EQ(images_.pixels_in(palette.unmatched()), 0);
}

TEST_F(TimelineViewTest, ALineOfBoxesIsOneRectangle) {
  frame();
  ASSERT_EQ(images_.shown.size(), 1u);
  EXPECT_EQ(images_.shown[0]->lines(), 2u);
  EXPECT_EQ(images_.shown[0]->width_px(), 1000u);
  const auto rectangles = [this] {
    unsigned indices = 0;
    for (const ImDrawCmd& command : ImGui::GetDrawData()->CmdLists[0]->CmdBuffer) {
      if (texture_name(command) == images_.kTexture) indices += command.ElemCount;
    }
    return indices / 6;
  };
  EXPECT_EQ(rectangles(), 2u);
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  for (int i = 0; i < 10'000; ++i) {
    slices.complete(i, 1, builder.intern("call " + std::to_string(i % 7)), 1);
  }
  timeline_ = builder.finish();
  frame();
  EXPECT_GE(state_.visible_boxes, 1000u);
  EXPECT_EQ(rectangles(), 1u);
}

TEST_F(TimelineViewTest, TheHoveredBoxIsLighter) {
  const std::uint32_t hash = timeline_.strings->hash(*timeline_.strings->find("ns::first"));
  const Palette& palette = palette_of(theme_.kind, false);
  frame();
  EXPECT_EQ(images_.pixels_in(palette.hovered(hash)), 0);
  move(kTracksX + 200, kFirstRowY);
  frame();
  EXPECT_EQ(images_.pixels_in(palette.hovered(hash)), 399);
  EXPECT_EQ(images_.pixels_in(palette.box(hash)), 0);
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
  move(kTracksX + 450, kFirstRowY - 17);
  button(0, true);
  const auto selected = last<SelectInstant>(button(0, false));
  ASSERT_TRUE(selected.has_value());
  EXPECT_TRUE(selected->instant);
}

TEST_F(TimelineViewTest, DoubleClickZoomsToTheSlice) {
  move(kTracksX + 700, kFirstRowY);
  button(0, true);
  button(0, false);
  const Actions actions = button(0, true);
  const auto selected = last<SelectSlice>(actions);
  ASSERT_TRUE(selected.has_value());
  EXPECT_EQ(name_of(selected->slice), "second");
  EXPECT_EQ(command(actions), "zoom-selection ");
  button(0, false);
}

TEST_F(TimelineViewTest, DoubleClickZoomsToSlicesThatShareAnInstant) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "7"));
  for (int i = 0; i < 2; ++i) slices.complete(5000, 0, builder.intern("short"), 1);
  slices.complete(10'000, 1, builder.intern("last"), 2);
  timeline_ = builder.finish();  // without a row of instants
  move(kTracksX + 500, kFirstRowY - static_cast<float>(kInstantRowPx));
  ASSERT_TRUE(state_.hovered_merged.has_value());
  click();
  EXPECT_EQ(command(button(0, true)), "zoom-to 5000 5001");
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
  feed_modifiers({.shift = true});
  const auto panned_to = last<ShowView>(wheel(-1));
  feed_modifiers({});
  ASSERT_TRUE(panned_to.has_value());
  EXPECT_EQ(panned_to->view.begin_ns, 500);
  feed_modifiers({.ctrl = true});
  const Actions scrolled = wheel(-1);
  feed_modifiers({});
  EXPECT_FALSE(last<ShowView>(scrolled).has_value());  // all rows fit: nothing to scroll
  EXPECT_FALSE(last<ScrollTo>(scrolled).has_value());
}

TEST_F(TimelineViewTest, PresetLetsThePlainWheelScroll) {
  state_.wheel_scrolls = true;
  move(kTracksX + 300, kFirstRowY);
  EXPECT_FALSE(last<ShowView>(wheel(1)).has_value());
  feed_modifiers({.ctrl = true});
  EXPECT_TRUE(last<ShowView>(wheel(1)).has_value());
  feed_modifiers({});
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
  feed_modifiers({.shift = true});
  const auto range = last<SetRange>(drag(kTracksX + 103, kTracksX + 497, kFirstRowY));
  ASSERT_TRUE(range.has_value() && range->range.has_value());
  EXPECT_EQ(range->range->begin_ns, 1000);  // the child's begin
  EXPECT_EQ(range->range->end_ns, 5000);    // the second's begin
  feed_modifiers({.shift = true, .alt = true});
  const auto free_range = last<SetRange>(drag(kTracksX + 803, kTracksX + 897, kFirstRowY));
  feed_modifiers({});
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
  EXPECT_EQ(command(drag(kTracksX + 300, kTracksX + 200, kFirstRowY, 2)), "zoom-to 2000 3000");
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
  move(60, kHeadY);
  EXPECT_EQ(command(click()), "collapse process 0");
  move(18, kFirstRowY);  // the triangle
  EXPECT_EQ(command(click()), "collapse track 0");
  state_.collapsed_tracks = {0};
  frame();
  EXPECT_EQ(command(click()), "expand track 0");
  const Actions menu = button(1, true);
  ASSERT_TRUE(last<RunCommand>(menu).has_value());
  EXPECT_EQ(last<RunCommand>(menu)->argument, "track 0");
  button(1, false);
  state_.hidden_tracks = {0};
  move(kTracksX + 10, kHeadY);
  const auto shown = last<RunCommand>(click());
  ASSERT_TRUE(shown.has_value());
  EXPECT_EQ(shown->name + " " + shown->argument, "show process 0");
}

TEST_F(TimelineViewTest, ADoubleClickOnAThreadsNameFoldsIt) {
  move(60, kFirstRowY);
  EXPECT_EQ(command(click()), "");
  EXPECT_EQ(command(click()), "collapse track 0");
}

TEST_F(TimelineViewTest, IconsOfTheGutterRunTheirCommands) {
  const auto command_at = [&](float x, float y) {
    move(x, y);
    const auto run = last<RunCommand>(click());
    return run ? run->name + " " + run->argument : std::string("none");
  };
  const float pin_x = kTracksX - 6 - 10;
  EXPECT_EQ(command_at(pin_x, kNameY), "pin track 0");
  EXPECT_EQ(command_at(pin_x - 20, kNameY), "hide track 0");
  EXPECT_EQ(command_at(pin_x - 40, kNameY), "solo track 0");
  EXPECT_EQ(command_at(pin_x, kHeadY), "collapse threads of process 0");
  EXPECT_EQ(command_at(pin_x - 20, kHeadY), "hide process 0");
  EXPECT_EQ(command_at(pin_x - 40, kHeadY), "solo process 0");
  state_.solo_tracks = {0};
  EXPECT_EQ(command_at(kTracksX + 10, kHeadY), "solo off");
}

TEST_F(TimelineViewTest, PinnedTracksStayWhileTheOthersScroll) {
  timeline_ = many_threads(60);
  state_.pinned_tracks = {5};
  state_.scroll_px = 400;
  frame();
  // Its row stands at the top, below it the others from where they are scrolled to.
  move(kTracksX + 200, 54 + 26 + 4 + 9);
  EXPECT_EQ(name_of(state_.hovered), "call 5");
  const auto unpin = [&] {
    move(kTracksX - 16, 54 + 26 + 13);
    return last<RunCommand>(click());
  }();
  ASSERT_TRUE(unpin.has_value());
  EXPECT_EQ(unpin->name + " " + unpin->argument, "unpin track 5");
  move(60, 54 + 26 + 200);
  const auto scrolled = last<ScrollTo>(wheel(-1));
  ASSERT_TRUE(scrolled.has_value());
  EXPECT_FALSE(scrolled->pinned);
}

TEST_F(TimelineViewTest, TheHeadOfAProcessStaysWhileItsThreadsScroll) {
  timeline_ = many_threads(60);
  state_.scroll_px = 400;
  frame();
  move(60, kHeadY);
  const auto fold = last<RunCommand>(click());
  ASSERT_TRUE(fold.has_value());
  EXPECT_EQ(fold->name + " " + fold->argument, "collapse process 0");
  move(kTracksX + 200, kHeadY);  // it lies over the calls
  EXPECT_EQ(name_of(state_.hovered), "none");
}

// One thread with `depth` calls in each other in the middle of the view, others below it.
Timeline one_deep_thread(int depth) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  for (int i = 0; i < 40; ++i) {
    TrackWriter& slices = builder.slices(builder.thread(process, std::to_string(100 + i)));
    slices.complete(0, 10'000, builder.intern("call " + std::to_string(i)), 1);
    for (int k = 0; i == 0 && k < depth; ++k) {
      slices.complete(4000 + k, 2000 - 2 * k, builder.intern("deep"), 2);
    }
  }
  return builder.finish();
}

TEST_F(TimelineViewTest, RowsFitWhatIsInViewAndWhatIsPointedAtStays) {
  timeline_ = one_deep_thread(50);
  frame();
  state_.scroll_px = 50 * 19;
  for (int i = 0; i < 30; ++i) frame();  // that it was scrolled is over
  move(kTracksX + 900, 382);             // in the middle of a call
  const std::string pointed = name_of(state_.hovered);
  ASSERT_NE(pointed, "none");
  const double all_px = state_.content_height_px;
  state_.view = showing(7000, 10'000, 1000);
  frame();
  EXPECT_TRUE(view_.animating());
  for (int i = 0; i < 20; ++i) frame();
  EXPECT_FALSE(view_.animating());
  EXPECT_LT(state_.content_height_px, all_px - 45 * 19);
  EXPECT_LT(state_.scroll_px, 200);
  EXPECT_EQ(name_of(state_.hovered), pointed);
  state_.view = showing(0, 10'000, 1000);
  for (int i = 0; i < 20; ++i) frame();
  EXPECT_EQ(state_.content_height_px, all_px);
  EXPECT_EQ(name_of(state_.hovered), pointed);
}

TEST_F(TimelineViewTest, PinnedRowsThatAreDraggedStayWhereOthersGetLower) {
  timeline_ = one_deep_thread(50);
  state_.reduced_motion = true;
  for (std::uint32_t i = 10; i < 40; ++i) state_.pinned_tracks.push_back(i);
  state_.view = showing(5000, 7000, 1000);
  frame();
  state_.scroll_px = 50 * 19;  // below the deep thread
  state_.pinned_scroll_px = 100;
  for (int i = 0; i < 30; ++i) frame();  // that it was scrolled is over
  ASSERT_GT(state_.scroll_px, 40 * 19);
  drag(kTracksX + 950, kTracksX + 50, 54 + 26 + 100);
  EXPECT_LT(state_.scroll_px, 10 * 19);
  EXPECT_EQ(state_.pinned_scroll_px, 100);
}

TEST_F(TimelineViewTest, ACallSelectedOutOfSightHasItsRowAtOnce) {
  timeline_ = one_deep_thread(50);
  state_.reduced_motion = true;
  state_.view = showing(7000, 10'000, 1000);
  frame();
  const double flat_px = state_.content_height_px;
  state_.selected = {TrackId{0}, BlockId{}, 40, 0};
  frame();
  EXPECT_GT(state_.content_height_px, flat_px + 35 * 19);
}

TEST_F(TimelineViewTest, CtrlAndShiftSelectThreads) {
  timeline_ = many_threads(3);
  frame();
  move(60, kFirstRowY);
  EXPECT_FALSE(last<RunCommand>(click()));
  frame(1);  // no double click
  feed_modifiers({.ctrl = true});
  const auto toggled = last<RunCommand>(click());
  feed_modifiers({});
  ASSERT_TRUE(toggled.has_value());
  EXPECT_EQ(toggled->name + " " + toggled->argument, "select-threads toggle track 0");
  state_.selected_tracks = {0};
  frame(1);
  feed_modifiers({.shift = true});
  const auto to = last<RunCommand>(click());
  feed_modifiers({});
  ASSERT_TRUE(to.has_value());
  EXPECT_EQ(to->argument, "to track 0");
  frame(1);
  const auto none = last<RunCommand>(click());
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->argument, "none");
}

TEST_F(TimelineViewTest, ManyPinnedTracksTakeHalfOfTheRoomAndScroll) {
  timeline_ = many_threads(60);
  for (std::uint32_t i = 0; i < 40; ++i) state_.pinned_tracks.push_back(i);
  frame();
  move(60, 54 + 26 + 100);
  const auto above = last<ScrollTo>(wheel(-1));
  ASSERT_TRUE(above.has_value());
  EXPECT_TRUE(above->pinned);
  move(60, kHeight - 20);
  EXPECT_EQ(name_of(state_.hovered), "none");
  const auto below = last<ScrollTo>(wheel(-1));
  ASSERT_TRUE(below.has_value());
  EXPECT_FALSE(below->pinned);
}

TEST_F(TimelineViewTest, ADraggedThreadTakesThePlaceOfTheOneItIsDroppedOn) {
  timeline_ = many_threads(6);
  frame();
  const float first = 54 + 26 + 25 + 10;  // rows of 34 below the head
  const auto moved = last<RunCommand>(drag_down(60, first, first + 3 * 34));
  ASSERT_TRUE(moved.has_value());
  EXPECT_EQ(moved->name + " " + moved->argument, "move-thread track 0 after track 3");
  const auto back = last<RunCommand>(drag_down(60, first + 4 * 34, first - 200));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->argument, "track 4 before track 0");
  EXPECT_FALSE(last<RunCommand>(drag_down(60, first, first + 6)).has_value());
}

TEST_F(TimelineViewTest, NamesOfGroupsAreQuotedWhateverIsInThem) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  for (const char* name : {"a before b", "c \"up\" "}) {
    const ThreadId thread = builder.thread(process, name);
    builder.thread_facts(thread).name = builder.intern(name);
    builder.slices(thread).complete(0, 10'000, builder.intern("call"), 1);
  }
  timeline_ = builder.finish();
  state_.group_pattern = "^.*$";
  frame();
  const auto moved = last<RunCommand>(drag_down(60, kHeadY, kHeadY + 25 + 34));
  ASSERT_TRUE(moved.has_value());
  EXPECT_EQ(moved->name + " " + moved->argument,
            R"(move-thread "group a before b" after "group c \"up\" ")");
  move(60, kHeadY);
  const auto folded = last<RunCommand>(click());
  ASSERT_TRUE(folded.has_value());
  EXPECT_EQ(folded->argument, R"("group a before b")");
  const float threads_x = kTracksX - 6 - 10;  // the first of the icons
  move(threads_x, kHeadY);
  const auto threads = last<RunCommand>(click());
  ASSERT_TRUE(threads.has_value());
  EXPECT_EQ(threads->argument, R"("threads of group a before b")");
}

TEST_F(TimelineViewTest, AHeadShowsItsFileHoweverLongTheNameOfItsProcessIs) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  builder.process_facts(process).name = builder.intern(std::string(300, 'w'));
  builder.slices(builder.thread(process, "1")).complete(0, 10'000, builder.intern("call"), 1);
  timeline_ = builder.finish();
  timeline_.processes[0].file = 0;
  const auto picture = [&](const char* file) {
    timeline_.files = {{file, ""}, {"other", ""}};
    frame();
    float sum = 0;
    const ImDrawData& drawn = *ImGui::GetDrawData();
    for (int i = 0; i < drawn.CmdListsCount; ++i) {
      const ImDrawList* list = drawn.CmdLists[i];
      for (const ImDrawVert& vertex : list->VtxBuffer) sum += vertex.uv.x + 2 * vertex.uv.y;
    }
    return sum;
  };
  EXPECT_NE(picture("run-a"), picture("run-b"));
  EXPECT_EQ(picture("run-a"), picture("run-a"));
}

TEST_F(TimelineViewTest, EscapeGivesADraggedThreadBack) {
  timeline_ = many_threads(6);
  frame();
  const float first = 54 + 26 + 25 + 10;
  move(60, first);
  button(0, true);
  move(60, first + 100);
  EXPECT_TRUE(view_.moves_row());
  feed_key(ImGuiKey_Escape, true);
  frame();
  EXPECT_FALSE(view_.moves_row());
  move(60, first + 102);
  EXPECT_TRUE(button(0, false).empty());
}

TEST_F(TimelineViewTest, AThreadHeldAtTheEdgeScrollsOn) {
  timeline_ = many_threads(200);
  frame();
  move(60, 54 + 26 + 25 + 10);
  button(0, true);
  move(60, kHeight - 4);
  frame();
  const double before = state_.scroll_px;
  EXPECT_GT(before, 0);
  EXPECT_TRUE(view_.animating());
  frame();
  EXPECT_GT(state_.scroll_px, before);
  const auto moved = last<RunCommand>(button(0, false));
  ASSERT_TRUE(moved.has_value());
  EXPECT_FALSE(view_.animating());
}

TEST_F(TimelineViewTest, AClickOnTheHeadOfTheRulerChangesTheTimeShown) {
  move(60, 54 + 13);
  const auto run = last<RunCommand>(click());
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->name, "time-shown");
}

TEST_F(TimelineViewTest, TheFilterBesideTheRulersHeadIsNoPartOfIt) {
  move(232 - 14, 54 + 13);
  EXPECT_FALSE(last<RunCommand>(click()).has_value());
  filter_open_ = true;  // its field lies over the whole head
  move(60, 54 + 13);
  EXPECT_FALSE(last<RunCommand>(click()).has_value());
}

// Of a text's glyphs and of a plate below it only those of one label may be at one place.
TEST_F(TimelineViewTest, NoLabelOfTheRulerLiesOverAnother) {
  const auto overlap_px = [] {
    std::vector<std::pair<float, float>> glyphs;
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    const ImDrawData& drawn = *ImGui::GetDrawData();
    for (int i = 0; i < drawn.CmdListsCount; ++i) {
      const ImVector<ImDrawVert>& at = drawn.CmdLists[i]->VtxBuffer;
      for (int k = 0; k + 3 < at.Size; ++k) {
        const ImDrawVert &first = at[k], &last = at[k + 2];
        const bool is_quad = first.uv.x != white.x && first.uv.x == at[k + 3].uv.x &&
                             first.uv.y == at[k + 1].uv.y && last.uv.x == at[k + 1].uv.x;
        if (!is_quad || first.pos.y < 54 || last.pos.y > 54 + 26 || first.pos.x < 232) continue;
        glyphs.emplace_back(first.pos.x, last.pos.x);
        k += 3;
      }
    }
    std::ranges::sort(glyphs);
    float most = 0;
    for (std::size_t i = 1; i < glyphs.size(); ++i) {
      most = std::max(most, glyphs[i - 1].second - glyphs[i].first);
    }
    return glyphs.size() < 10 ? -1 : most;
  };
  frame();
  const float usual = overlap_px();  // of neighbours in a word
  ASSERT_GE(usual, 0);
  for (std::int64_t begin_ns = 0; begin_ns < 9000; begin_ns += 370) {
    for (const std::int64_t length_ns : {1, 300, 1700, 9000}) {
      state_.range = TimeRange{begin_ns, begin_ns + length_ns};
      for (std::int64_t at_ns = begin_ns - 900; at_ns <= begin_ns + length_ns + 900; at_ns += 450) {
        move(kTracksX + static_cast<float>(at_ns) / 10, 200);
        ASSERT_LE(overlap_px(), usual) << begin_ns << " +" << length_ns << ", cursor " << at_ns;
      }
    }
  }
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
              .interactive = false,
              .images = images_},
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
    const bool shift = random() % 3 == 0, ctrl = random() % 5 == 0;
    feed_modifiers({.ctrl = ctrl, .shift = shift});
    theme_.scale = random() % 50 == 0 ? 2.5f : 1;
    theme_.kind = random() % 2 == 0 ? ThemeKind::dark : ThemeKind::light;
    frame();
    ASSERT_TRUE(std::isfinite(state_.view.ns_per_px));
    ASSERT_GT(state_.view.ns_per_px, 0);
    ASSERT_GE(state_.scroll_px, 0);
  }
}

TEST_F(TimelineViewTest, FlowsAreDrawnBelowTheNames) {
  // Vertices of the accent's colour that come before the first name on a box.
  const auto below_names = [this] {
    frame();
    const ImVector<ImDrawVert>& all = ImGui::GetDrawData()->CmdLists[0]->VtxBuffer;
    int accent = 0;
    for (const ImDrawVert& vertex : all) {
      if (vertex.col == theme_.colours.on_box) return accent;
      if (vertex.col == theme_.colours.accent) ++accent;
    }
    ADD_FAILURE() << "no name";
    return 0;
  };
  EXPECT_EQ(below_names(), 0);
  state_.selected = {TrackId(0), BlockId(0), 1, 0};  // "child", where the flow begins
  EXPECT_GT(below_names(), 8);
}

TEST_F(TimelineViewTest, ACurveLightsUpUnderThePointerAndLeadsToItsOtherEnd) {
  const SliceRef child{TrackId(0), BlockId(0), 1, 0}, second{TrackId(0), BlockId(0), 0, 1};
  // In the middle between 1500 and 6000 ns, on the box of "ns::first".
  const float x = 232 + 375, y = kFirstRowY + 5;
  move(x, y);
  EXPECT_FALSE(state_.lit_flow);
  EXPECT_TRUE(state_.hovered);
  const auto goes_to = [this] {
    for (const Action& action : click()) {
      if (const auto* reveal = std::get_if<RevealSlice>(&action)) return reveal->slice;
    }
    return SliceRef{};
  };
  EXPECT_FALSE(goes_to());
  state_.selected = child;
  move(x, y);
  EXPECT_EQ(state_.lit_flow, 0u);
  EXPECT_FALSE(state_.hovered);
  EXPECT_EQ(goes_to(), second);
  state_.selected = second;
  EXPECT_EQ(goes_to(), child);
  move(x, y + 40);
  EXPECT_FALSE(state_.lit_flow);
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

TEST_F(TimelineViewTest, DrawsPausesBehindTheRowsOfTheirProcessOnly) {
  frame();
  const auto vertices = [] { return ImGui::GetDrawData()->TotalVtxCount; };
  const int without = vertices();
  timeline_.pauses = {
      std::make_shared<const ProcessPauses>(ProcessId{5}, std::vector<Pause>{{0, 900}})};
  frame();
  EXPECT_EQ(vertices(), without);
  timeline_.pauses = {
      std::make_shared<const ProcessPauses>(ProcessId{0}, std::vector<Pause>{{0, 900}})};
  frame();
  EXPECT_GT(vertices(), without);
}

TEST_F(TimelineViewTest, DrawsAsManyBandsAsPixelsForAnyNumberOfPauses) {
  std::vector<Pause> many;
  for (std::int64_t i = 0; i < 500'000; ++i) many.push_back({i * 20, i * 20 + 10});
  state_.view = showing(0, 10'000'000, 1000);
  frame();
  const int without = ImGui::GetDrawData()->TotalVtxCount;
  timeline_.pauses = {std::make_shared<const ProcessPauses>(ProcessId{0}, std::move(many))};
  frame();
  EXPECT_LT(ImGui::GetDrawData()->TotalVtxCount, without + 2 * 4 * 1000);
}

TEST_F(TimelineViewTest, HatchesWhatIsMissingOfTheTrace) {
  const auto drawn = [this] {
    frame();
    return ImGui::GetDrawData()->TotalVtxCount;
  };
  const int whole = drawn();
  timeline_.gaps = {{.begin_ns = timeline_.end_ns}};
  const int cut = drawn();
  EXPECT_GT(cut, whole + 100);
  timeline_.gaps = {{.begin_ns = timeline_.end_ns, .file = 0}};
  const int on_ruler = drawn();  // no process is of that file
  EXPECT_GT(on_ruler, whole);
  timeline_.processes[0].file = 0;
  EXPECT_GT(drawn(), on_ruler);
  timeline_.gaps = {{.begin_ns = 1'000'000'000}};  // outside of the view
  EXPECT_EQ(drawn(), whole);
  timeline_.gaps = {{.begin_ns = 4990, .end_ns = 4991}};  // less than a pixel
  EXPECT_GT(drawn(), whole);
}

}  // namespace
}  // namespace cinderscope
