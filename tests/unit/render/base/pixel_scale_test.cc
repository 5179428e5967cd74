#include "render/base/pixel_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cinderscope {
namespace {

double px_of(std::int64_t place) {
  return std::ldexp(static_cast<double>(place), -PixelScale::kBits);
}

TEST(PixelScaleTest, AgreesWithTheViewAtEveryZoom) {
  std::mt19937_64 random(3);
  for (int bits = 7; bits < 62; ++bits) {
    const std::int64_t span_ns = (std::int64_t{1} << bits) - 1;
    const auto begin_ns = static_cast<std::int64_t>(random() >> 2) - (std::int64_t{1} << 61);
    const Viewport view = panned(showing(begin_ns, begin_ns + span_ns, 1688), 0.3);
    const PixelScale scale(view);
    for (int i = 0; i < 200; ++i) {
      const auto offset_ns =
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(span_ns));
      const std::int64_t t_ns = view.begin_ns + offset_ns;
      EXPECT_NEAR(px_of(scale.position(t_ns)), view.px_from_ns(t_ns), 1e-5) << bits;
    }
  }
}

TEST(PixelScaleTest, WhatBeginsOnABorderOfPixelsDoesSoExactly) {
  for (const std::int64_t ns_per_px : {1, 3, 7, 100, 12'345, 1'000'003}) {
    const PixelScale scale(showing(500, 500 + ns_per_px * 1000, 1000));
    for (std::int64_t x = 0; x <= 1000; ++x) {
      EXPECT_EQ(scale.position(500 + x * ns_per_px), x * PixelScale::kPixel);
    }
  }
}

TEST(PixelScaleTest, WhatIsOutOfViewComesOutBesideIt) {
  const PixelScale scale(showing(0, 1000, 100));
  for (const std::int64_t t_ns : {INT64_MIN, INT64_MIN + 5, std::int64_t{-1'000'000'000}}) {
    EXPECT_LT(scale.position(t_ns), -PixelScale::kPixel);
  }
  for (const std::int64_t t_ns : {std::int64_t{1'000'000'000}, INT64_MAX - 5, INT64_MAX}) {
    EXPECT_GT(scale.position(t_ns), 101 * PixelScale::kPixel);
  }
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  const PixelScale whole(showing(-kFar, kFar, 100));
  EXPECT_NEAR(px_of(whole.position(-kFar)), 0, 1e-5);
  EXPECT_NEAR(px_of(whole.position(0)), 50, 1e-5);
  EXPECT_NEAR(px_of(whole.position(kFar)), 100, 1e-5);
}

TEST(PixelScaleTest, ThinIsWhatIsShorterThanAPixel) {
  const PixelScale scale(showing(0, 1050, 100));  // 10.5 ns a pixel
  EXPECT_TRUE(scale.is_thin(std::uint64_t{10}));
  EXPECT_FALSE(scale.is_thin(std::uint64_t{11}));
  EXPECT_TRUE(scale.is_thin(10.4f));
  EXPECT_FALSE(scale.is_thin(10.5f));
  EXPECT_FALSE(scale.is_thin(~std::uint64_t{0}));
  EXPECT_EQ(scale.length(5), std::floor(5 / 10.5 * PixelScale::kPixel));
  EXPECT_EQ(distance_ns(INT64_MIN, INT64_MAX), ~std::uint64_t{0});
}

}  // namespace
}  // namespace cinderscope
