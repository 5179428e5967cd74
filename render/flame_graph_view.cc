#include "render/flame_graph_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ingest/query/search_query.h"
#include "render/choice_view.h"
#include "render/flame_graph_layout.h"
#include "render/flame_view.h"
#include "render/label.h"
#include "render/time_text.h"

namespace cinderscope {
namespace {

constexpr float kHeadPx = 36, kPadPx = 12;
constexpr float kBoxPx = 18, kLinePx = 19, kThinnestPx = 2;
constexpr std::string_view kAllCalls = "All calls";

// What is pointed at, or the menu is for.
struct Pointed {
  std::uint32_t total = 0;
  std::uint32_t folded = 0;
  std::size_t line = 0;
  bool of_callers = false;  // the total is one of FunctionTotals::callers
};

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "–";
  const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return percent >= 9.995 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.2f} %", percent);
}

std::string calls_text(std::uint64_t count) {
  return count_text(count) + (count == 1 ? " call" : " calls");
}

// Those that the graph has counted.
void list_calls(const FlameGraphFrame& frame, StringId name, Actions& actions) {
  actions.push_back(RunCommand{"search", search_text_for(frame.timeline.text(name))});
  actions.push_back(RunCommand{"panel", "search"});
  actions.push_back(RunCommand{"search-scope", frame.part == FlameGraphPart::trace   ? "trace"
                                               : frame.part == FlameGraphPart::range ? "range"
                                                                                     : "thread"});
}

}  // namespace

struct FlameGraphView::Impl {
  FlameGraphLayout layout;
  LabelCache labels;
  FlameGraphWay way = FlameGraphWay::callees;
  std::string function;
  std::optional<CallWeight> chosen_weight;
  CallWeight weight = CallWeight::time;  // that of the layout
  std::vector<StringId> zoom_path;  // names from the outermost to what is zoomed to; empty: all
  std::uint32_t zoomed = 0;
  // What the layout was made of.
  const CallTotals* totals = nullptr;
  const StringPool* strings = nullptr;
  std::uint64_t version = 0;
  float width_px = 0, scale = 0;
  const ImFont* font = nullptr;
  bool stale = true, back_to_top = false;

  std::optional<Pointed> pointed, menu_for, clicked;
  bool menu_open = false, menu_closes = false;

  void update(const FlameGraphFrame& frame, float width);
  void zoom_to(const CallTotals& of, std::uint32_t total);
  void go(FlameGraphWay to);
  void show_function(std::string name);
  CallWeight weight_for(const Timeline& timeline) const {
    // Without a clock lengths are numbers of events: calls say the same more plainly.
    const bool events = timeline.axis == TimeAxis::events;
    return chosen_weight.value_or(events ? CallWeight::calls : CallWeight::time);
  }
  // Whose totals the boxes of a line are.
  const CallTotals& totals_of(const FlameGraphFrame& frame, std::size_t line) const {
    return line < layout.caller_lines ? frame.function->callers : *frame.totals;
  }
  const CallTotal& total_at(const FlameGraphFrame& frame, const Pointed& at) const {
    const bool of_callers = at.of_callers && frame.function != nullptr;
    return (of_callers ? frame.function->callers : *frame.totals).totals[at.total];
  }
  static bool is_all(const FlameGraphFrame& frame, std::uint32_t total) {
    return total == 0 && frame.function == nullptr;
  }
  std::string weight_text(const FlameGraphFrame& frame, const CallTotal& total) const {
    return weight == CallWeight::calls ? count_text(total.all_calls)
                                       : duration_text(total.total_ns, frame.timeline.axis);
  }
  void draw_ways(const FlameGraphFrame& frame, const Pen& pen, float& x, float y);
  void draw_head(const FlameGraphFrame& frame, const Pen& pen, const Rect& head, Actions& actions);
  void draw_graph(const FlameGraphFrame& frame, const Rect& area, Actions& actions);
  void draw_line(const FlameGraphFrame& frame, const Pen& pen, std::size_t line, const Rect& row);
  void draw_label(const FlameGraphFrame& frame, const Pen& pen, const FlameBox& box,
                  const CallTotal& total, const Rect& rect, Rgba colour);
  void draw_tip(const FlameGraphFrame& frame, const Pen& pen, const Pointed& at) const;
  void draw_menu(const FlameGraphFrame& frame, const Pen& pen, Actions& actions);
  std::string label_at(const FlameGraphFrame& frame, const Pointed& at) const {
    if (is_all(frame, at.total)) return std::string(kAllCalls);
    return std::string(display_label(frame.timeline, total_at(frame, at).name));
  }
};

