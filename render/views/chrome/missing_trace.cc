#include "render/views/chrome/missing_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/text/label.h"
#include "render/text/size_text.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kTextPx = 640;

std::string facts_text(const MissingTrace& missing) {
  std::string text = missing.size_bytes ? size_text(*missing.size_bytes) : std::string();
  if (!missing.was.empty()) text += (text.empty() ? "" : ", ") + missing.was;
  return text;
}

}  // namespace

std::string missing_title(const MissingTrace& missing) {
  const std::string name = drawable(missing.name);
  if (missing.found.empty()) return fmt::format("Where is {}?", name);
  const std::string was =
      missing.size_bytes ? fmt::format(", was {}", size_text(*missing.size_bytes)) : std::string();
  return fmt::format("{} is there, but it is another recording ({}{}).", name,
                     size_text(missing.found_bytes), was);
}

void draw_missing_trace(const MissingTraceFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  const MissingTrace& missing = frame.missing;
  fill(pen.list, area, pen.colours.background);
  const float width = std::max(std::min(pen.px(kTextPx), area.width - pen.px(48)), 1.0F);
  const float x = std::round(area.x + (area.width - width) / 2);
  float y = std::round(area.y + area.height * 0.3F);
  y += draw_wrapped(pen, pen.title, x, y, width, pen.colours.text, missing_title(missing));
  if (const std::string facts = facts_text(missing); !facts.empty() && missing.found.empty()) {
    y += pen.px(8);
    y += draw_wrapped(pen, pen.words, x, y, width, pen.colours.dim, facts);
  }
  y += pen.px(8);
  y += draw_wrapped(pen, pen.words, x, y, width, pen.colours.dim,
                    "Locate it, or drop it on this page.");
  y += pen.px(18);
  float button_x = x;
  const auto button = [&](const char* id, const char* label, const char* command) {
    if (text_button(pen, id, button_x, y, label)) actions.push_back(RunCommand{command, {}});
    button_x += text_button_width(pen, label) + pen.px(8);
  };
  if (!missing.found.empty()) button("use", "Use it", "use-trace");
  button("locate", "Locate…", "locate-trace");
  if (missing.of_session) button("leave out", "Leave out", "leave-out-trace");
  if (!missing.of_session) button("close", "Close", "close");
}

}  // namespace cinderscope
