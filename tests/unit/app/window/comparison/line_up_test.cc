#include "app/window/comparison/line_up.h"

#include <gtest/gtest.h>

#include <random>

namespace cinderscope {
namespace {

TEST(LineUpTest, MovesTimesAndViewsFromOneSideToTheOther) {
  const LineUp line_up{.how = LineUpHow::call, .name = "f", .a_ns = 1000, .b_ns = 400};
  EXPECT_EQ(line_up.shift_ns(), -600);
  EXPECT_EQ(line_up.to_b(1000), 400);
  EXPECT_EQ(line_up.to_a(500), 1100);
  const Viewport a = showing(900, 1900, 500);
  const Viewport b = line_up.view_of_b(a);
  EXPECT_EQ(b.px_from_ns(400), a.px_from_ns(1000));
  EXPECT_EQ(line_up.view_of_a(b), a);
}

TEST(LineUpTest, WhatLinesUpStaysOnOnePixelHoweverTheViewMoves) {
  const LineUp line_up{.name = {}, .a_ns = 1'700'000'000'123'456'789, .b_ns = 77'001};
  Viewport view = showing(line_up.a_ns - 5'000'000, line_up.a_ns + 9'000'000, 1368);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> px(-400, 400), factor(0.5, 2);
  for (int i = 0; i < 1000; ++i) {
    view = i % 2 == 0 ? panned(view, px(random)) : zoomed(view, factor(random), 684);
    view = clamped(view, {line_up.a_ns - 1'000'000'000, line_up.a_ns + 9'000'000'000});
    ASSERT_EQ(line_up.view_of_b(view).px_from_ns(line_up.b_ns), view.px_from_ns(line_up.a_ns));
  }
}

TEST(LineUpTest, StretchedCallsAreEquallyWide) {
  // A's call lasts 100 ns, B's 200 ns.
  const LineUp line_up{.name = {}, .a_ns = 1000, .b_ns = 5000, .stretch = 0.5};
  const Viewport a = showing(900, 1300, 400);
  const Viewport b = line_up.view_of_b(a);
  EXPECT_DOUBLE_EQ(b.px_from_ns(5000), a.px_from_ns(1000));
  EXPECT_DOUBLE_EQ(b.px_from_ns(5200), a.px_from_ns(1100));
  EXPECT_EQ(line_up.to_a(5200), 1100);
}

TEST(LineUpTest, TimesAtTheEndsOfAllTimeDoNotOverflow) {
  const LineUp line_up{.name = {}, .a_ns = INT64_MIN, .b_ns = INT64_MAX};
  EXPECT_EQ(line_up.to_b(INT64_MAX), INT64_MAX);
  EXPECT_EQ(line_up.to_a(INT64_MIN), INT64_MIN);
  EXPECT_EQ(line_up.shift_ns(), INT64_MAX);
  const ViewportLimits all = joined({-5, 10}, {0, 30});
  EXPECT_EQ(all.begin_ns, -5);
  EXPECT_EQ(all.end_ns, 30);
}

TEST(LineUpTest, WordsAreThoseOfTheCommand) {
  for (const auto how :
       {LineUpHow::starts, LineUpHow::clock, LineUpHow::mark, LineUpHow::call, LineUpHow::hand}) {
    EXPECT_EQ(line_up_of_word(word_of(how)), how);
  }
  EXPECT_FALSE(line_up_of_word("moon"));
}

}  // namespace
}  // namespace cinderscope
