#include "render/base/palette.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "tests/support/seen_colours.h"

namespace cinderscope {
namespace {

double hue_of(Rgba colour) {
  const Lab lab = lab_of(linear_of(colour));
  const double degrees = std::atan2(lab.b, lab.a) * 180 / std::numbers::pi;
  return degrees < 0 ? degrees + 360 : degrees;
}

double apart(double a, double b) {
  const double distance = std::fmod(std::abs(a - b), 360);
  return std::min(distance, 360 - distance);
}

TEST(PaletteTest, HasTwentyHuesAwayFromTheAccent) {
  for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
    const Palette& palette = palette_of(kind, false);
    const double accent = hue_of(theme_colours(kind).accent);
    std::set<Rgba> colours;
    for (std::uint32_t hue = 0; hue < kHueCount; ++hue) {
      const Rgba colour = palette.box(hue + kHueCount);  // the middle step of lightness
      colours.insert(colour);
      EXPECT_GT(apart(hue_of(colour), accent), 22) << hue;
    }
    EXPECT_EQ(colours.size(), kHueCount);
  }
}

TEST(PaletteTest, NeverMixesTheAccentFromItsNeighbours) {
  for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
    const double accent = hue_of(theme_colours(kind).accent);
    for (double ring = 0; ring < kHueCount; ring += 0.05) {
      EXPECT_GT(apart(palette_hue_degrees(ring, false), accent), 22) << ring;
    }
  }
}

TEST(PaletteTest, MergedBoxesHaveTheColourOfTheNameWithMostTime) {
  const Palette& palette = palette_of(ThemeKind::dark, false);
  for (const std::uint32_t hash : {0u, 19u, 21u, 59u, 61u, 0xffff'fff0u}) {
    const auto colour = static_cast<std::uint8_t>(colour_from_hash(hash));
    EXPECT_EQ(palette.merged({.busy = 255, .colour = colour}), palette.box(hash)) << hash;
  }
}

TEST(PaletteTest, ShowsCoverageAsOpacity) {
  const Palette& palette = palette_of(ThemeKind::dark, false);
  std::uint32_t last = 0;
  for (const int busy : {1, 60, 120, 180, 255}) {
    const std::uint32_t alpha = palette.merged({.busy = static_cast<std::uint8_t>(busy)}) >> 24;
    EXPECT_GT(alpha, last);
    last = alpha;
  }
  EXPECT_GT(palette.merged({.busy = 1}) >> 24, 40u);  // a lone thin slice can still be seen
}

TEST(PaletteTest, KeepsTheColourBlindHuesAwayFromTheAccent) {
  for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
    const double accent = hue_of(theme_colours(kind).accent);
    for (double ring = 0; ring < kHueCount; ring += 0.05) {
      EXPECT_GT(apart(palette_hue_degrees(ring, true), accent), 22) << ring;
    }
  }
}

TEST(PaletteTest, DoublesTheStepsOfLightnessForTheColourBlind) {
  const auto spread = [](const Palette& palette) {
    double least = 1, most = 0;
    for (std::uint32_t hash = 0; hash < 100'000; hash += 7) {
      const double lightness = lab_of(linear_of(palette.box(hash))).l;
      least = std::min(least, lightness);
      most = std::max(most, lightness);
    }
    return most - least;
  };
  for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
    EXPECT_GT(spread(palette_of(kind, true)), 1.5 * spread(palette_of(kind, false)));
  }
}

TEST(PaletteTest, TellsTheColourBlindHuesApart) {
  for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
    const Palette& palette = palette_of(kind, true);
    for (const auto seen : {seen_by_deuteranope, seen_by_protanope}) {
      for (std::uint32_t a = 0; a < kHueCount; a += 4) {
        for (std::uint32_t b = a + 4; b < kHueCount; b += 4) {
          const Linear one = linear_of(palette.box(a + kHueCount));
          const Linear other = linear_of(palette.box(b + kHueCount));
          EXPECT_GT(distance(seen(one), seen(other)), 0.035) << a << " and " << b;
        }
      }
    }
  }
}

TEST(PaletteTest, HasAColourWithoutHueForWhatIsNoWork) {
  const auto chroma = [](Rgba colour) {
    const auto lab = lab_of(linear_of(colour));
    return std::hypot(lab.a, lab.b);
  };
  for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
    const Palette& palette = palette_of(kind, false);
    EXPECT_LT(chroma(palette.box(kMutedColour)), 0.02);
    EXPECT_GT(chroma(palette.box(0)), 0.05);
    EXPECT_EQ(palette.merged({.busy = 255, .colour = kMutedColour}), palette.box(kMutedColour));
    EXPECT_GE(contrast(linear_of(theme_colours(kind).on_box), linear_of(palette.box(kMutedColour))),
              4.5);
  }
}

}  // namespace
}  // namespace cinderscope
