#include "render/layout/flame_graph_layout.h"

#include <gtest/gtest.h>

#include <random>

#include "ingest/build/timeline_builder.h"
#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

using test::kGoOn;

class FlameGraphLayoutTest : public testing::Test {
 protected:
  // main [0, 100): a [0, 60) with b [10, 30) in it, c [60, 80)
  void SetUp() override {
    TrackWriter& slices = builder_.slices(builder_.thread(builder_.process("1"), "1"));
    slices.complete(0, 100, id("main"), 1);
    slices.complete(0, 60, id("a"), 2);
    slices.complete(10, 20, id("b"), 3);
    slices.complete(60, 20, id("c"), 4);
    timeline_ = builder_.finish();
    totals_ = aggregate_calls(*slice_set_of(timeline_), {}, kGoOn);
  }
  StringId id(std::string_view name) { return builder_.intern(name); }
  std::uint32_t total_of(std::string_view name) {
    for (std::uint32_t i = 1; i < totals_.nodes.size(); ++i) {
      if (timeline_.text(totals_.nodes[i].name) == name) return i;
    }
    return 0;
  }
  // "name@x+width" of a line, blanks between; "3~" for three that are folded.
  std::string text_of(std::size_t line) const {
    std::string text;
    for (std::size_t i = 0; i < layout_.lines[line].box_count; ++i) {
      const FlameBox& box = layout_.boxes[layout_.lines[line].first_box + i];
      if (i > 0) text += ' ';
      if (box.folded > 0) text += std::to_string(box.folded) + "~";
      text += std::string(timeline_.text(totals_.nodes[box.total].name)) + "@" +
              std::to_string(std::lround(box.x_px)) + "+" +
              std::to_string(std::lround(box.width_px));
    }
    return text;
  }
  void lay_out(std::uint32_t zoomed, float width_px = 1000) {
    lay_out_flame_graph(totals_, zoomed, width_px, 1, CallWeight::time, layout_);
  }

  TimelineBuilder builder_;
  Timeline timeline_;
  AggregatedCallTree totals_;
  FlameGraphLayout layout_;
};

TEST_F(FlameGraphLayoutTest, StandsFromTheLeftTheLongestFirst) {
  lay_out(0);
  ASSERT_EQ(layout_.lines.size(), 4u);
  EXPECT_EQ(text_of(0), "@0+1000");
  EXPECT_EQ(text_of(1), "main@0+1000");
  EXPECT_EQ(text_of(2), "a@0+600 c@600+200");
  EXPECT_EQ(text_of(3), "b@0+200");
  EXPECT_EQ(layout_.zoomed_line, 0u);
}

TEST_F(FlameGraphLayoutTest, ZoomsToOneBelowItsCallers) {
  lay_out(total_of("a"));
  ASSERT_EQ(layout_.lines.size(), 4u);
  EXPECT_EQ(layout_.zoomed_line, 2u);
  EXPECT_EQ(text_of(1), "main@0+1000");
  EXPECT_EQ(text_of(2), "a@0+1000");
  EXPECT_EQ(text_of(3), "b@0+333");
}

TEST_F(FlameGraphLayoutTest, FoldsWhatIsTooThin) {
  lay_out(0, 4);
  EXPECT_EQ(text_of(2), "a@0+2 1~c@2+1");
}

TEST_F(FlameGraphLayoutTest, FindsTheBoxUnderAPoint) {
  lay_out(0);
  EXPECT_EQ(flame_box_at(layout_, 2, 599)->total, total_of("a"));
  EXPECT_EQ(flame_box_at(layout_, 2, 601)->total, total_of("c"));
  EXPECT_EQ(flame_box_at(layout_, 2, 801), nullptr);
  EXPECT_EQ(flame_box_at(layout_, 3, 201), nullptr);
  EXPECT_EQ(flame_box_at(layout_, 9, 5), nullptr);
}

TEST_F(FlameGraphLayoutTest, WidthsAreByCountWhereNothingTakesTime) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  slices.complete(0, 0, builder.intern("a"), 1);
  slices.complete(1, 0, builder.intern("a"), 2);
  slices.complete(2, 0, builder.intern("a"), 3);
  slices.complete(3, 0, builder.intern("b"), 4);
  timeline_ = builder.finish();
  totals_ = aggregate_calls(*slice_set_of(timeline_), {}, kGoOn);
  lay_out(0);
  EXPECT_EQ(text_of(1), "a@0+750 b@750+250");
}

