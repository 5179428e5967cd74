#include "render/views/chrome/tab_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "render/text/file_name.h"
#include "render/views/widgets/side_chip.h"

namespace cinderscope {
namespace {

constexpr float kTabPx = 28, kTabPadPx = 12, kGapPx = 6, kClosePx = 20;
constexpr float kWidestTabPx = 320, kScrolledTabPx = 168, kNarrowestTabPx = 120;
constexpr std::size_t kFewTabs = 3;  // which have no list of all unless there is hardly any room
constexpr float kNarrowestOfFewPx = 72;
constexpr float kArrowPx = 20, kWheelPx = 90, kBesidePx = 64;
constexpr float kRoomForArrowsPx = 260;

struct Bar {
  const Pen& pen;
  const ToolbarFrame& frame;
  std::vector<TabTitle> titles;
  std::vector<float> widths;
  float gap, y, height;

  bool active(std::size_t tab) const { return tab == frame.active; }
  float begin_of(std::size_t tab) const {
    float begin = 0;
    for (std::size_t i = 0; i < tab; ++i) begin += widths[i] + gap;
    return begin;
  }
  float content_px() const { return begin_of(widths.size()) - gap; }
};

constexpr float kBetweenChipsPx = 4;

// Both marks and the gap behind them.
float chips_width(const Pen& pen) {
  return pen.px(2 * kSideChipPx + kBetweenChipsPx + 8);
}

float natural_width(const Pen& pen, const TabTitle& title, bool comparison, bool failed,
                    bool active) {
  float width = text_width(pen.words, title.text) + 2 * pen.px(kTabPadPx);
  if (comparison) width += chips_width(pen);
  if (failed) width += text_width(pen.icons, icon::kWarning) + pen.px(kGapPx);
  if (active) width += pen.px(kClosePx - kTabPadPx + 6);
  return std::round(std::min(width, pen.px(kWidestTabPx)));
}

// The widest that all may be to fit into the room; none if that is less than `least_px`.
std::optional<float> widest_that_fits(std::vector<float> widths, float room_px, float least_px) {
  std::ranges::sort(widths);
  float left_px = room_px;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const float share_px = left_px / static_cast<float>(widths.size() - i);
    if (widths[i] > share_px) {
      return share_px < least_px ? std::nullopt : std::optional(std::floor(share_px));
    }
    left_px -= widths[i];
  }
  return widths.empty() ? 0 : widths.back();
}

// Its begin, or where there is too little room for the part that tells it from others, the end.
void draw_title(const Pen& pen, const TabTitle& title, float x, float y, float room_px,
                Rgba colour) {
  const std::string_view text = title.text;
  const std::string_view ellipsis = ellipsis_of(pen.words);
  const float cut_px = room_px - text_width(pen.words, ellipsis);
  const bool whole = text_fit(pen.words, text, room_px) == text.size();
  constexpr std::size_t kTellingBytes = 6;
  const std::size_t told = text_fit(pen.words, text, cut_px);
  if (whole || told >= std::min(title.tells_from + kTellingBytes, text.size())) {
    draw_cut_text(pen.list, pen.words, x, y, room_px, colour, text);
    return;
  }
  // As much before that part as has room.
  std::size_t from = title.tells_from;
  const auto fits_from = [&](std::size_t begin) {
    return text_width(pen.words, text.substr(begin)) <= cut_px;
  };
  for (std::size_t earlier = from; earlier > 0 && fits_from(from);) {
    --earlier;
    const bool begins = (static_cast<unsigned char>(text[earlier]) & 0xc0) != 0x80;
    if (!begins) continue;
    if (!fits_from(earlier)) break;
    from = earlier;
  }
  x += draw_text(pen.list, pen.words, x, y, colour, ellipsis);
  draw_cut_text(pen.list, pen.words, x, y, cut_px + 1, colour, text.substr(from));
}

Rect cut_to(const Rect& rect, const Rect& seen) {
  const float x = std::max(rect.x, seen.x);
  return {x, rect.y, std::min(right_of(rect), right_of(seen)) - x, rect.height};
}

// `seen` is the part of the bar where it shows.
void draw_tab(const Bar& bar, std::size_t i, const Rect& rect, const Rect& seen, Actions& actions) {
  const Pen& pen = bar.pen;
  const ToolbarTab& tab = bar.frame.tabs[i];
  const bool active = bar.active(i);
  const float close_px = active ? pen.px(kClosePx) : 0;
  const Rect label{rect.x, rect.y, rect.width - close_px, rect.height};
  const Rect head = cut_to(rect, seen);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool inside = mouse.x >= head.x && mouse.x < right_of(head) && mouse.y >= head.y &&
                      mouse.y < bottom_of(head);
  if (inside && bar.frame.below_pointer != nullptr) *bar.frame.below_pointer = i;
  const Press press = press_area(i, cut_to(label, seen));
  pen.list.PushClipRect({seen.x, seen.y}, {right_of(seen), bottom_of(seen)}, true);
  const ImVec2 corner{rect.x, rect.y}, opposite{right_of(rect), bottom_of(rect)};
  if (active) {
    pen.list.AddRectFilled(corner, opposite, pen.colours.raised, pen.px(6));
    pen.list.AddRect(corner, opposite, pen.colours.line, pen.px(6));
  }
  const Rgba colour = active || press.hovered ? pen.colours.text : pen.colours.dim;
  float x = rect.x + pen.px(kTabPadPx);
  if (tab.comparison) {
    draw_side_chip(pen.list, pen.theme, x, middle_y(rect), false);
    draw_side_chip(pen.list, pen.theme, x + pen.px(kSideChipPx + kBetweenChipsPx), middle_y(rect),
                   true);
    x += chips_width(pen);
  }
  if (tab.failed) {
    x += draw_text(pen.list, pen.icons, x, middle_y(rect), pen.colours.dim, icon::kWarning) +
         pen.px(kGapPx);
  }
  const float text_end = right_of(label) - pen.px(active ? 2 : kTabPadPx);
  draw_title(pen, bar.titles[i], x, middle_y(rect), text_end - x + 1, colour);
  const std::string number = fmt::format("{}", i + 1);
  if (press.clicked && !active) run_command(actions, "tab", number);
  if (press.middle_clicked) run_command(actions, "close", number);
  if (press.right_clicked) run_command(actions, "context-menu", "tab " + number);
  if (press.hovered) hint(pen, tab.path.empty() ? tab.title : tab.path);
  if (active) {
    const Rect cross{right_of(label), rect.y, close_px, rect.height};
    const Press close = press_area("close", cut_to(cross, seen));
    draw_text(pen.list, pen.words, cross.x + pen.px(3), middle_y(cross),
              close.hovered ? pen.colours.text : pen.colours.dim, "×");
    if (close.hovered) hint(pen, with_keys("Close this trace", bar.frame.keys_of, "close"));
    if (close.clicked) run_command(actions, "close", number);
    if (close.middle_clicked) run_command(actions, "close", number);
  }
  pen.list.PopClipRect();
}

// How far the tabs are scrolled, in pixels. Another active tab is brought into sight with a part of
// its neighbours.
class Scroll {
 public:
  Scroll(const Bar& bar, float room_px)
      : storage_(*ImGui::GetStateStorage()),
        most_px_(std::max(bar.content_px() - room_px, 0.0F)),
        px_(storage_.GetFloat(id("scroll"))) {
    const int active = static_cast<int>(bar.frame.active),
              count = static_cast<int>(bar.widths.size());
    const int room = static_cast<int>(room_px);
    const bool is_new = storage_.GetInt(id("active"), -1) != active ||
                        storage_.GetInt(id("count"), -1) != count ||
                        storage_.GetInt(id("room"), -1) != room;
    storage_.SetInt(id("active"), active);
    storage_.SetInt(id("count"), count);
    storage_.SetInt(id("room"), room);
    if (!is_new) return;
    const float begin = bar.begin_of(bar.frame.active), width = bar.widths[bar.frame.active];
    const float beside = std::clamp((room_px - width) / 2, 0.0F, bar.pen.px(kBesidePx));
    px_ = std::min(std::max(px_, begin + width + beside - room_px), begin - beside);
  }
  ~Scroll() { storage_.SetFloat(id("scroll"), px()); }
  Scroll(const Scroll&) = delete;
  Scroll& operator=(const Scroll&) = delete;

