// The boxes of all lines of slices as a picture with a row of pixels for each line.
//
// At most zooms nearly each pixel of a line is a box of its own colour, and all boxes of a line are
// as high as the line. As a picture that is stretched they take 4 bytes a pixel of width, whatever
// their number, where each rectangle of a draw list takes 92.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ingest/search/match_set.h"
#include "render/base/palette.h"
#include "render/layout/layout.h"

namespace cinderscope {

// What decides how the boxes of a layout look.
struct BoxLook {
  const Layout& layout;
  const Palette& palette;
  const StringPool& names;
  const MatchSet* matches = nullptr;  // all else is grey; null while there is no search
  SliceRef hovered;
  float width_px = 0;  // of the view the layout was made for
  unsigned jobs = 1;   // threads that may take part
};

class BoxImage {
 public:
  // Paints the boxes, unless they look as they did the last time. UI thread.
  void paint(const BoxLook& look);

  std::size_t width_px() const { return width_px_; }
  std::size_t lines() const { return lines_; }
  // Row after row; what no box covers is 0. Boxes are one pixel apart, those of a pixel stand on
  // their column.
  std::span<const Rgba> pixels() const { return pixels_; }
  std::span<const Rgba> line(std::size_t i) const {
    return pixels().subspan(i * width_px_, width_px_);
  }
  // Changes with the pixels; no two pictures of this process share one. 0: never painted.
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
  bool searched_ = false;  // it shows what a search found
  std::size_t width_px_ = 0, lines_ = 0;
  std::vector<Rgba> pixels_;
  std::vector<const DrawLine*> slice_lines_;  // scratch
  std::uint64_t version_ = 0;
};

}  // namespace cinderscope
