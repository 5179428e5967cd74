#include "render/views/panels/search.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/views/widgets/choice.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {
namespace {

constexpr float kBarPx = 36, kHeadPx = 24, kRowPx = 22, kPadPx = 14;
constexpr float kBeginPx = 150, kDurationPx = 110, kThreadPx = 220;
constexpr float kGroovePx = 10, kMinThumbPx = 24;
constexpr double kLinesPerNotch = 3;

struct Example {
  std::string_view text, meaning;
};
constexpr std::array<Example, 8> kExamples = {
    {{"parse", "name or arguments contain it, in upper or lower case"},
     {"\"a b:c\"", "exactly these characters, in any case"},
     {"=\"main\"", "calls of exactly this name"},
     {"/^step \\d+$/i", "a regular expression; i ignores case"},
     {"url:example", "an argument whose value contains it; -url:example none has"},
     {"size:>4096  n:1..9", "an argument that is a number"},
     {"dur:>5ms  dur:1us..20us", "how long the call took"},
     {"thread:main  process:gpu  cat:net", "where it ran, its category"}}};

// Columns of a line, from left to right; in a narrow window the thread is left out first.
struct Columns {
  Rect name, begin, duration, thread;
};

Columns columns_of(const Pen& pen, const Rect& line) {
  const float pad = pen.px(kPadPx), gap = pen.px(16);
  float right = right_of(line) - pad - pen.px(kGroovePx);
  const auto take = [&](float width) {
    right -= width;
    const Rect rect{right, line.y, width, line.height};
    right -= gap;
    return rect;
  };
  const float room = right - line.x;
  Columns made;
  made.thread = take(std::min(pen.px(kThreadPx), room * 0.22f));
  made.duration = take(std::min(pen.px(kDurationPx), room * 0.18f));
  made.begin = take(std::min(pen.px(kBeginPx), room * 0.24f));
  made.name = {line.x + pad, line.y, std::max(right - line.x - pad, 1.0f), line.height};
  return made;
}

void draw_number(const Pen& pen, const Rect& cell, Rgba colour, std::string_view text) {
  if (text_width(pen.numbers, text) <= cell.width) {
    draw_text(pen.list, pen.numbers, right_of(cell), middle_y(cell), colour, text, Align::right);
  } else {
    draw_cut_text(pen.list, pen.numbers, cell.x, middle_y(cell), cell.width, colour, text);
  }
}

void draw_sort_mark(const Pen& pen, float x, float y, bool descending) {
  const float half = pen.px(3.5f), rise = pen.px(2) * (descending ? 1.0f : -1.0f);
  pen.list.AddTriangleFilled({x - half, y - rise}, {x + half, y - rise}, {x, y + rise},
                             pen.colours.dim);
}

void draw_head(const Pen& pen, const SearchViewFrame& frame, const Rect& area,
               SearchViewEvents& events) {
  const Columns at = columns_of(pen, area);
  const std::array<std::pair<std::string_view, const Rect*>, 4> heads = {
      {{"Name", &at.name},
       {"Begin", &at.begin},
       {"Duration", &at.duration},
       {"Thread", &at.thread}}};
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const auto& [label, cell] = heads[i];
    const Press press = press_area(i, *cell);
    const bool sorted = frame.sorted_column == i && frame.sortable;
    const Rgba colour = sorted || press.hovered ? pen.colours.text : pen.colours.dim;
    const bool number = i == 1 || i == 2;
    const float width = text_width(pen.words, label);
    const float x = number ? right_of(*cell) - width : cell->x;
    draw_text(pen.list, pen.words, x, middle_y(*cell), colour, label);
    if (sorted) {
      draw_sort_mark(pen, number ? x - pen.px(9) : x + width + pen.px(9), middle_y(*cell),
                     frame.descending);
    }
    if (press.hovered) {
      hint(pen, frame.sortable ? "Sort by this column; click again to reverse"
                               : "Too many matches to sort: they are listed thread by thread");
    }
    if (press.clicked) events.sort = i;
  }
  horizontal_line(pen.list, area.x, right_of(area), bottom_of(area) - 1, pen.colours.line);
}