FlameGraphView::FlameGraphView() : impl_(std::make_unique<Impl>()) {}
FlameGraphView::~FlameGraphView() = default;

FlameGraphWay FlameGraphView::way() const {
  return impl_->way;
}

void FlameGraphView::set_way(FlameGraphWay way) {
  if (way == FlameGraphWay::function && impl_->function.empty()) return;
  impl_->go(way);
}

const std::string& FlameGraphView::function() const {
  return impl_->function;
}

void FlameGraphView::show_function(std::string name) {
  impl_->show_function(std::move(name));
}

CallWeight FlameGraphView::weight(const Timeline& timeline) const {
  return impl_->weight_for(timeline);
}

void FlameGraphView::set_weight(CallWeight weight) {
  impl_->chosen_weight = weight;
  impl_->stale = true;
}

void FlameGraphView::Impl::go(FlameGraphWay to) {
  if (way == to) return;
  way = to;
  zoom_path.clear();
  menu_for = clicked = std::nullopt;
  stale = back_to_top = true;
}

void FlameGraphView::Impl::show_function(std::string name) {
  if (way == FlameGraphWay::function && name == function) return;
  function = std::move(name);
  way = FlameGraphWay::callees;
  go(FlameGraphWay::function);
}

bool FlameGraphView::zoomed() const {
  return !impl_->zoom_path.empty();
}

std::uint32_t FlameGraphView::zoomed_total() const {
  return impl_->zoomed;
}

bool FlameGraphView::step_back() {
  if (impl_->menu_open) return impl_->menu_closes = true;
  if (!zoomed() && impl_->way == FlameGraphWay::function) {
    impl_->go(FlameGraphWay::callees);
    return true;
  }
  if (!zoomed()) return false;
  impl_->zoom_path.clear();
  impl_->stale = impl_->back_to_top = true;
  return true;
}

void FlameGraphView::Impl::zoom_to(const CallTotals& of, std::uint32_t total) {
  zoom_path.clear();
  for (; total != 0; total = of.totals[total].caller) zoom_path.push_back(of.totals[total].name);
  std::reverse(zoom_path.begin(), zoom_path.end());
  stale = back_to_top = true;
}

void FlameGraphView::Impl::update(const FlameGraphFrame& frame, float width) {
  if (strings != frame.timeline.strings.get() || scale != frame.theme.scale ||
      font != frame.theme.words) {
    labels.reset();
  }
  if (version != frame.version || totals != frame.totals) menu_for = clicked = std::nullopt;
  stale = stale || version != frame.version || totals != frame.totals || width_px != width ||
          scale != frame.theme.scale || weight != weight_for(frame.timeline);
  weight = weight_for(frame.timeline);
  strings = frame.timeline.strings.get();
  font = frame.theme.words;
  version = frame.version;
  totals = frame.totals;
  width_px = width;
  scale = frame.theme.scale;
  if (!stale) return;
  stale = false;
  // As far down the chain of names as there are calls of it.
  zoomed = 0;
  for (const StringId name : zoom_path) {
    const auto callees = totals->callees_of(zoomed);
    const auto found = std::find_if(callees.begin(), callees.end(), [&](std::uint32_t callee) {
      return totals->totals[callee].name == name;
    });
    if (found == callees.end()) break;
    zoomed = *found;
  }
  zoom_path.resize(std::min<std::size_t>(zoom_path.size(), totals->totals[zoomed].depth));
  const float thinnest_px = frame.theme.px(kThinnestPx);
  if (frame.function != nullptr && zoomed == 0) {
    lay_out_function(*frame.function, width, thinnest_px, weight, layout);
  } else {
    lay_out_flame_graph(*totals, zoomed, width, thinnest_px, weight, layout);
  }
}

