#include "render/views/chrome/error_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/text/time_text.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kTextPx = 640;

std::string error_text(const ErrorFrame& frame) {
  std::string text = frame.path.empty() ? "" : frame.path + ": ";
  text += frame.error.text;
  if (!frame.error.expected.empty()) text.append(" ").append(frame.error.expected);
  if (frame.error.offset_bytes != kNoOffset) {
    text += fmt::format(" (byte {})", signed_count_text(frame.error.offset_bytes));
  }
  return text;
}

}  // namespace

void draw_error(const ErrorFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.background);
  const float width = std::max(std::min(pen.px(kTextPx), area.width - pen.px(48)), 1.0f);
  const float x = std::round(area.x + (area.width - width) / 2);
  const float line = pen.px(22);
  float y = std::round(area.y + area.height * 0.3f);
  if (!frame.path.empty()) {
    copyable(pen, "path", {x, y, width, line}, pen.numbers, pen.colours.dim, frame.path, frame.path,
             actions);
    y += line + pen.px(8);
  }
  y += draw_wrapped(pen, pen.title, x, y, width, pen.colours.text, frame.error.text);
  if (!frame.error.expected.empty()) {
    y += pen.px(8);
    y += draw_wrapped(pen, pen.words, x, y, width, pen.colours.dim, frame.error.expected);
  }
  if (frame.error.offset_bytes >= 0) {
    y += pen.px(8);
    const auto offset = static_cast<std::uint64_t>(frame.error.offset_bytes);
    copyable(pen, "offset", {x, y, width, line}, pen.numbers, pen.colours.dim,
             "at byte " + count_text(offset), fmt::format("{}", offset), actions);
    y += line;
  }
  y += pen.px(18);
  float button_x = x;
  if (frame.error.code == ErrorCode::too_large) {
    if (text_button(pen, "anyway", button_x, y, "Load all anyway")) {
      actions.push_back(RunCommand{"load-anyway", {}});
    }
    button_x += text_button_width(pen, "Load all anyway") + pen.px(8);
    if (text_button(pen, "part", button_x, y, "Load a part")) {
      actions.push_back(RunCommand{"load-part", {}});
    }
    button_x += text_button_width(pen, "Load a part") + pen.px(8);
  }
  if (text_button(pen, "reload", button_x, y, "Try again")) {
    actions.push_back(RunCommand{"reload", {}});
  }
  button_x += text_button_width(pen, "Try again") + pen.px(8);
  if (text_button(pen, "copy", button_x, y, "Copy")) {
    actions.push_back(CopyText{error_text(frame)});
  }
  button_x += text_button_width(pen, "Copy") + pen.px(8);
  if (text_button(pen, "close", button_x, y, "Close")) {
    actions.push_back(RunCommand{"close", {}});
  }
}

}  // namespace cinderscope
