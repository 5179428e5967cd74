#include "render/views/chrome/recent_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <string_view>

#include "render/text/date_text.h"
#include "render/text/file_name.h"
#include "render/text/size_text.h"

namespace cinderscope {
namespace {

constexpr float kRowPx = 22, kHeadPx = 26, kPadPx = 10;
constexpr float kNumberPx = 22, kSizePx = 74, kDatePx = 96, kCrossPx = 26, kGapPx = 14;
constexpr std::size_t kNumbered = 9;  // files that a digit opens

// The end of a folder tells more than its begin.
void draw_end_of(const Pen& pen, float x, float y, float width_px, std::string_view text,
                 Rgba colour) {
  if (text_width(pen.words, text) <= width_px) {
    draw_cut_text(pen.list, pen.words, x, y, width_px, colour, text);
    return;
  }
  const std::string_view ellipsis = ellipsis_of(pen.words);
  const float room_px = width_px - text_width(pen.words, ellipsis);
  for (std::size_t at = text.find('/', 1); at != std::string_view::npos;
       at = text.find('/', at + 1)) {
    const std::string_view end = text.substr(at);
    if (text_width(pen.words, end) > room_px) continue;
    x += draw_text(pen.list, pen.words, x, y, colour, ellipsis);
    draw_cut_text(pen.list, pen.words, x, y, room_px, colour, end);
    return;
  }
  draw_cut_text(pen.list, pen.words, x, y, width_px, colour, text);
}

void draw_row(const Pen& pen, const RecentRow& file, std::size_t number, const Rect& row,
              bool chosen, Actions& actions) {
  ImGui::PushID(static_cast<int>(number));
  const Rect cross{right_of(row) - pen.px(kCrossPx), row.y, pen.px(kCrossPx), row.height};
  const Rect rest{row.x, row.y, row.width - cross.width, row.height};
  const Press open = press_area("open", rest), forget = press_area("forget", cross);
  const bool lit = open.hovered || forget.hovered || chosen;
  if (lit) {
    pen.list.AddRectFilled({row.x, row.y}, {right_of(row), bottom_of(row)},
                           with_alpha(pen.colours.dim, 40), pen.px(4));
  }
  const float y = middle_y(row);
  const Rgba faint = with_alpha(pen.colours.dim, 150);
  const Rgba dim = file.missing ? faint : pen.colours.dim;
  float x = row.x + pen.px(kPadPx);
  if (number <= kNumbered) {
    draw_text(pen.list, pen.numbers, x, y, faint, fmt::format("{}", number));
  }
  x += pen.px(kNumberPx);
  float end_x = cross.x - pen.px(2);
  draw_text(pen.list, pen.numbers, end_x, y, dim, date_text(file.opened_s, std::time(nullptr)),
            Align::right);
  end_x -= pen.px(kDatePx);
  if (file.missing) {
    draw_text(pen.list, pen.words, end_x, y, dim, "missing", Align::right);
  } else if (file.is_folder) {
    draw_text(pen.list, pen.words, end_x, y, dim, "folder", Align::right);
  } else if (file.size_bytes > 0) {  // else it is not known yet
    draw_text(pen.list, pen.numbers, end_x, y, dim, size_text(file.size_bytes), Align::right);
  }
  end_x -= pen.px(kSizePx) + pen.px(kGapPx);
  const std::string name = telling_name(file.path);
  const std::string_view folder = folder_above_name(file.path);
  const float room_px = end_x - x;
  const float name_px = std::min(text_width(pen.words, name), room_px);
  draw_cut_text(pen.list, pen.words, x, y, room_px, file.missing ? faint : pen.colours.text, name);
  const float folder_px = room_px - name_px - pen.px(kGapPx);
  if (folder_px > pen.px(40)) {
    draw_end_of(pen, x + name_px + pen.px(kGapPx), y, folder_px, folder, faint);
  }
  if (lit) {
    const float cross_x = cross.x + (cross.width - text_width(pen.icons, icon::kClose)) / 2;
    draw_text(pen.list, pen.icons, cross_x, y, forget.hovered ? pen.colours.text : pen.colours.dim,
              icon::kClose);
  }
  if (open.hovered) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    hint(pen, file.missing ? file.path + "\nThis file is not there any more." : file.path);
  }
  if (forget.hovered) hint(pen, "Remove from this list");
  if (open.clicked) actions.push_back(RunCommand{"open", quoted_argument(file.path)});
  if (forget.clicked) actions.push_back(RunCommand{"forget-recent", quoted_argument(file.path)});
  ImGui::PopID();
}

}  // namespace

float recent_files_height(const Pen& pen, std::size_t rows) {
  return rows == 0 ? 0 : pen.px(kHeadPx) + pen.px(kRowPx) * static_cast<float>(rows);
}

void draw_recent_files(const Pen& pen, const StartFrame& frame, const Rect& area,
                       Actions& actions) {
  const float rows_px = area.height - pen.px(kHeadPx);
  const auto fit = static_cast<std::size_t>(std::max(0.0F, rows_px / pen.px(kRowPx)));
  const std::size_t count = std::min(frame.recent.size(), fit);
  if (count == 0) return;
  const float head_y = area.y + pen.px(kHeadPx) / 2 - pen.px(2);
  draw_text(pen.list, pen.heads, area.x + pen.px(kPadPx), head_y, pen.colours.dim, "Recent files");
  Rect row{area.x, area.y + pen.px(kHeadPx), area.width, pen.px(kRowPx)};
  // The chosen file is always among those shown.
  const std::size_t chosen = frame.chosen.value_or(0);
  const std::size_t first = chosen >= count ? std::min(chosen + 1, frame.recent.size()) - count : 0;
  for (std::size_t i = first; i < first + count; ++i) {
    draw_row(pen, frame.recent[i], i + 1, row, frame.chosen == i, actions);
    row.y += row.height;
  }
}

}  // namespace cinderscope