void FlameGraphView::draw(const FlameGraphFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  fill(pen.list, area, pen.colours.panel);
  const Rect head{area.x, area.y, area.width, std::round(pen.px(kHeadPx))};
  const Rect below{area.x, bottom_of(head), area.width, std::max(area.height - head.height, 0.0f)};
  ImGui::PushID("flame graph");
  impl_->draw_head(frame, pen, head, actions);
  const auto say = [&](std::string_view text) {
    draw_cut_text(pen.list, pen.words, below.x + pen.px(kPadPx), below.y + pen.px(14),
                  below.width - 2 * pen.px(kPadPx), pen.colours.dim, text);
  };
  if (frame.totals == nullptr) {
    say("Calls are being added up…");
  } else if (frame.totals->empty() &&
             (frame.function == nullptr || frame.totals->totals.front().count == 0)) {
    say("There are no calls in what is measured.");
  } else if (below.height >= 1) {
    impl_->draw_graph(frame, below, actions);
  }
  ImGui::PopID();
}

void FlameGraphView::Impl::draw_head(const FlameGraphFrame& frame, const Pen& pen, const Rect& head,
                                     Actions& actions) {
  const float y = middle_y(head);
  const std::array parts = {
      Choice{"Whole trace", "Add up all calls of the trace"},
      Choice{"Selected range", "Add up the calls of the selected range (Shift+drag selects one)",
             frame.has_range},
      Choice{"Thread", "Add up the calls of the selected call's thread", frame.has_thread}};
  constexpr std::array kNames = {"trace", "range", "thread"};
  float x = head.x + pen.px(kPadPx);
  const auto part = static_cast<std::size_t>(frame.part);
  const auto asked = draw_choices(pen, "part", x, y, parts, part);
  if (asked && *asked != part) actions.push_back(RunCommand{"scope", kNames.at(*asked)});
  x += choices_width(pen, parts) + pen.px(12);
  draw_ways(frame, pen, x, y);
  const float right = right_of(head) - pen.px(kPadPx);
  std::string text;
  if (frame.totals != nullptr && !frame.totals->empty()) {
    const CallTotal& all = frame.totals->totals.front();
    text = fmt::format("{}  {}{}", calls_text(all.count),
                       duration_text(all.total_ns, frame.timeline.axis),
                       frame.timeline.axis == TimeAxis::events ? " events" : "");
  }
  const float text_px = text_width(pen.numbers, text);
  if (right - text_px >= x) {
    draw_text(pen.list, pen.numbers, right, y, frame.counting ? pen.colours.dim : pen.colours.text,
              text, Align::right);
  }
  const float room = right - text_px - pen.px(14) - x;
  std::string said(frame.measured);
  const auto add = [&said](std::string_view more) {
    if (!said.empty() && !more.empty()) said += " · ";
    said += more;
  };
  if (frame.totals != nullptr && frame.totals->left_out > 0) {
    add(calls_text(frame.totals->left_out) + " of too many chains count as self time");
  }
  add(frame.note);
  if (room > pen.px(40)) draw_cut_text(pen.list, pen.words, x, y, room, pen.colours.dim, said);
}

void FlameGraphView::Impl::draw_ways(const FlameGraphFrame& frame, const Pen& pen, float& x,
                                     float y) {
  const std::array ways = {
      Choice{"Callees", "Outermost calls first, below each what it called"},
      Choice{"Callers", "Names first, below each what called it"},
      Choice{"Function",
             "One function: what called it above, what it called below (choose one by a "
             "right click)",
             !function.empty()}};
  const auto chosen = static_cast<std::size_t>(way);
  if (const auto asked = draw_choices(pen, "way", x, y, ways, chosen); asked && *asked != chosen) {
    go(static_cast<FlameGraphWay>(*asked));
  }
  x += choices_width(pen, ways) + pen.px(12);
  const bool events = frame.timeline.axis == TimeAxis::events;
  const std::array weights = {
      Choice{events ? "Events" : "Time", events ? "Widths are by events" : "Widths are by time"},
      Choice{"Calls", "Widths are by the number of calls, with those inside"}};
  const auto weighed = static_cast<std::size_t>(weight_for(frame.timeline));
  const auto asked = draw_choices(pen, "weight", x, y, weights, weighed);
  if (asked && *asked != weighed) chosen_weight = static_cast<CallWeight>(*asked);
  x += choices_width(pen, weights) + pen.px(14);
}

