#include "render/views/chrome/notice.h"

#include <algorithm>

#include "render/views/widgets/widgets.h"

namespace cinderscope {

void draw_notice(const NoticeFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  horizontal_line(pen.list, area.x, right_of(area), bottom_of(area) - 1, pen.colours.line);
  const float gap = pen.px(8);
  const float button_y = area.y + (area.height - pen.px(26)) / 2;
  float end_x = right_of(area) - pen.px(12);
  for (std::size_t i = frame.answers.size(); i-- > 0;) {
    const NoticeAnswer& answer = frame.answers[i];
    end_x -= text_button_width(pen, answer.label);
    if (text_button(pen, std::string(answer.label).c_str(), end_x, button_y, answer.label)) {
      actions.push_back(answer.command);
    }
    end_x -= gap;
  }
  const float y = middle_y(area);
  float x = area.x + pen.px(12);
  if (frame.warns) {
    x += draw_text(pen.list, pen.icons, x, y, pen.colours.dim, icon::kWarning) + gap;
  }
  const Rect room{x, area.y, std::max(0.0f, end_x - x), area.height};
  draw_cut_text(pen.list, pen.words, room.x, y, room.width, pen.colours.text, frame.text);
  const bool cut = text_width(pen.words, frame.text) > room.width;
  if (press_area("notice", room).hovered && cut) hint(pen, frame.text);
}

}  // namespace cinderscope
