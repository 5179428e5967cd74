#include "app/window/panels/measure_scope.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(MeasureScopeTest, AThreadIsMeasuredOnUntilAnotherTimelineTakesItsPlace) {
  MeasureScope scope{.chosen = MeasuredPart::thread};
  TimelineState state;
  note_timeline(scope, 1);
  state.selected = {TrackId{3}, BlockId{0}, 0, 0};
  EXPECT_EQ(measured_scope(scope, state).track, TrackId{3});
  state.selected = {};
  note_timeline(scope, 1);
  EXPECT_EQ(measured_scope(scope, state).track, TrackId{3});
  note_timeline(scope, 2);
  EXPECT_EQ(measured_scope(scope, state).track, kNoTrack);
  EXPECT_EQ(measured_part(scope, state), MeasuredPart::trace);
}

}  // namespace
}  // namespace cinderscope
