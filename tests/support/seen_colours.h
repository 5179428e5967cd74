// Colours as people see them: how far they are apart, and what is left of them for dichromats.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "render/base/theme.h"

namespace cinderscope {

struct Linear {
  double red, green, blue;
};

inline double decoded(std::uint32_t byte) {
  const double value = byte / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

inline Linear linear_of(Rgba colour) {
  return {decoded(colour & 0xff), decoded(colour >> 8 & 0xff), decoded(colour >> 16 & 0xff)};
}

struct Lab {
  double l, a, b;
};

inline Lab lab_of(const Linear& c) {
  const double l = std::cbrt(0.4122214708 * c.red + 0.5363325363 * c.green + 0.0514459929 * c.blue);
  const double m = std::cbrt(0.2119034982 * c.red + 0.6806995451 * c.green + 0.1073969566 * c.blue);
  const double s = std::cbrt(0.0883024619 * c.red + 0.2817188376 * c.green + 0.6299787005 * c.blue);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

// In OKLab.
inline double distance(const Linear& one, const Linear& other) {
  const Lab a = lab_of(one), b = lab_of(other);
  return std::hypot(a.l - b.l, a.a - b.a, a.b - b.b);
}

// As WCAG defines it, 1 to 21.
inline double contrast(const Linear& one, const Linear& other) {
  const auto luminance = [](const Linear& c) {
    return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue + 0.05;
  };
  const double a = luminance(one), b = luminance(other);
  return std::max(a, b) / std::min(a, b);
}

// Viénot, Brettel and Mollon 1999: what is left of a colour for a dichromat, in linear RGB.
inline Linear seen_by_deuteranope(const Linear& c) {
  const double red = 0.29275 * c.red + 0.70725 * c.green;
  return {red, red, -0.02234 * c.red + 0.02234 * c.green + c.blue};
}
inline Linear seen_by_protanope(const Linear& c) {
  const double red = 0.11238 * c.red + 0.88762 * c.green;
  return {red, red, 0.00401 * c.red - 0.00401 * c.green + c.blue};
}

// Machado, Oliveira and Fernandes 2009.
inline Linear seen_by_tritanope(const Linear& c) {
  const auto within = [](double value) { return std::clamp(value, 0.0, 1.0); };
  return {within(1.255528 * c.red - 0.076749 * c.green - 0.178779 * c.blue),
          within(-0.078411 * c.red + 0.930809 * c.green + 0.147602 * c.blue),
          within(0.004733 * c.red + 0.691367 * c.green + 0.303900 * c.blue)};
}

}  // namespace cinderscope
