#include "formats/thread_stream/near_colour.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ingest/model/hue.h"

namespace cinderscope::thread_stream {
namespace {

constexpr double kLeastChroma = 0.03;
constexpr double kDarkBelow = 0.55, kLightAbove = 0.75;

double linear(std::uint8_t byte) {
  const double value = byte / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

}  // namespace

// Björn Ottosson's OKLab, from sRGB.
std::optional<std::uint32_t> near_colour(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  const double r = linear(red), g = linear(green), b = linear(blue);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const double lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
  const double along_a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  const double along_b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
  if (std::hypot(along_a, along_b) < kLeastChroma) return std::nullopt;
  double degrees = std::atan2(along_b, along_a) * 180 / std::numbers::pi;
  while (degrees < kFirstHueDegrees) degrees += 360;
  // Between the last and the first lies the accent: to the nearer of both.
  double ring = (degrees - kFirstHueDegrees) / kHueStepDegrees;
  constexpr double kRound = 360 / kHueStepDegrees;
  if (ring > (kHueCount - 1 + kRound) / 2) ring = 0;
  const auto hue = static_cast<std::uint32_t>(std::min<double>(std::round(ring), kHueCount - 1));
  const std::uint32_t step = lightness < kDarkBelow ? 0 : lightness > kLightAbove ? 2 : 1;
  return hue + kHueCount * step;
}

}  // namespace cinderscope::thread_stream
