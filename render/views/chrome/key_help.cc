#include "render/views/chrome/key_help.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/views/chrome/key_table.h"
#include "render/views/chrome/plate.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kColumnPx = 420, kNarrowestColumnPx = 320;
constexpr float kPadPx = 24, kGroupGapPx = 14, kHeadPx = 48, kLinePx = 22, kKeysPx = 150;
constexpr float kMarginPx = 20;

float height_of(const Pen& pen, const std::vector<KeyGroup>& groups, std::size_t begin,
                std::size_t end) {
  float height = 0;
  for (std::size_t i = begin; i < end; ++i) {
    height += key_group_height(pen, groups[i]) + (i == begin ? 0 : pen.px(kGroupGapPx));
  }
  return height;
}

// Groups [0, split) make the left column; `split` keeps the longer column shortest.
std::size_t best_split(const Pen& pen, const std::vector<KeyGroup>& groups) {
  std::size_t best = groups.size();
  float lowest = height_of(pen, groups, 0, groups.size());
  for (std::size_t split = 1; split < groups.size(); ++split) {
    const float height =
        std::max(height_of(pen, groups, 0, split), height_of(pen, groups, split, groups.size()));
    if (height < lowest) {
      lowest = height;
      best = split;
    }
  }
  return best;
}

class KeyHelpPainter {
 public:
  KeyHelpPainter(const Pen& pen, const KeyHelpFrame& frame, KeyHelpAnswer& answer)
      : pen_(pen), frame_(frame), answer_(answer) {}

  void draw(KeyGroup group, const Rect& area) {
    const float line = pen_.px(kLinePx);
    draw_cut_text(pen_.list, pen_.heads, area.x, area.y + line / 2, area.width, pen_.colours.text,
                  group.front().group);
    float y = area.y;
    for (const KeyHelp& key : group) {
      y += line;
      draw_line(key, {area.x, y, area.width, line});
    }
  }

 private:
  void draw_line(const KeyHelp& key, const Rect& rect) {
    const float keys_px = std::min(pen_.px(kKeysPx), rect.width * 0.45f);
    const float y = middle_y(rect);
    const Rect keys{rect.x - pen_.px(6), rect.y, keys_px, rect.height};
    const bool listening = !key.command.empty() && key.command == frame_.listening;
    bool hovered = false;
    if (!key.command.empty()) {
      const Press press = press_area(("keys " + key.command).c_str(), keys);
      hovered = press.hovered;
      if (press.clicked) answer_.listen = key.command;
    }
    if (listening || hovered) {
      const Rect lit = inset(keys, 0, 1);
      pen_.list.AddRectFilled({lit.x, lit.y}, {right_of(lit), bottom_of(lit)}, pen_.colours.line,
                              pen_.px(4));
    }
    if (hovered) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      hint(pen_, "Click, then press the new key. Backspace removes the shortcut.");
    }
    if (listening) {
      draw_cut_text(pen_.list, pen_.words, rect.x, y, keys_px, pen_.colours.text, "press a key…");
    } else if (key.keys.empty()) {
      draw_text(pen_.list, pen_.numbers, rect.x, y, with_alpha(pen_.colours.dim, 120), "–");
    } else {
      draw_cut_text(pen_.list, pen_.numbers, rect.x, y, keys_px - pen_.px(8), pen_.colours.text,
                    key.keys);
    }
    float end = right_of(rect);
    if (key.changed) end -= reset_button(key, rect);
    draw_cut_text(pen_.list, pen_.words, rect.x + keys_px, y, end - rect.x - keys_px,
                  pen_.colours.dim, key.help);
  }

  float reset_button(const KeyHelp& key, const Rect& rect) {
    const float side = rect.height;
    const Rect area{right_of(rect) - side, rect.y, side, side};
    const Press press = press_area(("reset " + key.command).c_str(), area);
    draw_text(pen_.list, pen_.icons, area.x + pen_.px(4), middle_y(area),
              press.hovered ? pen_.colours.text : pen_.colours.dim, "\uf0e2");
    if (press.hovered) hint(pen_, "Reset to the default key");
    if (press.clicked) answer_.reset = key.command;
    return side + pen_.px(6);
  }

  const Pen& pen_;
  const KeyHelpFrame& frame_;
  KeyHelpAnswer& answer_;
};

void draw_head(const Pen& pen, const KeyHelpFrame& frame, const Rect& head, KeyHelpAnswer& answer) {
  const float x = head.x + pen.px(kPadPx);
  const float title = draw_text(pen.list, pen.title, x, middle_y(head), pen.colours.text, "Keys");
  const std::string_view label = frame.whole ? "Only those with keys" : "All commands";
  const float button_px = text_button_width(pen, label);
  const float button_x = right_of(head) - pen.px(kPadPx) - button_px;
  const float note_x = x + title + pen.px(16);
  draw_cut_text(pen.list, pen.words, note_x, middle_y(head), button_x - note_x - pen.px(12),
                pen.colours.dim, "Click on a key to change it");
  if (text_button(pen, "whole", button_x, head.y + (head.height - pen.px(28)) / 2, label)) {
    answer.toggle_whole = true;
  }
}

}  // namespace

KeyHelpAnswer draw_key_help(const KeyHelpFrame& frame) {
  KeyHelpAnswer answer;
  const Rect& area = frame.area;
  Plate on(frame.theme, "key help", frame.area);
  const Pen& pen = on.pen();
  const std::vector<KeyGroup> groups = key_groups(frame.keys);
  const float pad = pen.px(kPadPx), margin = pen.px(kMarginPx);
  const float room = std::max(area.width - 2 * margin - 3 * pad, 1.0f);
  const bool two = room >= 2 * pen.px(kNarrowestColumnPx);
  const float column = std::min(pen.px(kColumnPx), two ? room / 2 : room + pad);
  const std::size_t split = two ? best_split(pen, groups) : groups.size();
  const float height =
      std::max(height_of(pen, groups, 0, split), height_of(pen, groups, split, groups.size()));
  const float head_px = pen.px(kHeadPx);
  const Rect plate =
      on.draw(two ? 2 * column + 3 * pad : column + 2 * pad, height + head_px + pad, margin);
  draw_head(pen, frame, {plate.x, plate.y, plate.width, head_px}, answer);
  {
    const Rect list{plate.x, plate.y + head_px, plate.width, plate.height - head_px - 1};
    Column scrolled(frame.theme, "keys", list, 0);
    const Rect all = scrolled.row(height + pad * 0.5f);
    KeyHelpPainter painter(scrolled.pen(), frame, answer);
    float x = all.x + pad, y = all.y;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (i == split) {
        x += column + pad;
        y = all.y;
      }
      const float group_px = key_group_height(pen, groups[i]);
      painter.draw(groups[i], {x, y, column, group_px});
      y += group_px + pen.px(kGroupGapPx);
    }
  }
  answer.close = on.pressed_beside();
  return answer;
}

}  // namespace cinderscope