void draw_line(const Pen& pen, const Rect& line, const SearchLine& shown, bool current,
               bool hovered) {
  if (current || hovered) {
    // The scroll bar's groove stays free.
    fill(pen.list, {line.x, line.y, line.width - pen.px(kGroovePx), line.height},
         pen.colours.raised);
  }
  if (current) {
    fill(pen.list, {line.x, line.y, std::max(std::round(pen.px(2)), 1.0f), line.height},
         pen.colours.accent);
  }
  const Columns at = columns_of(pen, line);
  const float chip = std::round(pen.px(8));
  fill(pen.list, {at.name.x, std::round(middle_y(line) - chip / 2), chip, chip}, shown.colour);
  const float name_x = at.name.x + chip + pen.px(8);
  const float name_px = right_of(at.name) - name_x;
  draw_cut_text(pen.list, pen.words, name_x, middle_y(line), name_px, pen.colours.text, shown.name);
  if (hovered && ImGui::GetIO().MousePos.x < right_of(at.name)) {
    whole_name_hint(pen, shown.name, name_px);
  }
  draw_number(pen, at.begin, pen.colours.dim, shown.begin);
  draw_number(pen, at.duration, pen.colours.text, shown.duration);
  draw_cut_text(pen.list, pen.words, at.thread.x, middle_y(line), at.thread.width, pen.colours.dim,
                shown.thread);
}

void draw_bar(const Pen& pen, const SearchViewFrame& frame, const Rect& area,
              SearchViewEvents& events) {
  const bool in_thread = frame.scope == 1 && !frame.scope_thread.empty();
  const std::array scopes = {
      Choice{"Whole trace", "Search everything"},
      Choice{"Selected range", "Search only calls that touch the selected range"},
      Choice{"Thread", in_thread ? std::string_view(frame.scope_thread)
                                 : "Search only the thread of the selected call"}};
  constexpr std::array<std::size_t, 3> kScopes = {0, 2,
                                                  1};  // the frame's scopes in their order here
  float x = area.x + pen.px(kPadPx);
  const float y = middle_y(area);
  const auto asked = draw_choices(pen, "scope", x, y, scopes, kScopes.at(frame.scope));
  // The thread may have changed meanwhile.
  if (asked && (kScopes.at(*asked) != frame.scope || frame.scope == 1)) {
    events.scope = kScopes.at(*asked);
  }
  x += choices_width(pen, scopes);
  float end = right_of(area) - pen.px(kPadPx);
  if (frame.line_count > 0) {
    constexpr std::string_view kCopy = "Copy all";
    const float width = text_width(pen.words, kCopy) + pen.px(12);
    const Rect rect{end - width, std::round(y - pen.px(11)), width, pen.px(22)};
    const Press press = press_area("copy", rect);
    draw_text(pen.list, pen.words, rect.x + pen.px(6), y,
              press.hovered ? pen.colours.text : pen.colours.dim, kCopy);
    if (press.hovered) hint(pen, "Copies the table as tab-separated text");
    if (press.clicked) events.copy_all = true;
    end = rect.x - pen.px(10);
  }
  x += pen.px(14);
  for (const std::string& note : frame.notes) {
    if (end - x < pen.px(24)) break;
    draw_cut_text(pen.list, pen.words, x, y, end - x, pen.colours.dim, note);
    x += text_width(pen.words, note) + pen.px(18);
  }
  horizontal_line(pen.list, area.x, right_of(area), bottom_of(area) - 1, pen.colours.line);
}

void draw_empty(const Pen& pen, const SearchViewFrame& frame, const Rect& area) {
  const float line = pen.px(kRowPx), x = area.x + pen.px(kPadPx);
  const float width = area.width - 2 * pen.px(kPadPx);
  float y = area.y + pen.px(8) + line / 2;
  draw_cut_text(pen.list, pen.words, x, y, width, pen.colours.text, frame.message);
  if (!frame.shows_examples) return;
  const float column = std::min(pen.px(270), width * 0.45f);
  y += pen.px(6);
  for (const Example& example : kExamples) {
    y += line;
    if (y + line / 2 > bottom_of(area)) return;
    draw_cut_text(pen.list, pen.numbers, x, y, column - pen.px(12), pen.colours.text, example.text);
    draw_cut_text(pen.list, pen.words, x + column, y, width - column, pen.colours.dim,
                  example.meaning);
  }
}

}  // namespace

// Scrolls to the selected match when it changes, not when the user has scrolled away.
void SearchView::follow_current(const SearchViewFrame& frame, double rows_on_screen) {
  if (!frame.current || frame.follow == followed_) return;
  followed_ = frame.follow;
  const auto line = static_cast<double>(*frame.current);
  if (line < first_line_) first_line_ = line;
  if (line + 1 > first_line_ + rows_on_screen) first_line_ = line + 1 - rows_on_screen;
}

