// What the sheet for pictures shows.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/window/app_context.h"
#include "app/window/controllers/export/pictures.h"
#include "ingest/base/number_text.h"
#include "render/views/widgets/picture_preview.h"

namespace cinderscope {
namespace {

constexpr std::array<Choice, 4> kWhat = {{{"Timeline", "What the timeline shows"},
                                          {"Flame graph", "Of the scope of Statistics"},
                                          {"Histogram", "Of the selected call's name"},
                                          {"Statistics", "The first twenty names"}}};
constexpr std::array<Choice, 3> kFormats = {{{"SVG", "For pages: sharp at any size"},
                                             {"PNG", "Pixels, twice the width"},
                                             {"PDF", "For print"}}};
constexpr std::array<Choice, 2> kThemes = {{{"Light", "For paper"}, {"Dark", "For slides"}}};

void ask_picture(Actions& actions, const char* what, std::string_view value) {
  run_command(actions, "picture", fmt::format("{} {}", what, value));
}

}  // namespace

void PicturesController::draw_inside(const Rect& area, Actions& actions) {
  const Pen pen = pen_of(app_.theme());
  const float gap_px = pen.px(16);
  const float preview_px = std::min(area.width * 0.4f, options_.style.width_px * 0.25f);
  const Rect left{area.x, area.y, area.width - preview_px - gap_px, area.height};
  draw_fields(left, actions);
  draw_preview({right_of(left) + gap_px, area.y + pen.px(4), preview_px, area.height - pen.px(4)});
}

void PicturesController::draw_preview(const Rect& area) const {
  const Pen pen = pen_of(app_.theme());
  if (!preview_) return;
  if (preview_->list == nullptr) {
    draw_cut_text(pen.list, pen.words, area.x, area.y + pen.px(10), area.width, pen.colours.dim,
                  preview_->error);
    return;
  }
  const float scale = std::min(0.25f, area.width / preview_->list->width_px);
  const Rect shown{area.x, area.y, std::min(area.width, preview_->list->width_px * scale),
                   std::min(area.height, preview_->list->height_px * scale)};
  cinderscope::draw_preview(pen, *preview_->list, shown, scale);
  pen.list.AddRect({shown.x - 1, shown.y - 1}, {right_of(shown) + 1, bottom_of(shown) + 1},
                   pen.colours.line);
}

void PicturesController::draw_fields(const Rect& area, Actions& actions) {
  const Pen pen = pen_of(app_.theme());
  SheetRows rows(pen, area);
  const PictureStyle& style = options_.style;
  if (const auto of = rows.choices("what", kWhat, static_cast<std::size_t>(options_.of))) {
    ask_picture(actions, "of", word_of(static_cast<PictureOf>(*of)));
  }
  if (const auto format =
          rows.choices("format", kFormats, static_cast<std::size_t>(style.format))) {
    ask_picture(actions, "format", word_of(static_cast<PictureFormat>(*format)));
  }
  const std::size_t theme = style.theme == ThemeKind::dark ? 1 : 0;
  if (const auto chosen = rows.choices("theme", kThemes, theme)) {
    ask_picture(actions, "theme", *chosen == 1 ? "dark" : "light");
  }
  rows.next_row();
  rows.word("Width");
  if (const auto width = rows.field("##width", "pixels", pen.px(70),
                                    fmt::format("{:g}", static_cast<double>(style.width_px)))) {
    if (const auto number = parse_number<float>(*width); number && *number >= 100) {
      ask_picture(actions, "width", *width);
    }
  }
  rows.word("Title");
  if (const auto title = rows.field("##title", "a line above", rows.room_px(), style.title)) {
    ask_picture(actions, "title", *title);
  }
  rows.next_row();
  draw_path(rows, path_now(), actions);
}

void PicturesController::draw_saved(SheetRows& rows, Actions& actions) {
  draw_folder_button(rows, actions);
  if (app_.copies_pictures() && rows.button("copy", "Copy")) run_command(actions, "copy-picture");
}

}  // namespace cinderscope