  float px() const { return std::round(std::clamp(px_, 0.0F, most_px_)); }
  bool at_begin() const { return px() <= 0; }
  bool at_end() const { return px() >= std::round(most_px_); }
  void move(float by_px) { px_ = px() + by_px; }

 private:
  static ImGuiID id(const char* name) { return ImGui::GetID(name); }

  ImGuiStorage& storage_;
  float most_px_, px_;
};

void draw_scrolled(const Bar& bar, const Rect& seen, float scroll_px, Actions& actions) {
  // The active one stays at the edge that it would leave by.
  const std::size_t shown = bar.frame.active;
  const float last_x = std::max(seen.x, right_of(seen) - bar.widths[shown]);
  const float wanted_x = seen.x + bar.begin_of(shown) - scroll_px;
  const float active_x = std::clamp(wanted_x, seen.x, last_x);
  Rect others = seen;
  if (wanted_x < seen.x) {
    others.x = active_x + bar.widths[shown] + bar.gap;
    others.width = right_of(seen) - others.x;
  } else if (wanted_x > last_x) {
    others.width = active_x - bar.gap - seen.x;
  }
  float x = seen.x - scroll_px;
  for (std::size_t i = 0; i < bar.widths.size(); ++i) {
    const Rect rect{bar.active(i) ? active_x : x, bar.y, bar.widths[i], bar.height};
    const Rect& within = bar.active(i) ? seen : others;
    if (right_of(rect) > within.x && rect.x < right_of(within)) {
      draw_tab(bar, i, rect, within, actions);
    }
    x += bar.widths[i] + bar.gap;
  }
}

// Arrows at both ends of the tabs, and a button with all of them; what is left for the tabs.
Rect draw_ends(const Bar& bar, const Rect& area, Scroll& scroll, Actions& actions) {
  const Pen& pen = bar.pen;
  Rect seen = area;
  const std::string count = fmt::format("{}", bar.widths.size());
  const float list_px = text_width(pen.numbers, count) + pen.px(26);
  const Rect list{right_of(area) - list_px, bar.y, list_px, bar.height};
  seen.width -= list_px + pen.px(4);
  const bool has_arrows = area.width >= pen.px(kRoomForArrowsPx);
  if (has_arrows) {
    const float arrow_px = pen.px(kArrowPx);
    const Rect left{area.x, bar.y, arrow_px, bar.height};
    const Rect right{list.x - pen.px(2) - arrow_px, bar.y, arrow_px, bar.height};
    if (icon_button(pen, "left", left, {icon::kLeft, "Earlier tabs", !scroll.at_begin()})) {
      scroll.move(-0.8F * (right.x - right_of(left)));
    }
    if (icon_button(pen, "right", right, {icon::kRight, "Later tabs", !scroll.at_end()})) {
      scroll.move(0.8F * (right.x - right_of(left)));
    }
    seen = {right_of(left) + pen.px(4), area.y, right.x - right_of(left) - pen.px(8), area.height};
  }
  const Press press = press_area("all tabs", list);
  if (press.hovered) {
    pen.list.AddRectFilled({list.x, list.y}, {right_of(list), bottom_of(list)}, pen.colours.raised,
                           pen.px(6));
    hint(pen, with_keys("All tabs", bar.frame.keys_of, "tabs"));
  }
  const Rgba colour = press.hovered ? pen.colours.text : pen.colours.dim;
  const float x = list.x + pen.px(6);
  const float count_px = draw_text(pen.list, pen.numbers, x, middle_y(list), colour, count);
  draw_text(pen.list, pen.icons, x + count_px + pen.px(5), middle_y(list), colour, icon::kUnfolded);
  if (press.clicked) run_command(actions, "tabs");
  return seen;
}

float room_of_ends(const Pen& pen, std::size_t count, float width_px) {
  const float list_px = text_width(pen.numbers, fmt::format("{}", count)) + pen.px(30);
  const bool has_arrows = width_px >= pen.px(kRoomForArrowsPx);
  return list_px + (has_arrows ? 2 * pen.px(kArrowPx) + pen.px(6) : 0);
}

}  // namespace

