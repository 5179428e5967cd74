#include "render/pictures/sheet.h"

#include <algorithm>
#include <cmath>

#include "render/text/label.h"

namespace cinderscope {
namespace {

constexpr float kTitlePx = 28, kCaptionPx = 24, kLegendRowPx = 20, kLegendColumnPx = 300;

std::size_t legend_columns(const PictureSheet& sheet, const PicturePen& pen, float width_px) {
  const auto fit = static_cast<std::size_t>(std::max(width_px / pen.px(kLegendColumnPx), 1.0f));
  return std::min(fit, std::max<std::size_t>(sheet.legend.size(), 1));
}

float legend_height(const PictureSheet& sheet, const PicturePen& pen, float width_px) {
  if (sheet.legend.empty()) return 0;
  const std::size_t columns = legend_columns(sheet, pen, width_px);
  const std::size_t rows = (sheet.legend.size() + columns - 1) / columns;
  return std::round(pen.px(12.0f + kLegendRowPx * static_cast<float>(rows)));
}

// Names run down the columns.
void draw_legend(const PictureSheet& sheet, PicturePen& pen, PicturePoint at, float width_px) {
  const std::size_t columns = legend_columns(sheet, pen, width_px);
  const std::size_t rows = (sheet.legend.size() + columns - 1) / columns;
  const float step = width_px / static_cast<float>(columns);
  for (std::size_t i = 0; i < sheet.legend.size(); ++i) {
    const LegendName& name = sheet.legend[i];
    const std::size_t column = i / rows, row = i % rows;
    const float x = at.x + std::round(step * static_cast<float>(column));
    const float y = at.y + pen.px(12.0f + kLegendRowPx * (static_cast<float>(row) + 0.5f));
    const float side = pen.px(10.0f);
    pen.fill({x, std::round(y - side / 2), side, side}, pen.palette.box(name.hash));
    const float total_px = pen.width(PictureFont::numbers, name.total);
    const float right = x + step - pen.px(24.0f);
    pen.text(PictureFont::numbers, right - total_px, y, pen.colours.dim, name.total);
    const float name_x = x + side + pen.px(8.0f);
    pen.short_name(PictureFont::words, name_x, y, right - total_px - pen.px(10.0f) - name_x,
                   pen.colours.text, name.name);
  }
}

}  // namespace

Result<DrawList> draw_sheet(const PictureSheet& sheet, const TextMeasure& measure,
                            const DrawPicture& draw) {
  DrawList list;
  PicturePen pen(list, measure, sheet.look);
  list.background = sheet.look.paper;
  list.width_px = sheet.width_px;
  const float x = sheet.frame_px, width_px = std::max(sheet.width_px - 2 * sheet.frame_px, 1.0f);
  float y = sheet.frame_px;
  if (!sheet.title.empty()) {
    const float size_px = pen.px(15.0f);
    const std::string title = drawable(sheet.title);
    const std::size_t fits = measure.fit(PictureFont::heads, size_px, title, width_px);
    list.items.emplace_back(PictureText{
        .x = x,
        .baseline_px = y + std::round(pen.px(16.0f)),
        .size_px = size_px,
        .width_px =
            measure.width(PictureFont::heads, size_px, std::string_view(title).substr(0, fits)),
        .font = PictureFont::heads,
        .colour = pen.colours.text,
        .text = title.substr(0, fits)});
    y += std::round(pen.px(kTitlePx));
  }
  const float legend_px = legend_height(sheet, pen, width_px);
  const float caption_px = sheet.caption.empty() ? 0 : std::round(pen.px(kCaptionPx));
  const float below_px = legend_px + caption_px + sheet.frame_px;
  const float most_px = sheet.height_px ? std::max(*sheet.height_px - y - below_px, 1.0f) : 0.0f;
  const Result<float> height = draw(pen, {x, y}, width_px, most_px);
  if (!height) return height.error();
  y += *height;
  list.row_borders_px.push_back(y);
  if (legend_px > 0) draw_legend(sheet, pen, {x, y}, width_px);
  y += legend_px;
  if (caption_px > 0) {
    pen.cut_text(PictureFont::words, x, y + caption_px / 2 + pen.px(3.0f), width_px,
                 pen.colours.dim, sheet.caption);
  }
  y += caption_px + sheet.frame_px;
  list.height_px = sheet.height_px.value_or(std::ceil(y));
  return list;
}

}  // namespace cinderscope
