#include "render/views/panels/details_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/base/palette.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr float kGapPx = 8;
constexpr float kButtonPx = 20, kTotalPx = 74, kSharePx = 54, kCountPx = 62;
constexpr float kMinutesPx = 108;   // for totals of minutes and hours instead
constexpr float kLeastNamePx = 90;  // counts are left out before it gets narrower
constexpr std::string_view kFlameGraphIcon = "\uf06d";

void go_to(const SliceRef& slice, Actions& actions) {
  actions.push_back(SelectSlice{slice});
  actions.push_back(RevealSlice{slice});
}

std::string name_of(const Timeline& timeline, const SliceRef& slice) {
  if (block_of(timeline, slice) == nullptr) return "a call on disk";
  return std::string(display_label(timeline, slice_at(timeline, slice).name));
}

std::string flow_name(const Timeline& timeline, const FlowStep& end) {
  const std::string_view name = timeline.text(timeline.flows->flows[end.flow].name);
  return name.empty() ? "flow" : fmt::format("flow \"{}\"", name.substr(0, kMaxLabelBytes));
}

bool draw_flow(const DetailsFrame& frame, const Pen& pen, const FlowStep& end, std::size_t id,
               const Rect& row, Actions& actions) {
  const Timeline& timeline = frame.timeline;
  const Press press = lit_row(pen, id, row);
  const float y = middle_y(row), gap = pen.px(kGapPx);
  float x = row.x, right = right_of(row);
  draw_text(pen.list, pen.icons, x, y, pen.colours.dim,
            end.leads_here ? icon::kBack : icon::kForward);
  x += pen.px(20);
  const std::string distance = distance_text(end, timeline.axis);
  if (right - x > pen.px(kLeastNamePx) + text_width(pen.numbers, distance)) {
    draw_text(pen.list, pen.numbers, right, y, pen.colours.dim, distance, Align::right);
    right -= text_width(pen.numbers, distance) + gap;
  }
  const std::string name = name_of(timeline, end.slice);
  const std::string place = place_label(timeline, end.slice.track);
  // The name takes what it needs, if the thread keeps a third of the room.
  const float name_px = std::min(text_width(pen.words, drawable(name)) + 1, (right - x) * 0.66f);
  draw_short_name(pen.list, pen.words, x, y, name_px, pen.colours.text, name);
  x += name_px + gap;
  if (right - x > pen.px(40)) {
    draw_cut_text(pen.list, pen.words, x, y, right - x, pen.colours.dim, place);
  }
  if (press.hovered) {
    hint(pen, fmt::format("{} {} {} on {}, {}", flow_name(timeline, end),
                          end.leads_here ? "from" : "to", name, place, distance));
  }
  if (press.clicked) go_to(end.slice, actions);
  if (press.right_clicked) actions.push_back(CopyText{name});
  return press.hovered;
}

}  // namespace

bool draw_list_head(Column& column, std::string_view text, std::string_view copy_help) {
  const Pen& pen = column.pen();
  const Rect row = column.row(pen.px(24));
  const float room = row.width - (copy_help.empty() ? 0 : pen.px(28));
  draw_cut_text(pen.list, pen.words, row.x, middle_y(row), room, pen.colours.dim, text);
  if (copy_help.empty()) return false;
  const float width = std::min(text_width(pen.words, text), room);
  const Rect button{row.x + width + pen.px(6), row.y + pen.px(1), pen.px(22), pen.px(22)};
  ImGui::PushID(text.data(), text.data() + text.size());
  const bool clicked = icon_button(pen, "copy", button, {icon::kCopy, copy_help});
  ImGui::PopID();
  return clicked;
}

