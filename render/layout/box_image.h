// The boxes of all lines of slices as a picture with one row of pixels for each line.
//
// At most zooms nearly every pixel of a line is a box with its own colour, and all boxes of a line
// are as high as the line. A stretched picture takes 4 bytes for a pixel of width, however many
// boxes there are; a rectangle of a draw list takes 92.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/search/match_set.h"
#include "render/base/palette.h"
#include "render/layout/layout.h"

namespace cinderscope {

// Everything that the look of the boxes depends on. References are used during paint() only.
struct BoxLook {
  const Layout& layout;
  const Palette& palette;
  const StringPool& names;
  const MatchSet* matches = nullptr;  // other slices are grey; null: no search
  SliceRef hovered;
  float width_px = 0;  // of the view that the layout was made for, in real pixels
  unsigned jobs = 1;   // threads to paint with, at most
};

// Owns its pixels. UI thread.
class BoxImage {
 public:
  // Paints the boxes, unless they look as they did the last time.
  void paint(const BoxLook& look);

  std::size_t width_px() const { return width_px_; }
  std::size_t lines() const { return lines_; }
  // Row after row. Pixels without a box are 0. Wide boxes leave one pixel free at their right;
  // thin ones fill their column.
  std::span<const Rgba> pixels() const { return pixels_; }
  std::span<const Rgba> line(std::size_t i) const {
    return pixels().subspan(i * width_px_, width_px_);
  }
  // Changes with the pixels; unique among all pictures of this process. 0: never painted.
  std::uint64_t version() const { return version_; }

 private:
  struct Painted {
    std::uint64_t layout = 0;
    const Palette* palette = nullptr;
    SliceRef hovered;
    std::size_t width_px = 0;
    bool operator==(const Painted&) const = default;
  };
  void paint_line(const BoxLook& look, const DrawLine& line, std::span<Rgba> out) const;

  Painted painted_;
  bool searched_ = false;  // the pixels show the matches of a search
  std::size_t width_px_ = 0, lines_ = 0;
  std::vector<Rgba> pixels_;
  std::vector<const DrawLine*> slice_lines_;  // scratch
  std::uint64_t version_ = 0;
};

}  // namespace cinderscope
