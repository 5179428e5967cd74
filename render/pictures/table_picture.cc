// A table's rows with bars, as views/widgets/table.cc has them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/pictures/panel_picture.h"
#include "render/text/label.h"

namespace cinderscope {
namespace {

constexpr float kRowPx = 22, kGapPx = 20, kChipPx = 9, kLeastNamePx = 170;

struct Placed {
  const ValueColumn* column = nullptr;
  float x = 0, width = 0;
};

class TableDrawing {
 public:
  TableDrawing(const TablePicture& picture, PicturePen& pen, PicturePoint at, float width_px)
      : picture_(picture), pen_(pen), at_(at), width_px_(width_px) {}

  float draw(float most_height_px) {
    place_columns();
    const float row_px = std::round(pen_.px(kRowPx));
    std::size_t rows = picture_.rows.size();
    if (most_height_px > 0) {
      const float fit = std::max(most_height_px / row_px - 1, 1.0f);
      rows = std::min(rows, static_cast<std::size_t>(fit));
    }
    float y = at_.y;
    heads(y, row_px);
    y += row_px;
    for (std::size_t i = 0; i < rows; ++i) {
      pen_.list().row_borders_px.push_back(y);
      pen_.begin(PictureGroup::Kind::row);
      row(picture_.rows[i], y, row_px);
      pen_.end();
      y += row_px;
    }
    pen_.list().box_count = rows;
    if (rows < picture_.rows.size()) {
      pen_.list().notes.push_back(
          fmt::format("{} more rows are left out.", count_text(picture_.rows.size() - rows)));
    }
    return y - at_.y;
  }

 private:
  // The text column takes what the numbers leave; where that is too little the last of these go.
  void place_columns() {
    float numbers_px = 0;
    for (const ValueColumn& column : picture_.table.columns) {
      if (column.head.hidden) continue;
      Placed placed{&column, 0, pen_.width(PictureFont::words, column.head.title)};
      if (column.head.kind != CellKind::text) {
        for (const std::uint32_t row : picture_.rows) {
          const std::string text = cell_text(picture_.table, column, row, picture_.format);
          placed.width = std::max(placed.width, pen_.width(PictureFont::numbers, text));
        }
        placed.width = std::max(std::ceil(placed.width) + pen_.px(kGapPx),
                                column.head.bar ? pen_.px(140.0f) : pen_.px(60.0f));
        numbers_px += placed.width;
      }
      placed_.push_back(placed);
    }
    while (placed_.size() > 2 && numbers_px > width_px_ - pen_.px(kLeastNamePx)) {
      numbers_px -= placed_.back().width;
      placed_.pop_back();
    }
    float x = at_.x;
    for (Placed& placed : placed_) {
      if (placed.column->head.kind == CellKind::text) {
        placed.width = std::max(width_px_ - numbers_px, pen_.px(60.0f));
      }
      placed.x = x;
      x += placed.width;
    }
  }

  bool is_number(const Placed& placed) const { return placed.column->head.kind != CellKind::text; }

  void heads(float top, float row_px) {
    for (const Placed& placed : placed_) {
      const auto at = static_cast<std::size_t>(placed.column - picture_.table.columns.data());
      const Rgba colour = at == picture_.sorted_by ? pen_.colours.text : pen_.colours.dim;
      const float y = top + row_px / 2;
      if (is_number(placed)) {
        pen_.text_to(PictureFont::words, placed.x + placed.width, y, colour,
                     placed.column->head.title);
      } else {
        pen_.text(PictureFont::words, placed.x, y, colour, placed.column->head.title);
      }
    }
    pen_.horizontal_line(at_.x, at_.x + width_px_, top + row_px - 1, pen_.colours.line);
  }

  void row(std::uint32_t row, float top, float row_px) {
    const ValueTable& table = picture_.table;
    const float y = top + row_px / 2;
    for (const Placed& placed : placed_) {
      const ValueColumn& column = *placed.column;
      if (is_number(placed)) {
        if (column.head.bar && column.largest > 0) {
          const double share = static_cast<double>(std::max<std::int64_t>(column.numbers[row], 0)) /
                               static_cast<double>(column.largest);
          const float left = placed.x + pen_.px(kGapPx);
          const float width = placed.x + placed.width + pen_.px(4.0f) - left;
          pen_.fill({left, top + pen_.px(4.0f), std::round(width * static_cast<float>(share)),
                     row_px - pen_.px(8.0f)},
                    blended(with_alpha(pen_.colours.dim, 60), pen_.paper));
        }
        pen_.text_to(PictureFont::numbers, placed.x + placed.width, y, pen_.colours.text,
                     drawable(cell_text(table, column, row, picture_.format)));
        continue;
      }
      float x = placed.x;
      if (&column == &table.columns.front()) {
        const float side = std::round(pen_.px(kChipPx));
        pen_.fill({x, std::round(y - side / 2), side, side},
                  pen_.palette.box(table.strings->hash(column.texts[row])));
        x += side + pen_.px(8.0f);
      }
      pen_.short_name(PictureFont::words, x, y, placed.x + placed.width - pen_.px(kGapPx) - x,
                      pen_.colours.text, cell_text(table, column, row, picture_.format));
    }
    pen_.horizontal_line(at_.x, at_.x + width_px_, top + row_px - 1, pen_.colours.grid);
  }

  const TablePicture& picture_;
  PicturePen& pen_;
  PicturePoint at_;
  float width_px_;
  std::vector<Placed> placed_;
};

}  // namespace

float draw_table(const TablePicture& picture, PicturePen& pen, PicturePoint at, float width_px,
                 float most_height_px) {
  return TableDrawing(picture, pen, at, width_px).draw(most_height_px);
}

}  // namespace cinderscope