void draw_tab_bar(const Pen& pen, const ToolbarFrame& frame, float x, float end_x,
                  Actions& actions) {
  if (frame.tabs.empty() || frame.active >= frame.tabs.size()) return;
  std::vector<NamedPath> names;
  names.reserve(frame.tabs.size());
  for (const ToolbarTab& tab : frame.tabs) names.push_back({tab.title, tab.path});
  const float height = pen.px(kTabPx);
  Bar bar{.pen = pen,
          .frame = frame,
          .titles = tab_titles(names),
          .widths = {},
          .gap = pen.px(kGapPx),
          .y = std::round(frame.area.y + (frame.area.height - height) / 2),
          .height = height};
  for (std::size_t i = 0; i < names.size(); ++i) {
    bar.widths.push_back(natural_width(pen, bar.titles[i], frame.tabs[i].comparison,
                                       frame.tabs[i].failed, bar.active(i)));
  }
  const Rect area{x, frame.area.y, std::max(end_x - x, 1.0F), frame.area.height};
  const float gaps_px = bar.gap * static_cast<float>(names.size() - 1);
  ImGui::PushID("tabs");
  float least_px = pen.px(names.size() <= kFewTabs ? kNarrowestOfFewPx : kNarrowestTabPx);
  if (names.size() == 1) least_px = 0;
  const auto fit = widest_that_fits(bar.widths, area.width - gaps_px, least_px);
  if (fit) {
    for (float& width : bar.widths) width = std::min(width, *fit);
    draw_scrolled(bar, area, 0, actions);
  } else {
    const float room_px = std::max(area.width - room_of_ends(pen, names.size(), area.width), 1.0F);
    const float most_px = std::min(pen.px(kScrolledTabPx), room_px);
    for (float& width : bar.widths) width = std::min(width, most_px);
    Scroll scroll(bar, room_px);
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && contains(area, io.MousePos)) {
      scroll.move(-(io.MouseWheel + io.MouseWheelH) * pen.px(kWheelPx));
    }
    const Rect seen = draw_ends(bar, area, scroll, actions);
    draw_scrolled(bar, seen, scroll.px(), actions);
  }
  ImGui::PopID();
}

}  // namespace cinderscope