void FlameGraphView::Impl::draw_graph(const FlameGraphFrame& frame, const Rect& area,
                                      Actions& actions) {
  Column column(frame.theme, "graph", area, frame.theme.px(kPadPx));
  const Pen& pen = column.pen();
  const Rect top = column.row(0);
  update(frame, top.width);
  const float line_px = std::round(pen.px(kLinePx));
  if (std::exchange(back_to_top, false)) {
    // A function stands in the middle where there is more above it.
    const float above = static_cast<float>(layout.caller_lines) * line_px - area.height / 2;
    ImGui::SetScrollY(std::max(above, 0.0F));
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  // Boxes light up under the pointer, so what it is over comes first.
  const ImVec2 from = pen.list.GetClipRectMin(), to = pen.list.GetClipRectMax();
  const Press press = press_area("boxes", {top.x, from.y, top.width, to.y - from.y});
  ImGui::SetItemAllowOverlap();
  pointed.reset();
  if (press.hovered && mouse.y >= top.y) {
    const auto line = static_cast<std::size_t>((mouse.y - top.y) / line_px);
    if (const FlameBox* box = flame_box_at(layout, line, mouse.x - top.x)) {
      pointed = {box->total, box->folded, line, line < layout.caller_lines};
    }
  }
  column.rows(layout.lines.size(), line_px,
              [&](std::size_t line, const Rect& row) { draw_line(frame, pen, line, row); });
  column.gap(pen.px(6));
  if (pointed && !menu_open) draw_tip(frame, pen, *pointed);
  if (press.right_clicked && pointed) {
    menu_for = pointed;
    ImGui::OpenPopup("calls");
  }
  draw_menu(frame, pen, actions);
  if (press.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && clicked) {
    // The first click may have zoomed: what it was on counts.
    if (!is_all(frame, clicked->total) && clicked->folded == 0) {
      list_calls(frame, total_at(frame, *clicked).name, actions);
    }
    clicked.reset();
  } else if (press.clicked && pointed) {
    clicked = pointed;
    const bool folded_callees = pointed->folded > 0 && pointed->line > layout.zoomed_line;
    const CallTotals& all = *frame.totals;
    if (!pointed->of_callers) {
      zoom_to(all, folded_callees ? all.totals[pointed->total].caller : pointed->total);
    } else if (pointed->folded == 0) {
      show_function(std::string(frame.timeline.text(total_at(frame, *pointed).name)));
    }
  }
}

void FlameGraphView::Impl::draw_line(const FlameGraphFrame& frame, const Pen& pen, std::size_t line,
                                     const Rect& row) {
  const Palette& palette = palette_of(frame.theme.kind, frame.theme.colour_blind);
  const FlameLine& boxes = layout.lines[line];
  const bool caller = line < layout.zoomed_line && line >= layout.caller_lines;
  const float height = std::round(pen.px(kBoxPx));
  const bool points = pointed && !is_all(frame, pointed->total) && pointed->folded == 0;
  const StringId pointed_name = points ? total_at(frame, *pointed).name : kNoName;
  for (std::size_t i = 0; i < boxes.box_count; ++i) {
    const FlameBox& box = layout.boxes[boxes.first_box + i];
    const float x0 = std::round(row.x + box.x_px);
    const float x1 = std::max(std::round(row.x + box.x_px + box.width_px) - 1, x0 + 1);
    const Rect rect{x0, row.y, x1 - x0, height};
    const CallTotal& total = totals_of(frame, line).totals[box.total];
    const bool hovered = pointed && pointed->line == line && pointed->total == box.total;
    const bool all = is_all(frame, box.total);
    const std::uint32_t hash = frame.timeline.strings->hash(total.name);
    Rgba colour = hovered ? palette.hovered(hash) : palette.box(hash);
    Rgba text = pen.colours.on_box;
    if (all) {
      colour = hovered ? with_alpha(pen.colours.dim, 110) : with_alpha(pen.colours.dim, 60);
      text = pen.colours.text;
    } else if (box.folded > 0) {
      colour = with_alpha(pen.colours.dim, hovered ? 150 : 90);
      text = pen.colours.text;
    } else if (caller) {
      colour = with_alpha(colour, hovered ? 150 : 95);
      text = pen.colours.text;
    } else if (frame.found != nullptr && !(*frame.found)(total.name)) {
      colour = with_alpha(colour, hovered ? 120 : 60);
      text = pen.colours.dim;
    }
    fill(pen.list, rect, colour);
    const bool same_name = box.folded == 0 && !all && total.name == pointed_name;
    if (same_name) {
      pen.list.AddRect({rect.x + 0.5f, rect.y + 0.5f},
                       {right_of(rect) - 0.5f, bottom_of(rect) - 0.5f},
                       with_alpha(pen.colours.text, 150));
    }
    if (rect.width >= pen.px(24)) draw_label(frame, pen, box, total, rect, text);
  }
}

void FlameGraphView::Impl::draw_label(const FlameGraphFrame& frame, const Pen& pen,
                                      const FlameBox& box, const CallTotal& total, const Rect& rect,
                                      Rgba colour) {
  const float left = rect.x + pen.px(5), right = right_of(rect) - pen.px(4), y = middle_y(rect);
  const std::string time = weight_text(frame, total);
  const auto draw_time = [&](float x) {
    if (text_width(pen.numbers, time) > right - x) return;
    draw_text(pen.list, pen.numbers, x, y, with_alpha(colour, 158), time);
  };
  if (&total == &frame.totals->totals.front() && frame.function == nullptr) {
    const float width = draw_text(pen.list, pen.words, left, y, colour, kAllCalls);
    return draw_time(left + width + pen.px(12));
  }
  if (box.folded > 0) {
    const bool callers = box.x_px == 0 && box.width_px >= width_px;
    const std::string text =
        fmt::format("{} {}", count_text(box.folded), callers ? "callers" : "more");
    if (text_width(pen.words, text) > right - left) return;
    draw_text(pen.list, pen.words, left, y, colour, text);
    return;
  }
  const LabelCache::Label& label = labels.of(frame.timeline, total.name, pen.words);
  if (label.width_px <= right - left) {
    draw_text(pen.list, pen.words, left, y, colour, label.text);
    return draw_time(left + label.width_px + pen.px(12));
  }
  const FitBytes fit = [&pen](std::string_view text, double room_px) {
    return text_fit(pen.words, text, static_cast<float>(room_px));
  };
  const std::string_view ellipsis = ellipsis_of(pen.words);
  const ShortLabel cut = shortened(label.text, label.telling, ellipsis,
                                   static_cast<double>(text_width(pen.words, ellipsis)),
                                   static_cast<double>(right - left), fit);
  float x = left;
  x += draw_text(pen.list, pen.words, x, y, colour, cut.lead);
  x += draw_text(pen.list, pen.words, x, y, colour, cut.part);
  draw_text(pen.list, pen.words, x, y, colour, cut.tail);
}

void FlameGraphView::Impl::draw_tip(const FlameGraphFrame& frame, const Pen& pen,
                                    const Pointed& at) const {
  const TimeAxis axis = frame.timeline.axis;
  const CallTotal& all = frame.totals->totals.front();
  const CallTotal& total = total_at(frame, at);
  if (at.folded > 0) {
    return hint(pen, at.line < layout.zoomed_line && !at.of_callers
                         ? count_text(at.folded) +
                               " callers further out; a click zooms to the innermost of them"
                         : fmt::format("{} names too thin to draw; a click zooms to their caller",
                                       count_text(at.folded)));
  }
  std::vector<std::pair<std::string_view, std::string>> lines;
  const std::string time = duration_text(total.total_ns, axis);
  const bool is_whole = is_all(frame, at.total);
  if (way == FlameGraphWay::callers) {
    lines.emplace_back(total.depth <= 1 ? "self" : "of that self", time);
  } else if (at.of_callers) {
    lines.emplace_back("of its total", time);
  } else {
    lines.emplace_back("total", time);
    if (!is_whole) lines.emplace_back("self", duration_text(total.self_ns, axis));
  }
  lines.emplace_back(at.of_callers ? "of its calls" : "calls", count_text(total.count));
  if (total.all_calls != total.count) {
    lines.emplace_back("with those inside", count_text(total.all_calls));
  }
  if (!is_whole) {
    lines.emplace_back("share", share_text(total.weight(weight), all.weight(weight)));
  }
  lines.emplace_back("longest", duration_text(total.longest_ns, axis));
  float widest = 0;
  for (const auto& [name, number] : lines) widest = std::max(widest, text_width(pen.words, name));
  const std::string title = drawable(label_at(frame, at));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pen.px(12), pen.px(9)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {pen.px(8), pen.px(4)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, pen.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_PopupBg, pen.colours.raised);
  ImGui::PushStyleColor(ImGuiCol_Border, pen.colours.line);
  ImGui::BeginTooltip();
  ImGui::PushFont(pen.theme.heads);
  ImGui::PushTextWrapPos(pen.px(460));
  ImGui::PushStyleColor(ImGuiCol_Text, pen.colours.text);
  ImGui::TextUnformatted(title.data(), title.data() + title.size());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  for (const auto& [name, number] : lines) {
    ImGui::PushFont(pen.theme.words);
    ImGui::PushStyleColor(ImGuiCol_Text, pen.colours.dim);
    ImGui::TextUnformatted(name.data(), name.data() + name.size());
    ImGui::PopStyleColor();
    ImGui::PopFont();
    ImGui::SameLine(pen.px(12) + widest + pen.px(14));
    ImGui::PushFont(pen.theme.numbers);
    ImGui::PushStyleColor(ImGuiCol_Text, pen.colours.text);
    ImGui::TextUnformatted(number.data(), number.data() + number.size());
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }
  ImGui::EndTooltip();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(4);
}

void FlameGraphView::Impl::draw_menu(const FlameGraphFrame& frame, const Pen& pen,
                                     Actions& actions) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pen.px(12), pen.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {pen.px(12), pen.px(7)});
  menu_open = ImGui::BeginPopup("calls");
  const bool closes = std::exchange(menu_closes, false);
  if (menu_open) {
    if (closes || !menu_for) ImGui::CloseCurrentPopup();
    if (menu_for) {
      const CallTotal& total = total_at(frame, *menu_for);
      const bool one = !is_all(frame, menu_for->total) && menu_for->folded == 0;
      const bool below = !menu_for->of_callers;
      if (ImGui::MenuItem("Zoom to these calls", nullptr, false, one && below)) {
        zoom_to(*frame.totals, menu_for->total);
      }
      if (ImGui::MenuItem("Whole graph", "Escape", false, !zoom_path.empty())) {
        zoom_path.clear();
        stale = back_to_top = true;
      }
      const bool other =
          way != FlameGraphWay::function || total.name != frame.totals->totals[0].name;
      if (ImGui::MenuItem("Callers and callees of this function", nullptr, false, one && other)) {
        show_function(std::string(frame.timeline.text(total.name)));
      }
      ImGui::Separator();
      const bool there = one && block_of(frame.timeline, total.longest) != nullptr;
      if (ImGui::MenuItem("Select the longest call", nullptr, false, there)) {
        actions.push_back(RevealSlice{total.longest});
      }
      if (ImGui::MenuItem("Find all calls of this name", nullptr, false, one)) {
        list_calls(frame, total.name, actions);
      }
      if (ImGui::MenuItem("Copy the name", nullptr, false, one)) {
        actions.push_back(CopyText{std::string(display_name(frame.timeline, total.name))});
      }
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace cinderscope