std::optional<std::uint32_t> draw_flow_list(const DetailsFrame& frame, Column& column,
                                            const SelectionFacts& facts, Actions& actions) {
  const Pen& pen = column.pen();
  std::optional<std::uint32_t> lit;
  if (facts.flows.empty() && facts.inner_flow_points == 0) return lit;
  const auto here = static_cast<std::size_t>(std::count_if(
      facts.flows.begin(), facts.flows.end(), [](const FlowStep& end) { return end.leads_here; }));
  draw_list_head(column, facts.flows.empty() ? std::string("Flows")
                                             : fmt::format("Flows: {} in, {} out", count_text(here),
                                                           count_text(facts.flows.size() - here)));
  ImGui::PushID("flows");
  column.rows(facts.flows.size(), pen.px(kListRowPx), [&](std::size_t i, const Rect& row) {
    if (draw_flow(frame, pen, facts.flows[i], i, row, actions)) lit = facts.flows[i].flow;
  });
  const Rect row = column.row(pen.px(kListRowPx));
  const Press press = lit_row(pen, "all", row);
  std::string all = "Measure all that is connected";
  if (facts.inner_flow_points > 0) {
    all += fmt::format(" ({} end{} inside)", count_text(facts.inner_flow_points),
                       facts.inner_flow_points == 1 ? "" : "s");
  }
  draw_cut_text(pen.list, pen.words, row.x, middle_y(row), row.width,
                press.hovered ? pen.colours.text : pen.colours.dim, all);
  if (press.clicked) {
    actions.push_back(RunCommand{"panel", "statistics"});
    actions.push_back(RunCommand{"scope", "connected"});
  }
  ImGui::PopID();
  column.gap(pen.px(kGapPx));
  return lit;
}

