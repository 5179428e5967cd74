#include "render/views/panels/flame_graph.h"

#include "ingest/build/timeline_builder.h"
#include "render/layout/flame_graph_layout.h"
#include "tests/support/go_on.h"
#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

using test::kGoOn;

// main [0, 100): a [0, 60) with b [10, 30) in it, c [60, 80).
class FlameGraphViewTest : public ViewWindow {
 protected:
  void SetUp() override {
    ViewWindow::SetUp();
    TimelineBuilder builder;
    TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
    slices.complete(0, 100, builder.intern("main"), 1);
    slices.complete(0, 60, builder.intern("a"), 2);
    slices.complete(10, 20, builder.intern("b"), 3);
    slices.complete(60, 20, builder.intern("c"), 4);
    show(builder.finish());
  }
  void show(Timeline timeline) {
    timeline_ = std::move(timeline);
    totals_ = aggregate_calls(*slice_set_of(timeline_), {}, kGoOn);
    ++version_;
  }
  Draw drawn(Rect area = kArea) {
    return [this, area](Actions& actions) {
      view_.draw({.timeline = timeline_,
                  .theme = theme_,
                  .area = area,
                  .totals = has_totals_ ? &totals_ : nullptr,
                  .version = version_,
                  .scopes = {.thread = false, .call = false},
                  .measured = "12 ms"},
                 actions);
    };
  }
  static constexpr float kLeft = 12, kTop = 36, kLinePx = 19;
  // The middle of the box of this name as it is drawn now; "" is all calls.
  ImVec2 box_of(std::string_view name) {
    FlameGraphLayout layout;
    lay_out_flame_graph(totals_, view_.zoomed_total(), kArea.width - 2 * kLeft, 2,
                        view_.weight(timeline_), layout);
    for (std::size_t line = 0; line < layout.lines.size(); ++line) {
      for (std::size_t i = 0; i < layout.lines[line].box_count; ++i) {
        const FlameBox& box = layout.boxes[layout.lines[line].first_box + i];
        if (timeline_.text(totals_.nodes[box.total].name) != name) continue;
        return {kLeft + box.x_px + box.width_px / 2,
                kTop + kLinePx * (static_cast<float>(line) + 0.5F)};
      }
    }
    ADD_FAILURE() << "no box of " << name;
    return {};
  }
  Actions click_box(std::string_view name, int button = 0) {
    const ImVec2 at = box_of(name);
    return click(at.x, at.y, drawn(), button);
  }
  std::string zoomed() {
    frame(drawn());
    return std::string(timeline_.text(totals_.nodes[view_.zoomed_total()].name));
  }
  template <class T>
  static std::vector<T> all(const Actions& actions) {
    std::vector<T> found;
    for (const Action& action : actions) {
      if (const auto* one = std::get_if<T>(&action)) found.push_back(*one);
    }
    return found;
  }

  Timeline timeline_;
  AggregatedCallTree totals_;
  FlameGraphView view_;
  std::uint64_t version_ = 0;
  bool has_totals_ = true;
};

TEST_F(FlameGraphViewTest, AClickZoomsAndEscapeShowsAllAgain) {
  EXPECT_EQ(zoomed(), "");
  EXPECT_FALSE(view_.step_back());
  click_box("a");
  EXPECT_EQ(zoomed(), "a");
  EXPECT_TRUE(view_.step_back());
  EXPECT_EQ(zoomed(), "");
}

TEST_F(FlameGraphViewTest, AClickOnACallerOrOnAllGoesBack) {
  click_box("b");
  EXPECT_EQ(zoomed(), "b");
  click_box("main");
  EXPECT_EQ(zoomed(), "main");
  click_box("");
  EXPECT_EQ(zoomed(), "");
}

TEST_F(FlameGraphViewTest, ADoubleClickZoomsAsAClickDoes) {
  click_box("a");
  ImGuiIO& io = ImGui::GetIO();
  for (const bool down : {true, false}) {
    io.MouseDown[0] = down;
    EXPECT_TRUE(all<RunCommand>(frame(drawn())).empty());
  }
  EXPECT_EQ(zoomed(), "a");
}

TEST_F(FlameGraphViewTest, TheWheelZoomsTowardsThePointerAndBackOut) {
  const auto turn = [this](float notches, std::size_t line) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {100, 36 + 19 * static_cast<float>(line) + 9};
    frame(drawn());
    io.MouseWheel = notches;
    frame(drawn());
    io.MouseWheel = 0;
    frame(drawn());
  };
  turn(1, 3);  // b lies in a, which is clearly narrower than all
  EXPECT_EQ(zoomed(), "a");
  turn(-1, 3);
  EXPECT_EQ(zoomed(), "main");
}

