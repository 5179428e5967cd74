// A picture as a list of boxes, lines and texts: what every painter draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "render/base/rect.h"
#include "render/base/theme.h"

namespace cinderscope {

enum class PictureFont : std::uint8_t { words, heads, numbers };

struct PicturePoint {
  float x = 0, y = 0;
};

// A filled rectangle.
struct PictureBox {
  Rect rect;
  Rgba colour = 0;
};
struct PictureOutline {
  Rect rect;  // the middle of its line
  Rgba colour = 0;
  float width_px = 1;
};
struct PicturePolygon {
  std::vector<PicturePoint> points;
  Rgba colour = 0;
};
struct PictureLine {
  std::vector<PicturePoint> points;  // of a curve four: ends and the points it bends to
  Rgba colour = 0;
  float width_px = 1;
  bool curved = false;
};
// One line of text, in logical order.
struct PictureText {
  float x = 0, baseline_px = 0;  // of its left end, whatever its direction
  float size_px = 13;            // of the em square
  float width_px = 0;            // as the fonts that are built in have it
  PictureFont font = PictureFont::words;
  Rgba colour = 0;
  std::string text;  // drawable
};
// What follows up to its PictureEnd belongs together.
struct PictureGroup {
  enum class Kind : std::uint8_t {
    track,  // `text` is its name
    row,
    box,   // `text` is what browsers show on hovering; may be empty
    clip,  // nothing of it is seen outside of `rect`
  };
  Kind kind = Kind::row;
  std::string text;
  Rect rect;
};
struct PictureEnd {};

using PictureItem = std::variant<PictureBox, PictureOutline, PicturePolygon, PictureLine,
                                 PictureText, PictureGroup, PictureEnd>;

struct DrawList {
  float width_px = 0, height_px = 0;
  Rgba background = 0;  // alpha 0: none
  std::vector<PictureItem> items;
  std::vector<float> row_borders_px;  // where a long picture may be cut into pages, ascending
  std::string metadata;               // one JSON object

  // What was left out or put together to keep within limits; sentences.
  std::vector<std::string> notes;
  std::size_t box_count = 0;  // of slices and the like
};

}  // namespace cinderscope