void draw_name_row(const Pen& pen, const Timeline& timeline, const NameRow& of, std::size_t id,
                   const Rect& row, Actions& actions) {
  ImGui::PushID(static_cast<int>(id));
  const float button_px = pen.px(kButtonPx), y = middle_y(row);
  const Rect button{right_of(row) - button_px, row.y, button_px, row.height};
  const Rect body{row.x, row.y, std::max(row.width - button_px - pen.px(2), 1.0f), row.height};
  const Press press = lit_row(pen, "row", body);
  const std::string_view name = display_label(timeline, of.name);
  float right = right_of(body) - pen.px(2);
  const auto number = [&](float width_px, const std::string& text, Rgba colour) {
    if (right - pen.px(width_px) - body.x < pen.px(kLeastNamePx)) return;
    draw_text(pen.list, pen.numbers, right, y, colour, text, Align::right);
    right -= std::max(pen.px(width_px), text_width(pen.numbers, text) + pen.px(kGapPx));
  };
  // The bar lies behind the numbers, so that names stay as they are.
  const float bar_px = std::min(pen.px(kTotalPx + kSharePx), body.width / 2);
  const auto share = static_cast<float>(std::clamp(of.share, 0.0, 1.0));
  fill(pen.list,
       {right - bar_px * share, row.y + pen.px(2), bar_px * share, row.height - pen.px(4)},
       with_alpha(pen.colours.dim, 38));
  const std::string total = duration_text(of.total_ns, timeline.axis);
  const std::string percent = fmt::format("{:.1f} %", 100 * of.share);
  const std::string count = fmt::format("{} ×", count_text(of.count));
  const bool in_minutes =
      timeline.axis == TimeAxis::nanoseconds && of.largest_ns >= std::int64_t{60'000'000'000};
  number(in_minutes ? kMinutesPx : kTotalPx, total, pen.colours.text);
  number(kSharePx, percent, pen.colours.dim);
  number(kCountPx, count, pen.colours.dim);
  const float room = std::max(right - body.x, 0.0f);
  draw_short_name(pen.list, pen.words, body.x, y, room, pen.colours.text, name);
  if (press.hovered && text_width(pen.words, drawable(name)) > room) {
    hint(pen, name);
  } else if (press.hovered) {
    hint(pen, "Click selects the longest call");
  }
  if (press.clicked) go_to(of.longest, actions);
  if (press.right_clicked) actions.push_back(CopyText{std::string(timeline.text(of.name))});
  if (icon_button(pen, "flame graph", button,
                  {kFlameGraphIcon, "Flame graph of this function: its callers and callees"})) {
    actions.push_back(
        RunCommand{"flame-graph", "function " + quoted_argument(display_name(timeline, of.name))});
  }
  ImGui::PopID();
}

void draw_children(const DetailsFrame& frame, Column& column, const SelectionFacts& facts,
                   Actions& actions) {
  if (!frame.counts_calls || facts.kind != SelectionFacts::Kind::slice) return;
  const Pen& pen = column.pen();
  const ChildTotals* children = frame.children;
  if (children == nullptr) {
    draw_list_head(column, "Calls: adding up…");
    return;
  }
  if (children->count == 0) {
    draw_list_head(column, children->on_disk ? "Calls: still on disk" : "Calls nothing");
    return;
  }
  std::string head = fmt::format("Calls: {}", count_text(children->count));
  if (children->count > children->names.size()) {
    head += fmt::format(", {} name{}", count_text(children->names.size()),
                        children->names.size() == 1 ? "" : "s");
  }
  if (children->on_disk) head += ", more still on disk";
  draw_list_head(column, head);
  const std::int64_t whole_ns = slice_at(frame.timeline, frame.state.selected).duration_ns;
  ImGui::PushID("calls");
  column.rows(children->names.size(), pen.px(kListRowPx), [&](std::size_t i, const Rect& row) {
    const ChildTotal& child = children->names[i];
    const double share =
        whole_ns <= 0 ? 0 : static_cast<double>(child.total_ns) / static_cast<double>(whole_ns);
    draw_name_row(pen, frame.timeline,
                  {child.name, child.count, child.total_ns, share, child.longest,
                   children->names.front().total_ns},
                  i, row, actions);
  });
  ImGui::PopID();
  column.gap(pen.px(kGapPx));
}

void draw_callers(const DetailsFrame& frame, Column& column, const SelectionFacts& facts,
                  Actions& actions) {
  const bool has_callers = callers_word(facts) == "Called by";
  if (facts.parents.empty() && (facts.kind != SelectionFacts::Kind::slice || !has_callers)) return;
  const Pen& pen = column.pen();
  if (facts.parents.empty()) {
    draw_list_head(column, "Called by nothing: it is outermost");
    return;
  }
  draw_list_head(column, facts.parents.size() > 1
                             ? std::string(callers_word(facts)) + ", the nearest first"
                             : std::string(callers_word(facts)));
  ImGui::PushID("callers");
  // All at one edge, with their depth before them: a list upwards, not a tree downwards.
  const std::size_t nearest = facts.depth > 0 ? facts.depth - 1 : facts.parents.size();
  const float depth_px = text_width(pen.numbers, count_text(nearest)) + pen.px(kGapPx);
  column.rows(facts.parents.size(), pen.px(kListRowPx), [&](std::size_t i, const Rect& row) {
    const ParentCall& parent = facts.parents[i];
    const Press press = lit_row(pen, i, row);
    const float y = middle_y(row), x = row.x + depth_px;
    if (i < nearest) {
      draw_text(pen.list, pen.numbers, x - pen.px(kGapPx), y, pen.colours.dim,
                count_text(nearest - i), Align::right);
    }
    const std::string duration = duration_text(parent.duration_ns, frame.timeline.axis);
    const float duration_px = text_width(pen.numbers, duration) + pen.px(kGapPx);
    draw_text(pen.list, pen.numbers, right_of(row) - pen.px(2), y, pen.colours.dim, duration,
              Align::right);
    draw_short_name(pen.list, pen.words, x, y, std::max(right_of(row) - x - duration_px, 0.0f),
                    pen.colours.text, parent.name);
    if (press.hovered) {
      whole_name_hint(pen, parent.name, right_of(row) - x - duration_px);
    }
    if (press.clicked) go_to(parent.slice, actions);
    if (press.right_clicked) actions.push_back(CopyText{parent.name});
  });
  ImGui::PopID();
  if (facts.more_parents > 0) {
    draw_list_head(column, fmt::format("and {} more", count_text(facts.more_parents)));
  }
  column.gap(pen.px(kGapPx));
}

}  // namespace cinderscope
