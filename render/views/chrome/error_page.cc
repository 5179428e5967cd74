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
  const auto button = [&](const char* id, const char* label) {
    const bool pressed = text_button(pen, id, button_x, y, label);
    button_x += text_button_width(pen, label) + pen.px(8);
    return pressed;
  };
  const auto command_button = [&](const char* label, const char* command) {
    if (button(command, label)) actions.push_back(RunCommand{command, {}});
  };
  if (frame.error.code == ErrorCode::too_large) {
    command_button("Load all, columns on disk", "load-on-disk");
    command_button("Load a part", "load-part");
    command_button("Load all anyway", "load-anyway");
    y += pen.px(36);
    button_x = x;
  }
  command_button("Try again", "reload");
  if (button("copy", "Copy")) actions.push_back(CopyText{error_text(frame)});
  command_button("Close", "close");
}

}  // namespace cinderscope
