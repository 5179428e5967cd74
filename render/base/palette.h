// Name -> colour: 20 hues in OKLCH away from the accent, colours of merged boxes.
#pragma once

#include <array>
#include <cstdint>

#include "ingest/model/slice_chunk.h"
#include "render/base/theme.h"

namespace cinderscope {

// Lightness 0 to 1, chroma 0 to about 0.3, hue in degrees; what lies outside sRGB is clipped.
Rgba rgba_from_oklch(double lightness, double chroma, double hue_degrees);

// The hue in degrees at position `ring` (0 to kHueCount - 1, with fractions). Positions between the
// last and the first hue snap to the nearer one: between them lies the accent.
double palette_hue_degrees(double ring, bool colour_blind);

// All colours of boxes for one theme: tables, built once.
class Palette {
 public:
  Palette(ThemeKind kind, bool colour_blind);

  // `hash` is StringPool::hash() of the name; a name has the same colour everywhere.
  Rgba box(std::uint32_t hash) const { return boxes_[colour_from_hash(hash)]; }
  Rgba hovered(std::uint32_t hash) const { return hovered_[colour_from_hash(hash)]; }
  // The colour that most of many slices have; opacity by coverage, yet never so low that a lone
  // thin slice would be missed.
  Rgba merged(const LodSummary& summary) const;
  Rgba unmatched() const { return unmatched_; }  // of boxes that do not match the search

 private:
  std::array<Rgba, kColourCount> boxes_{}, hovered_{};
  std::array<std::uint32_t, 16> opacity_{};  // of merged boxes, by busy share
  Rgba unmatched_ = 0;
};

// The palette of a theme; any thread.
const Palette& palette_of(ThemeKind kind, bool colour_blind);

}  // namespace cinderscope