void SearchView::scroll_by_input(const SearchViewFrame& frame, const Rect& area,
                                 double rows_on_screen) {
  const ImGuiIO& io = ImGui::GetIO();
  const double most = std::max(0.0, static_cast<double>(frame.line_count) - rows_on_screen);
  const bool over =
      ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && contains(area, io.MousePos);
  if (over && io.MouseWheel != 0) {
    first_line_ -= static_cast<double>(io.MouseWheel) * kLinesPerNotch;
  }
  if (most > 0) {
    const Pen pen = pen_of(frame.theme);
    const float width = pen.px(kGroovePx);
    const Rect groove{right_of(area) - width, area.y, width, area.height};
    const auto share = static_cast<float>(rows_on_screen / static_cast<double>(frame.line_count));
    const float height =
        std::min(std::max(groove.height * share, pen.px(kMinThumbPx)), groove.height);
    const float way = std::max(groove.height - height, 1.0f);
    const float thumb_y =
        groove.y + way * static_cast<float>(std::clamp(first_line_ / most, 0.0, 1.0));
    press_area("scroll", groove);
    if (ImGui::IsItemActive()) {
      const bool on_thumb = io.MousePos.y >= thumb_y && io.MousePos.y < thumb_y + height;
      if (!held_at_) held_at_ = on_thumb ? io.MousePos.y - thumb_y : height / 2;
      first_line_ = static_cast<double>((io.MousePos.y - *held_at_ - groove.y) / way) * most;
    } else {
      held_at_.reset();
    }
    first_line_ = std::clamp(first_line_, 0.0, most);
    const float y = groove.y + way * static_cast<float>(first_line_ / most);
    const float bar = pen.px(held_at_ ? 6 : 3), right = right_of(groove) - pen.px(2);
    pen.list.AddRectFilled({right - bar, y}, {right, y + height},
                           with_alpha(pen.colours.dim, held_at_ ? 200 : 110), bar / 2);
  }
  first_line_ = std::clamp(first_line_, 0.0, most);
}

void SearchView::draw_table(const SearchViewFrame& frame, const Rect& area,
                            SearchViewEvents& events) {
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("table", {std::max(area.width, 1.0f), std::max(area.height, 1.0f)}, false,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const Pen pen = pen_of(frame.theme);
  const float height = pen.px(kRowPx);
  const double rows_on_screen =
      std::max(1.0, std::floor(static_cast<double>(area.height / height)));
  follow_current(frame, rows_on_screen);
  scroll_by_input(frame, area, rows_on_screen);
  const auto first = static_cast<std::uint64_t>(first_line_);
  float y = area.y - std::round(static_cast<float>(first_line_ - std::floor(first_line_)) * height);
  for (std::uint64_t i = first; i < frame.line_count && y < bottom_of(area); ++i, y += height) {
    const Rect line{area.x, y, area.width, height};
    const Rect pressed{line.x, line.y, line.width - pen.px(kGroovePx), line.height};
    const Press press = press_area(static_cast<std::size_t>(i), pressed);
    draw_line(pen, line, frame.line(i), frame.current == i, press.hovered);
    if (press.clicked) events.clicked = i;
    if (press.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) events.zoomed = i;
    if (press.right_clicked) {
      menu_line_ = i;
      ImGui::OpenPopup("line menu");
    }
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pen.px(12), pen.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {pen.px(12), pen.px(7)});
  if (ImGui::BeginPopup("line menu")) {
    if (ImGui::MenuItem("Copy the name")) events.copied_name = menu_line_;
    if (ImGui::MenuItem("Copy this line")) events.copied_line = menu_line_;
    if (ImGui::MenuItem("Copy all lines")) events.copy_all = true;
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

SearchViewEvents SearchView::draw(const SearchViewFrame& frame) {
  SearchViewEvents events;
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  ImGui::PushID("search");
  const float bar = std::round(pen.px(kBarPx)), head = std::round(pen.px(kHeadPx));
  draw_bar(pen, frame, {area.x, area.y, area.width, bar}, events);
  if (frame.line_count == 0) {
    first_line_ = 0;
    draw_empty(pen, frame, {area.x, area.y + bar, area.width, std::max(area.height - bar, 0.0f)});
  } else {
    draw_head(pen, frame, {area.x, area.y + bar, area.width, head}, events);
    const float used = bar + head;
    draw_table(frame, {area.x, area.y + used, area.width, std::max(area.height - used, 1.0f)},
               events);
  }
  ImGui::PopID();
  return events;
}

}  // namespace cinderscope
