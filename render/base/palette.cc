#include "render/base/palette.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ingest/model/hue.h"

namespace cinderscope {
namespace {

// Told apart under deuteranopia and protanopia: of all sets of five hues away from the accent the
// one whose closest two stay farthest apart there (0.038 in OKLab; a test measures it).
constexpr std::array<double, 5> kColourBlindHues = {80, 175, 205, 255, 385};

struct Tone {
  double lightness, chroma, lightness_step, hover_step;
};
// Steps of lightness are farther apart than two neighbouring hues, so that names with like hues are
// told apart; on white the lightest has to be seen as well.
constexpr Tone kDark = {0.70, 0.088, 0.04, 0.07};
constexpr Tone kLight = {0.83, 0.075, 0.03, -0.06};

double encoded(double linear) {  // sRGB transfer curve
  const double value = std::clamp(linear, 0.0, 1.0);
  return value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}

std::uint32_t byte_of(double linear) {
  return static_cast<std::uint32_t>(std::lround(encoded(linear) * 255));
}

}  // namespace

// Björn Ottosson's OKLab: polar to rectangular, to cone responses, to linear sRGB.
Rgba rgba_from_oklch(double lightness, double chroma, double hue_degrees) {
  const double radians = hue_degrees * std::numbers::pi / 180;
  const double a = chroma * std::cos(radians);
  const double b = chroma * std::sin(radians);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  const std::uint32_t red = byte_of(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const std::uint32_t green = byte_of(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const std::uint32_t blue = byte_of(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
  return rgb(red << 16 | green << 8 | blue);
}

double palette_hue_degrees(double ring, bool colour_blind) {
  constexpr double kLast = kHueCount - 1;
  if (ring > kLast) ring = ring - kLast < 0.5 ? kLast : 0;
  ring = std::clamp(ring, 0.0, kLast);
  if (!colour_blind) return kFirstHueDegrees + kHueStepDegrees * ring;
  const double position = ring * static_cast<double>(kColourBlindHues.size()) / kHueCount;
  return kColourBlindHues.at(static_cast<std::size_t>(position));
}

Palette::Palette(ThemeKind kind, bool colour_blind) {
  const Tone& tone = kind == ThemeKind::dark ? kDark : kLight;
  const double step = tone.lightness_step * (colour_blind ? 2 : 1);
  for (std::uint32_t colour = 0; colour < kHuedColours; ++colour) {
    const double degrees = palette_hue_degrees(hue_from_hash(colour), colour_blind);
    const double above = static_cast<double>(lightness_step_from_hash(colour)) - 1;
    const double lightness = tone.lightness + above * step;
    boxes_.at(colour) = rgba_from_oklch(lightness, tone.chroma, degrees);
    hovered_.at(colour) = rgba_from_oklch(lightness + tone.hover_step, tone.chroma, degrees);
  }
  // Hardly any colour, and nearer to the background; labels are still read on it.
  const double muted = kind == ThemeKind::dark ? tone.lightness - 0.1 : tone.lightness + 0.03;
  boxes_.at(kMutedColour) = rgba_from_oklch(muted, 0.008, 260);
  hovered_.at(kMutedColour) = rgba_from_oklch(muted + tone.hover_step, 0.008, 260);
  // Bent upwards: a box that is busy a tenth of its time should not be a tenth as visible.
  constexpr double kLowest = 108;
  for (std::uint32_t i = 0; i < opacity_.size(); ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(opacity_.size() - 1);
    opacity_.at(i) =
        static_cast<std::uint32_t>(std::lround(kLowest + (255 - kLowest) * std::pow(share, 0.7)));
  }
  unmatched_ = kind == ThemeKind::dark ? rgba_from_oklch(0.30, 0.006, 260)
                                       : rgba_from_oklch(0.93, 0.004, 260);
}

Rgba Palette::merged(const LodSummary& summary) const {
  // Sixteen steps of opacity are enough for the eye, and let equal neighbours be drawn as one.
  return with_alpha(boxes_.at(summary.colour), opacity_.at((summary.busy + 8u) / 17));
}

const Palette& palette_of(ThemeKind kind, bool colour_blind) {
  static const Palette dark(ThemeKind::dark, false);
  static const Palette dark_colour_blind(ThemeKind::dark, true);
  static const Palette light(ThemeKind::light, false);
  static const Palette light_colour_blind(ThemeKind::light, true);
  if (kind == ThemeKind::dark) return colour_blind ? dark_colour_blind : dark;
  return colour_blind ? light_colour_blind : light;
}

}  // namespace cinderscope
