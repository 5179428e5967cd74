// Appends to a picture as views draw in the window: the same sizes, whole pixels, cut texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/base/palette.h"
#include "render/pictures/draw_list.h"
#include "render/pictures/text_measure.h"

namespace cinderscope {

// How a picture looks, whatever it shows.
struct PictureLook {
  ThemeKind theme = ThemeKind::light;
  bool colour_blind = false;
  float scale = 1;  // of sizes: that of the font by 13 px
  Rgba paper = 0;   // behind all; alpha 0: what lies under the picture shines through
};

// What `above` looks like on `below`, which cannot be seen through.
Rgba blended(Rgba above, Rgba below);

class PicturePen {
 public:
  PicturePen(DrawList& list, const TextMeasure& measure, const PictureLook& look)
      : colours(theme_colours(look.theme)),
        palette(palette_of(look.theme, look.colour_blind)),
        theme(look.theme),
        scale(look.scale),
        paper(look.paper >> 24 == 255 ? look.paper : theme_colours(look.theme).background),
        on_paper(look.paper >> 24 != 0),
        list_(list),
        measure_(measure) {}

  const ThemeColours& colours;
  const Palette& palette;
  ThemeKind theme;
  float scale;
  Rgba paper;     // what is cut out of boxes has this colour
  bool on_paper;  // false: the picture is to be laid over something

  float px(float at_scale_1) const { return at_scale_1 * scale; }
  float px(double at_scale_1) const { return static_cast<float>(at_scale_1) * scale; }

  void fill(const Rect& rect, Rgba colour);
  // A pixel wide, at the scale of one.
  void horizontal_line(float x0, float x1, float y, Rgba colour);
  void vertical_line(float x, float y0, float y1, Rgba colour);
  void outline(const Rect& rect, Rgba colour, float width_px);  // inside of it
  void polygon(std::vector<PicturePoint> points, Rgba colour);
  void line(std::vector<PicturePoint> points, Rgba colour, float width_px, bool curved = false);
  void hatch(const Rect& rect, float step_px, float line_px, Rgba colour);

  float width(PictureFont font, std::string_view text) const;
  // `text` is drawable and `y` the middle of its line. Returns its width.
  float text(PictureFont font, float x, float y, Rgba colour, std::string_view text);
  void text_to(PictureFont font, float right, float y, Rgba colour, std::string_view text);
  // Any text, with an ellipsis at its end where it does not fit.
  void cut_text(PictureFont font, float x, float y, float width_px, Rgba colour,
                std::string_view text);
  // A name, of which the telling part is kept. True if all of it fits.
  bool short_name(PictureFont font, float x, float y, float width_px, Rgba colour,
                  std::string_view name);

  void begin(PictureGroup::Kind kind, std::string text = {}, const Rect& rect = {}) {
    list_.items.emplace_back(PictureGroup{kind, std::move(text), rect});
  }
  void end() { list_.items.emplace_back(PictureEnd{}); }

  DrawList& list() { return list_; }
  const TextMeasure& measure() const { return measure_; }
  float size_of(PictureFont font) const {
    return font == PictureFont::numbers ? px(12.5f) : px(13.0f);
  }

 private:
  DrawList& list_;
  const TextMeasure& measure_;
};

}  // namespace cinderscope
