#include "render/base/viewport.h"

#include <gtest/gtest.h>

#include <random>

namespace cinderscope {
namespace {

constexpr std::int64_t kFar = 1'700'000'000'000'000'123;

TEST(ViewportTest, KeepsNanosecondsApartFarFromZero) {
  const Viewport view = showing(kFar, kFar + 90, 1800);
  EXPECT_DOUBLE_EQ(view.px_from_ns(kFar), 0);
  EXPECT_DOUBLE_EQ(view.px_from_ns(kFar + 1), 20);
  EXPECT_DOUBLE_EQ(view.px_from_ns(kFar + 2), 40);
  EXPECT_EQ(view.ns_from_px(19.9), kFar);
  EXPECT_EQ(view.ns_from_px(20.1), kFar + 1);
  EXPECT_EQ(view.ns_from_px(-0.1), kFar - 1);
}

TEST(ViewportTest, ZoomKeepsTheTimeUnderThePointer) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Viewport view = showing(kFar, kFar + 5'000'000'000, 1700);
    const double pointer_px = static_cast<double>(random() % 1700);
    const std::int64_t time_ns = view.ns_from_px(pointer_px);
    for (int i = 0; i < 60; ++i) view = zoomed(view, 0.8, view.px_from_ns(time_ns));
    EXPECT_NEAR(view.px_from_ns(time_ns), pointer_px, 0.5);
  }
}

TEST(ViewportTest, ZoomEndsWhereOneUnitIsWideEnoughForAName) {
  Viewport view = showing(0, 1'000'000, 1000);
  for (int i = 0; i < 200; ++i) view = zoomed(view, 0.5, 300);
  EXPECT_DOUBLE_EQ(view.px_from_ns(8) - view.px_from_ns(7), 400);
}

TEST(ViewportTest, IsExactAtTheDeepestZoomInOurDays) {
  Viewport view = showing(kFar - 1000, kFar + 1000, 1920);
  for (int i = 0; i < 200; ++i) view = zoomed(view, 0.9, view.px_from_ns(kFar));
  EXPECT_DOUBLE_EQ(view.px_from_ns(kFar + 3) - view.px_from_ns(kFar + 2), 400);
  const double at_px = view.px_from_ns(kFar);
  for (int i = 0; i < 1000; ++i) view = panned(view, 0.3);
  for (int i = 0; i < 1000; ++i) view = panned(view, -0.3);
  EXPECT_NEAR(view.px_from_ns(kFar), at_px, 0.01);
  EXPECT_EQ(view.ns_from_px(at_px + 399), kFar);
  EXPECT_EQ(view.ns_from_px(at_px + 401), kFar + 1);
}

TEST(ViewportTest, LeavesAMarginAroundACall) {
  const Viewport view = around(kFar, kFar + 1000, 1000);
  EXPECT_NEAR(view.px_from_ns(kFar), 37, 2);
  EXPECT_NEAR(view.px_from_ns(kFar + 1000), 963, 2);
}

TEST(ViewportTest, PansThereAndBackToTheSamePlace) {
  const Viewport view = showing(kFar, kFar + 1000, 999);
  Viewport moved = view;
  for (int i = 0; i < 1000; ++i) moved = panned(moved, 0.7);
  for (int i = 0; i < 1000; ++i) moved = panned(moved, -0.7);
  EXPECT_EQ(moved.begin_ns, view.begin_ns);
  EXPECT_NEAR(moved.begin_fraction_ns, view.begin_fraction_ns, 1e-6);
}

TEST(ViewportTest, FitsTheWholeTraceWithAMargin) {
  const Viewport view = fitted({1000, 2000}, 500);
  EXPECT_NEAR(view.span_ns(), 1020, 1e-6);
  EXPECT_NEAR(view.px_from_ns(1000) + view.px_from_ns(2000), 500, 1e-3);
}

TEST(ViewportTest, ClampsToAFifthBeyondTheTrace) {
  const ViewportLimits limits{0, 1000};
  const Viewport early = clamped(panned(showing(0, 100, 100), -5000), limits);
  EXPECT_NEAR(static_cast<double>(early.begin_ns) + early.begin_fraction_ns, -200, 1e-6);
  const Viewport late = clamped(panned(showing(0, 100, 100), 5000), limits);
  EXPECT_NEAR(static_cast<double>(late.end_ns()), 1200, 1.01);
  const Viewport wide = clamped(showing(-100000, 100000, 100), limits);
  EXPECT_NEAR(wide.span_ns(), 1500, 1e-6);
  EXPECT_NEAR(wide.px_from_ns(500), 50, 1e-6);
}

TEST(ViewportTest, LeavesAViewWithinTheLimitsAsItIs) {
  const Viewport view = panned(showing(kFar, kFar + 1000, 700), 0.3);
  EXPECT_EQ(clamped(view, {kFar - 1000, kFar + 5000}), view);
}

TEST(ViewportTest, SurvivesTheWidestOfTraces) {
  constexpr std::int64_t kEdge = std::int64_t{1} << 62;
  const ViewportLimits limits{-kEdge, kEdge};
  Viewport view = fitted(limits, 1920);
  EXPECT_NEAR(view.px_from_ns(0), 960, 1);
  EXPECT_GE(showing(INT64_MIN, INT64_MAX, 10).end_ns(), INT64_MAX - 1);
  for (int i = 0; i < 50; ++i) view = clamped(panned(zoomed(view, 1.7, 100), 5000), limits);
  EXPECT_GT(view.ns_per_px, 0);
  EXPECT_GT(view.px_from_ns(INT64_MAX), view.px_from_ns(INT64_MIN));
}

TEST(ViewportTest, HandlesAnEmptyTrace) {
  const Viewport view = clamped(fitted({5, 5}, 100), {5, 5});
  EXPECT_LT(view.ns_per_px, 0.05);
  EXPECT_GE(view.px_from_ns(5), 0);
  EXPECT_LE(view.px_from_ns(5), 100);
}

TEST(ViewportTest, MixesFromOneViewToTheOther) {
  const Viewport from = showing(0, 1'000'000, 1000);
  const Viewport to = zoomed(from, 0.01, 400);
  EXPECT_EQ(mixed(from, to, 0), from);
  EXPECT_EQ(mixed(from, to, 1), to);
  // The point that both share stays where it is.
  EXPECT_NEAR(mixed(from, to, 0.5).px_from_ns(400'000), 400, 1e-3);
}

TEST(ViewportTest, KeepsTheTimeRangeWhenTheWindowGrows) {
  const Viewport view = resized(showing(100, 1100, 500), 1000);
  EXPECT_DOUBLE_EQ(view.ns_per_px, 1);
  EXPECT_EQ(view.begin_ns, 100);
}

}  // namespace
}  // namespace cinderscope
