// A table's rows with bars, as views/widgets/table.cc has them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/pictures/panel_picture.h"
#include "render/pictures/picture_lines.h"
#include "render/text/label.h"

namespace cinderscope {
namespace {

constexpr float kTableRowPx = 22, kGapPx = 20, kChipPx = 9, kLeastNamePx = 170;

struct Placed {
  std::size_t column = 0;
  float x = 0, width = 0;
};

class TableDrawing {
 public:
  TableDrawing(const TablePicture& picture, PicturePen& pen, PicturePoint at, float width_px)
      : picture_(picture), pen_(pen), at_(at), width_px_(width_px) {}

  float draw(float most_height_px) {
    place_columns();
    const float row_px = std::round(pen_.px(kTableRowPx));
    heads(at_.y, row_px);
    const float room_px = most_height_px > 0 ? std::max(most_height_px - row_px, 1.0f) : 0;
    const PictureLines lines{.count = picture_.row_count,
                             .step_px = row_px,
                             .most_height_px = room_px,
                             .draw = [&](std::size_t i, float top) { row(i, top, row_px); }};
    const float end = draw_lines(pen_, at_.y + row_px, lines);
    pen_.list().box_count = picture_.row_count;
    return end - at_.y;
  }

 private:
  // The text column takes what the numbers leave; where that is too little the last of these go.
  void place_columns() {
    float numbers_px = 0;
    for (std::size_t i = 0; i < picture_.columns.size(); ++i) {
      const PictureColumn& column = picture_.columns[i];
      Placed placed{i, 0, pen_.width(PictureFont::words, column.title)};
      if (!column.is_text) {
        for (std::size_t row = 0; row < picture_.row_count; ++row) {
          const std::string text = drawable(picture_.text(row, i));
          placed.width = std::max(placed.width, pen_.width(PictureFont::numbers, text));
        }
        placed.width = std::max(std::ceil(placed.width) + pen_.px(kGapPx),
                                column.bar ? pen_.px(140.0f) : pen_.px(60.0f));
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
      if (picture_.columns[placed.column].is_text) {
        placed.width = std::max(width_px_ - numbers_px, pen_.px(60.0f));
      }
      placed.x = x;
      x += placed.width;
    }
  }

  void heads(float top, float row_px) {
    for (const Placed& placed : placed_) {
      const PictureColumn& column = picture_.columns[placed.column];
      const Rgba colour = column.sorted ? pen_.colours.text : pen_.colours.dim;
      const float y = top + row_px / 2;
      if (column.is_text) {
        pen_.text(PictureFont::words, placed.x, y, colour, column.title);
      } else {
        pen_.text_to(PictureFont::words, placed.x + placed.width, y, colour, column.title);
      }
    }
    pen_.horizontal_line(at_.x, at_.x + width_px_, top + row_px - 1, pen_.colours.line);
  }

  void row(std::size_t row, float top, float row_px) {
    const float y = top + row_px / 2;
    for (const Placed& placed : placed_) {
      const PictureColumn& column = picture_.columns[placed.column];
      if (!column.is_text) {
        if (column.bar) {
          const auto share = static_cast<float>(picture_.share(row, placed.column));
          const float left = placed.x + pen_.px(kGapPx);
          const float width = placed.x + placed.width + pen_.px(4.0f) - left;
          pen_.fill({left, top + pen_.px(4.0f), std::round(width * share), row_px - pen_.px(8.0f)},
                    blended(with_alpha(pen_.colours.dim, 60), pen_.paper));
        }
        pen_.text_to(PictureFont::numbers, placed.x + placed.width, y, pen_.colours.text,
                     drawable(picture_.text(row, placed.column)));
        continue;
      }
      float x = placed.x;
      if (placed.column == 0 && picture_.name_hash) {
        const float side = std::round(pen_.px(kChipPx));
        pen_.fill({x, std::round(y - side / 2), side, side},
                  pen_.palette.box(picture_.name_hash(row)));
        x += side + pen_.px(8.0f);
      }
      pen_.short_name(PictureFont::words, x, y, placed.x + placed.width - pen_.px(kGapPx) - x,
                      pen_.colours.text, picture_.text(row, placed.column));
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

TablePicture picture_of(const ValueTable& table, std::vector<std::uint32_t> rows,
                        const TimestampFormat& format, std::size_t sorted_by) {
  TablePicture picture;
  std::vector<const ValueColumn*> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ValueColumn& column = table.columns[i];
    if (column.head.hidden) continue;
    columns.push_back(&column);
    picture.columns.push_back({.title = column.head.title,
                               .is_text = column.head.kind == CellKind::text,
                               .bar = column.head.bar && column.largest > 0,
                               .sorted = i == sorted_by});
  }
  picture.row_count = rows.size();
  picture.text = [&table, columns, rows, format](std::size_t row, std::size_t column) {
    return cell_text(table, *columns[column], rows[row], format);
  };
  picture.share = [columns, rows](std::size_t row, std::size_t column) {
    const ValueColumn& of = *columns[column];
    return static_cast<double>(std::max<std::int64_t>(of.numbers[rows[row]], 0)) /
           static_cast<double>(of.largest);
  };
  picture.name_hash = [&table, columns, rows = std::move(rows)](std::size_t row) {
    return table.strings->hash(columns.front()->texts[rows[row]]);
  };
  return picture;
}

float draw_table(const TablePicture& picture, PicturePen& pen, PicturePoint at, float width_px,
                 float most_height_px) {
  return TableDrawing(picture, pen, at, width_px).draw(most_height_px);
}

}  // namespace cinderscope