TEST_F(FlameGraphLayoutTest, AMillionNestedCallsAreLinesAndFewCallers) {
  constexpr std::uint32_t kDepth = 1'000'000;
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  for (std::uint32_t i = 0; i < kDepth; ++i) slices.begin(0, builder.intern("again"), i);
  for (std::uint32_t i = 0; i < kDepth; ++i) slices.end(10, kNoName, kDepth + i);
  timeline_ = builder.finish();
  totals_ = aggregate_calls(*slice_set_of(timeline_), {}, kGoOn);
  lay_out(0);
  EXPECT_EQ(layout_.lines.size(), kDepth + 1);
  lay_out(kDepth - 10);
  EXPECT_EQ(layout_.zoomed_line, kMaxCallerLines + 2);
  EXPECT_EQ(layout_.lines.size(), kMaxCallerLines + 2 + 11);
  EXPECT_EQ(layout_.boxes[1].folded, kDepth - 10 - 1 - kMaxCallerLines);
}

TEST_F(FlameGraphLayoutTest, BoxesOfALineNeverOverlapOrLeaveTheirCaller) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    TimelineBuilder builder;
    TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
    for (RecordOffset i = 0; i < 200; ++i) {
      slices.complete(random() % 1000, random() % 200, builder.intern(std::to_string(random() % 9)),
                      i);
    }
    timeline_ = builder.finish();
    totals_ = aggregate_calls(*slice_set_of(timeline_), {}, kGoOn);
    lay_out(0, 300);
    for (const FlameLine& line : layout_.lines) {
      float reached = 0;
      for (std::size_t i = 0; i < line.box_count; ++i) {
        const FlameBox& box = layout_.boxes[line.first_box + i];
        EXPECT_GE(box.x_px, reached - 1.01f);
        reached = box.x_px + box.width_px;
        EXPECT_LE(reached, 300.01f);
      }
    }
  }
}

TEST_F(FlameGraphLayoutTest, NothingIsNoLines) {
  lay_out_flame_graph({}, 0, 500, 1, CallWeight::time, layout_);
  EXPECT_TRUE(layout_.lines.empty());
  lay_out(0, 0);
  EXPECT_TRUE(layout_.lines.empty());
  lay_out(77);  // of other totals
  EXPECT_EQ(layout_.lines.size(), 4u);
}

TEST_F(FlameGraphLayoutTest, WidthsAreByCallsWhereThatIsAskedFor) {
  lay_out_flame_graph(totals_, 0, 1000, 1, CallWeight::calls, layout_);
  // main has 4 calls in all: a with b in it, and c.
  EXPECT_EQ(text_of(1), "main@0+1000");
  EXPECT_EQ(text_of(2), "a@0+500 c@500+250");
  EXPECT_EQ(text_of(3), "b@0+250");
}

TEST_F(FlameGraphLayoutTest, OfOneFunctionCallersStandAboveTheNearestLowest) {
  const FunctionTotals b = function_totals(totals_, id("b"), kGoOn);
  lay_out_function(b, 1000, 1, CallWeight::time, layout_);
  ASSERT_EQ(layout_.lines.size(), 3u);
  EXPECT_EQ(layout_.caller_lines, 2u);
  EXPECT_EQ(layout_.zoomed_line, 2u);
  const auto caller = [&](std::size_t line) {
    const FlameBox& box = layout_.boxes[layout_.lines[line].first_box];
    return timeline_.text(b.callers.nodes[box.total].name);
  };
  EXPECT_EQ(caller(0), "main");
  EXPECT_EQ(caller(1), "a");
  EXPECT_EQ(layout_.boxes[layout_.lines[2].first_box].total, 0u);
  const FunctionTotals main = function_totals(totals_, id("main"), kGoOn);
  lay_out_function(main, 1000, 1, CallWeight::time, layout_);
  EXPECT_EQ(layout_.caller_lines, 0u);
  EXPECT_EQ(layout_.lines.size(), 3u);
}

}  // namespace
}  // namespace cinderscope
