#include "render/views/timeline/flow_curves.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"
#include "tests/unit/render/views/known_images.h"
#include "tests/unit/render/views/null_imgui.h"

namespace cinderscope {
namespace {

// One call that leads to calls of 1, 10 and 1000 ns on another thread.
class FlowCurvesTest : public testing::Test {
 protected:
  FlowCurvesTest() {
    TimelineBuilder builder;
    const ProcessId process = builder.process("1");
    const ThreadId cpu = builder.thread(process, "1"), gpu = builder.thread(process, "2");
    builder.slices(cpu).complete(0, 100, builder.intern("launch"), 0);
    for (const auto& [begin_ns, duration_ns] : {std::pair(2000, 1), {3000, 10}, {4000, 1000}}) {
      builder.slices(gpu).complete(begin_ns, duration_ns, builder.intern("kernel"), 0);
      builder.flow(builder.intern("f"), false,
                   {{cpu, 50, FlowBinding::enclosing}, {gpu, begin_ns, FlowBinding::enclosing}});
    }
    timeline_ = builder.finish();
    theme_.colours = theme_colours(theme_.kind);
    state_.selected = {TrackId{0}, BlockId{0}, 0, 0};
  }
  const std::vector<FlowCurve>& curves_at(double ns_per_px, std::int64_t begin_ns = 0) {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    const TimelineFrame frame{.timeline = timeline_,
                              .state = state_,
                              .theme = theme_,
                              .area = {0, 0, 1200, 400},
                              .images = images_};
    const Canvas canvas = canvas_of(frame, *ImGui::GetBackgroundDrawList());
    state_.view = showing(
        begin_ns,
        begin_ns + static_cast<std::int64_t>(ns_per_px * static_cast<double>(canvas.tracks.width)),
        canvas.tracks.width);
    TrackList tracks, pinned(TrackPart::pinned);
    tracks.update(timeline_, state_);
    pinned.update(timeline_, state_);
    curves_.update({canvas, canvas, tracks, pinned});
    curves_.draw(canvas, FlowCurves::Layer::below_boxes);
    curves_.draw(canvas, FlowCurves::Layer::above_boxes);
    ImGui::Render();
    return curves_.curves();
  }

  NullImGui imgui_{1200, 400};
  KnownImages images_;
  Theme theme_;
  Timeline timeline_;
  TimelineState state_;
  FlowCurves curves_;
};

TEST_F(FlowCurvesTest, ArrowHeadsAreNoWiderThanTheCallsTheyPointAt) {
  for (const double ns_per_px : {5.0, 20.0, 400.0}) {
    const std::vector<FlowCurve>& curves = curves_at(ns_per_px);
    ASSERT_EQ(curves.size(), 3u);
    const double durations_ns[] = {1, 10, 1000};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LE(static_cast<double>(curves[i].head_px), durations_ns[i] / ns_per_px + 0.01);
    }
  }
  EXPECT_GT(curves_at(5)[2].head_px, 3);
  EXPECT_EQ(curves_at(5)[1].head_px, 2);
}

TEST_F(FlowCurvesTest, CurvesOutOfViewAreNotKept) {
  EXPECT_TRUE(curves_at(5, 1'000'000).empty());
  EXPECT_EQ(curves_at(5).size(), 3u);
  state_.selected = {};
  EXPECT_TRUE(curves_at(5).empty());
}

TEST_F(FlowCurvesTest, SaysWhatACurveConnects) {
  EXPECT_EQ(flow_text(timeline_, curves_at(5)[0].link),
            "flow \"f\" from launch to kernel, 1.95 µs");
}

}  // namespace
}  // namespace cinderscope
