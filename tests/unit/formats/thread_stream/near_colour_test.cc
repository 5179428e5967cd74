#include "formats/thread_stream/near_colour.h"

#include <gtest/gtest.h>

#include <cstring>
#include <span>

#include "formats/all_formats.h"
#include "ingest/input/crc32.h"
#include "ingest/model/hue.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope::thread_stream {
namespace {

std::uint32_t hue_of(std::uint32_t rgb) {
  const auto colour =
      near_colour(static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
                  static_cast<std::uint8_t>(rgb));
  EXPECT_TRUE(colour);
  return hue_from_hash(colour.value_or(0));
}
double degrees_of(std::uint32_t rgb) {
  return kFirstHueDegrees + kHueStepDegrees * hue_of(rgb);
}

// Hues of sRGB's corners in OKLCH: yellow 110, green 142, cyan 195, blue 264, magenta 328.
TEST(NearColourTest, TakesTheNearestHue) {
  EXPECT_NEAR(degrees_of(0xffff00), 110, 8);
  EXPECT_NEAR(degrees_of(0x00ff00), 142, 8);
  EXPECT_NEAR(degrees_of(0x00ffff), 195, 8);
  EXPECT_NEAR(degrees_of(0x0000ff), 264, 8);
  EXPECT_NEAR(degrees_of(0xff00ff), 328, 8);
}

// Red (29) and orange (70) lie beside the accent, which boxes do not take.
TEST(NearColourTest, KeepsAwayFromTheAccent) {
  EXPECT_EQ(hue_of(0xff0000), kHueCount - 1);
  EXPECT_EQ(hue_of(0xffa500), 0u);
}

TEST(NearColourTest, TellsLightFromDark) {
  EXPECT_EQ(lightness_step_from_hash(*near_colour(0, 0, 96)), 0u);
  EXPECT_EQ(lightness_step_from_hash(*near_colour(96, 160, 224)), 1u);
  EXPECT_EQ(lightness_step_from_hash(*near_colour(192, 255, 192)), 2u);
}

TEST(NearColourTest, GreyIsNone) {
  for (const std::uint8_t grey : {std::uint8_t{0}, std::uint8_t{128}, std::uint8_t{255}})
    EXPECT_FALSE(near_colour(grey, grey, grey));
}

// Those of the smallest file, whose one site is described at 0x98.
TEST(NearColourTest, ASiteIsDrawnInItsColour) {
  std::vector<std::byte> bytes =
      read_file(test::source_dir() + "/tests/golden/thread_stream/minimal/input.tsd");
  const auto colour_of_first = [&] {
    const LoadedTrace trace =
        load_trace(*format_named("thread_stream"), Input::from_memory("a.tsd", bytes));
    EXPECT_EQ(trace.timeline.diagnostics.total(), 0u);
    const Timeline& timeline = trace.timeline;
    return timeline.strings->colour(timeline.tracks.front().root().rows.front().name(0));
  };
  const std::uint32_t by_name = colour_of_first();
  const auto put = [&](std::size_t at, std::uint32_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  };
  const auto colour_site = [&](std::uint32_t rgba) {
    put(0xb4, rgba);
    put(0x78, crc32_of(std::span(bytes).subspan(0x80, 176)));
    put(0x7c, crc32_of(std::span(bytes).subspan(0x40, 60)));
  };
  colour_site(0xff00ff00);  // green
  EXPECT_EQ(colour_of_first(), near_colour(0, 255, 0));
  EXPECT_NE(colour_of_first(), by_name);
  colour_site(0xff808080);
  EXPECT_EQ(colour_of_first(), by_name);
}

}  // namespace
}  // namespace cinderscope::thread_stream
