#include "render/views/chrome/settings_page.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "render/views/chrome/plate.h"
#include "render/views/widgets/choice.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kWidthPx = 720, kLabelPx = 250, kPadPx = 24, kHeadPx = 48, kMarginPx = 20;
constexpr float kLinePx = 32, kGroupPx = 30, kGroupGapPx = 8, kFootPx = 30;

float height_of(const Pen& pen, std::span<const SettingLine> lines) {
  float height = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_first = i == 0 || lines[i].group != lines[i - 1].group;
    if (is_first) height += pen.px(kGroupPx) + (i > 0 ? pen.px(kGroupGapPx) : 0);
    height += pen.px(kLinePx);
  }
  return height;
}

void draw_line(const Pen& pen, const SettingLine& line, std::size_t number, const Rect& row,
               SettingsPageAnswer& answer) {
  const float y = middle_y(row);
  const float label_px = std::min(pen.px(kLabelPx), row.width * 0.4F);
  // A text that is hovered tells the command, for scripts and the palette.
  const Press label = press_area(number, {row.x, row.y, label_px, row.height});
  draw_cut_text(pen.list, pen.words, row.x, y, label_px - pen.px(12),
                line.enabled ? pen.colours.text : pen.colours.dim, line.label);
  if (label.hovered) {
    whole_name_hint(pen, line.label, label_px - pen.px(12));
    hint(pen, line.command);
  }
  std::vector<Choice> choices;
  for (const SettingLine::Word& word : line.words) {
    choices.push_back({word.label, line.command, line.enabled});
  }
  const float x = row.x + label_px;
  ImGui::PushID(static_cast<int>(number));
  const auto pressed =
      draw_choices(pen, "words", x, y, choices, line.chosen.value_or(line.words.size()));
  ImGui::PopID();
  if (pressed && line.enabled) answer.pressed = line.words[*pressed];
  const float value_x = x + choices_width(pen, choices) + pen.px(14);
  draw_cut_text(pen.list, pen.words, value_x, y, std::max(right_of(row) - value_x, 1.0F),
                pen.colours.dim, line.value);
}

void draw_lines(const Pen& pen, std::span<const SettingLine> lines, const Rect& area,
                SettingsPageAnswer& answer) {
  float y = area.y;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == 0 || lines[i].group != lines[i - 1].group) {
      if (i > 0) y += pen.px(kGroupGapPx);
      draw_text(pen.list, pen.heads, area.x, y + pen.px(kGroupPx) / 2, pen.colours.text,
                lines[i].group);
      y += pen.px(kGroupPx);
    }
    draw_line(pen, lines[i], i, {area.x, y, area.width, pen.px(kLinePx)}, answer);
    y += pen.px(kLinePx);
  }
}

}  // namespace

SettingsPageAnswer draw_settings_page(const SettingsPageFrame& frame) {
  SettingsPageAnswer answer;
  Plate on(frame.theme, "settings", frame.area);
  const Pen& pen = on.pen();
  const float pad = pen.px(kPadPx), margin = pen.px(kMarginPx), head_px = pen.px(kHeadPx);
  const float foot_px = frame.file.empty() ? pad / 2 : pen.px(kFootPx);
  const float lines_px = height_of(pen, frame.lines);
  const Rect plate = on.draw(pen.px(kWidthPx), head_px + lines_px + foot_px, margin);
  const Rect head{plate.x + pad, plate.y, std::max(plate.width - 2 * pad, 1.0F), head_px};
  draw_text(pen.list, pen.title, head.x, middle_y(head), pen.colours.text, "Settings");
  {
    const Rect list{plate.x, plate.y + head_px, plate.width,
                    std::max(plate.height - head_px - foot_px, 1.0F)};
    Column scrolled(frame.theme, "list", list, 0);
    const Rect all = scrolled.row(lines_px);
    draw_lines(scrolled.pen(), frame.lines,
               {all.x + pad, all.y, std::max(all.width - 2 * pad, 1.0F), all.height}, answer);
  }
  if (!frame.file.empty()) {
    const Rect foot{head.x, bottom_of(plate) - foot_px, head.width, foot_px};
    draw_cut_text(pen.list, pen.words, foot.x, middle_y(foot), foot.width, pen.colours.dim,
                  frame.file);
  }
  answer.close = on.pressed_beside();
  return answer;
}

}  // namespace cinderscope