TEST_F(FlameGraphViewTest, WhatIsZoomedToStaysWhenTotalsAreMadeAnew) {
  click_box("a");
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  slices.complete(0, 10, builder.intern("main"), 1);
  slices.complete(0, 5, builder.intern("a"), 2);
  show(builder.finish());
  EXPECT_EQ(zoomed(), "a");
}

TEST_F(FlameGraphViewTest, WhatIsGoneLeavesItsCaller) {
  click_box("b");
  EXPECT_EQ(zoomed(), "b");
  totals_ = aggregate_calls(*slice_set_of(timeline_), {.begin_ns = 40, .end_ns = 50}, kGoOn);
  ++version_;
  EXPECT_EQ(zoomed(), "a");
}

TEST_F(FlameGraphViewTest, TheMenuCopiesTheName) {
  const ImVec2 menu = box_of("a");
  click_box("a", 1);
  std::set<std::string> copied;
  for (float y = 20; y < 300; y += 9) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {menu.x + 30, menu.y + y};
    for (const bool down : {false, true, false}) {
      io.MouseDown[0] = down;
      for (const CopyText& copy : all<CopyText>(frame(drawn()))) copied.insert(copy.text);
    }
    if (!copied.empty()) break;
    click_box("a", 1);
  }
  EXPECT_EQ(copied, std::set<std::string>{"a"});
}

TEST_F(FlameGraphViewTest, SwitchesAskForWhatIsMeasured) {
  std::set<std::string> asked;
  for (float x = 20; x < 400; x += 15) {
    for (const RunCommand& call : all<RunCommand>(click(x, 18, drawn()))) {
      EXPECT_EQ(call.name, "scope");
      asked.insert(call.argument);
    }
  }
  EXPECT_EQ(asked, std::set<std::string>{"range"});  // no call is selected, so there is no thread
  // The last switches that were met; there is no function to look at.
  EXPECT_EQ(view_.direction(), FlameGraphDirection::bottom_up);
}

TEST_F(FlameGraphViewTest, DrawsHostileNamesAndAMillionLines) {
  std::string name(1 << 20, '\n');
  name += "\xff\xfe\xe2\x80\xae";
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  const StringId id = builder.intern(name);
  for (RecordOffset i = 0; i < 1'000'000; ++i) slices.begin(0, id, i);
  for (RecordOffset i = 0; i < 1'000'000; ++i) slices.end(2000, kNoName, 1'000'000 + i);
  show(builder.finish());
  ImGui::GetIO().MousePos = {500, 200};
  frame(drawn());
  EXPECT_TRUE(frame(drawn()).empty());
  EXPECT_LT(vertices(), 60'000u);
}

TEST_F(FlameGraphViewTest, DrawsWithoutCallsTotalsOrRoom) {
  totals_ = {};
  EXPECT_TRUE(frame(drawn()).empty());
  totals_ = aggregate_calls({}, {}, kGoOn);
  EXPECT_TRUE(frame(drawn()).empty());
  has_totals_ = false;
  EXPECT_TRUE(frame(drawn()).empty());
}

TEST_F(FlameGraphViewTest, DrawsInAnyRoom) {
  for (const float width : {0.0f, 1.0f, 30.0f, 300.0f}) {
    for (const float height : {0.0f, 20.0f, 40.0f, 100.0f}) {
      EXPECT_TRUE(frame(drawn({0, 0, width, height})).empty());
    }
  }
}

TEST_F(FlameGraphViewTest, OneFunctionIsLeftByEscape) {
  view_.set_direction(FlameGraphDirection::sandwich);
  EXPECT_EQ(view_.direction(), FlameGraphDirection::top_down);  // there is none yet
  view_.show_function("b");
  EXPECT_EQ(view_.direction(), FlameGraphDirection::sandwich);
  const FunctionTotals b = function_totals(totals_, *timeline_.strings->find("b"), kGoOn);
  const auto draw = [&](Actions& actions) {
    view_.draw({.timeline = timeline_,
                .theme = theme_,
                .area = kArea,
                .totals = &b.callees,
                .function = &b,
                .version = 100},
               actions);
  };
  frame(draw);
  click(kArea.width / 2, kTop + kLinePx / 2, draw);  // main, the outermost caller
  EXPECT_EQ(view_.function(), "main");
  EXPECT_TRUE(view_.step_back());
  EXPECT_EQ(view_.direction(), FlameGraphDirection::top_down);
  EXPECT_FALSE(view_.step_back());
}

TEST_F(FlameGraphViewTest, CallsAreTheWeightWhereThereIsNoClock) {
  EXPECT_EQ(view_.weight(timeline_), CallWeight::time);
  timeline_.axis = TimeAxis::events;
  EXPECT_EQ(view_.weight(timeline_), CallWeight::calls);
  view_.set_weight(CallWeight::time);
  EXPECT_EQ(view_.weight(timeline_), CallWeight::time);
}

}  // namespace
}  // namespace cinderscope
