#include "render/views/chrome/status_bar.h"

#include "ingest/build/timeline_builder.h"
#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

using StatusViewTest = ViewWindow;

TEST_F(StatusViewTest, CancelsALoadByItsCross) {
  const Timeline timeline;
  const TimelineState state;
  const Draw draw = [&](Actions& actions) {
    draw_status({.timeline = &timeline,
                 .state = &state,
                 .theme = theme_,
                 .area = {0, 376, 1200, 24},
                 .loading = true,
                 .load_fraction = 0.4,
                 .bytes_per_second = 5e8},
                actions);
  };
  const std::vector<RunCommand> asked = click_everywhere<RunCommand>(draw, 8);
  ASSERT_FALSE(asked.empty());
  for (const RunCommand& command : asked) EXPECT_EQ(command.name, "cancel");
}

TEST_F(StatusViewTest, TheLegendSearchesForAllOfAColour) {
  Timeline timeline;
  timeline.legend = {{"added", 4, "/^\\+ /"}, {"kept", 11, {}}};
  const TimelineState state;
  const Draw draw = [&](Actions& actions) {
    draw_status(
        {.timeline = &timeline, .state = &state, .theme = theme_, .area = {0, 376, 1200, 24}},
        actions);
  };
  const std::vector<RunCommand> found = click_everywhere<RunCommand>(draw, 12);
  ASSERT_FALSE(found.empty());
  for (const RunCommand& command : found) {
    EXPECT_EQ(command.name + " " + command.argument, "search /^\\+ /");
  }
}

TEST_F(StatusViewTest, DrawsWithoutATraceAndWithExtremeTimes) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  builder.slices(thread).complete(0, 10, builder.intern("a"), 1);
  const Timeline timeline = builder.finish();
  TimelineState state;
  state.view = {.begin_ns = INT64_MIN, .ns_per_px = 1e18, .width_px = 1000};
  EXPECT_TRUE(frame([&](Actions& actions) {
                draw_status({.theme = theme_, .area = {0, 0, 1200, 24}}, actions);
              }).empty());
  EXPECT_TRUE(frame([&](Actions& actions) {
                draw_status({.timeline = &timeline,
                             .state = &state,
                             .theme = theme_,
                             .area = {0, 0, 1200, 24},
                             .load_seconds = 1e300,
                             .kept_bytes = ~std::uint64_t{0},
                             .message = std::string(1 << 20, '\n')},
                            actions);
              }).empty());
}

}  // namespace
}  // namespace cinderscope
