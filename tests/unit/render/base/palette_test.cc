#include "render/base/palette.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <vector>

namespace cinderscope {
namespace {

struct Linear {
  double red, green, blue;
};

double decoded(std::uint32_t byte) {
  const double value = byte / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

Linear linear_of(Rgba colour) {
  return {decoded(colour & 0xff), decoded(colour >> 8 & 0xff), decoded(colour >> 16 & 0xff)};
}

struct Lab {
  double l, a, b;
};

Lab lab_of(const Linear& c) {
  const double l = std::cbrt(0.4122214708 * c.red + 0.5363325363 * c.green + 0.0514459929 * c.blue);
  const double m = std::cbrt(0.2119034982 * c.red + 0.6806995451 * c.green + 0.1073969566 * c.blue);
  const double s = std::cbrt(0.0883024619 * c.red + 0.2817188376 * c.green + 0.6299787005 * c.blue);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

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

// Viénot, Brettel and Mollon 1999: what is left of a colour for a dichromat, in linear RGB.
Linear seen_by_deuteranope(const Linear& c) {
  const double red = 0.29275 * c.red + 0.70725 * c.green;
  return {red, red, -0.02234 * c.red + 0.02234 * c.green + c.blue};
}
Linear seen_by_protanope(const Linear& c) {
  const double red = 0.11238 * c.red + 0.88762 * c.green;
  return {red, red, 0.00401 * c.red - 0.00401 * c.green + c.blue};
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
          const Lab one = lab_of(seen(linear_of(palette.box(a + kHueCount))));
          const Lab other = lab_of(seen(linear_of(palette.box(b + kHueCount))));
          const double distance = std::hypot(one.l - other.l, one.a - other.a, one.b - other.b);
          EXPECT_GT(distance, 0.035) << a << " and " << b;
        }
      }
    }
  }
}

}  // namespace
}  // namespace cinderscope
