#include "render/views/compare/flame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ingest/compare/comparison.h"
#include "render/tables/change_text.h"
#include "render/text/label.h"
#include "render/text/time_text.h"
#include "render/views/widgets/choice.h"

namespace cinderscope {

namespace {

constexpr float kPadPx = 12, kHeadPx = 36, kStepPx = 19, kBoxPx = 18, kThinnestPx = 1;
constexpr float kEdgePx = 3, kNamedFromPx = 24, kEdgeFromPx = 0.5F;

struct WidthChoice {
  TreeWidth width;
  std::string_view label, word, help;
};
constexpr std::array<WidthChoice, 3> kWidths = {{
    {TreeWidth::mean, "A and B", "mean", "Boxes are as wide as the mean of A and B"},
    {TreeWidth::a, "A", "a", "Boxes are as wide as A takes; what is new has none"},
    {TreeWidth::b, "B", "b", "Boxes are as wide as B takes; what is gone has none"},
}};

ValueUnit unit_of(const ComparedFlameFrame& frame) {
  return {.axis = frame.axis, .is_count = frame.weight == CallWeight::calls};
}

std::string label_of(const ComparedFlameFrame& frame, std::uint32_t node) {
  if (node == 0 && frame.direction != ComparedDirection::function) return "All calls";
  const std::uint32_t name = frame.tree->nodes[node].name;
  if (frame.labels == nullptr || name >= frame.labels->size()) return "All calls";
  const std::string& label = (*frame.labels)[name];
  return label.empty() ? "(no name)" : label;
}

std::string change_of(const ComparedFlameFrame& frame, std::uint32_t node) {
  const ComparedTree& tree = *frame.tree;
  if (tree.added(node)) return "new";
  if (tree.gone(node)) return "gone";
  const double a = frame.by_self ? tree.self(node, side_a, frame.weight)
                                 : tree.weight(node, side_a, frame.weight);
  const double b = frame.by_self ? tree.self(node, side_b, frame.weight)
                                 : tree.weight(node, side_b, frame.weight);
  if (a == 0) return b == 0 ? "" : "new";
  return change_text(b / a - 1);
}

}  // namespace

void ComparedFlameView::update(const ComparedFlameFrame& frame, float width_px) {
  Key key{frame.tree,  frame.version, width_px,  frame.theme.scale,
          frame.width, frame.weight,  zoom_path_};
  if (key_ == key) return;
  const std::uint32_t zoomed = node_of_path(*frame.tree, zoom_path_);
  if (zoomed == 0) zoom_path_.clear();
  key.zoom = zoom_path_;
  key_ = std::move(key);
  lay_out_compared_flame(*frame.tree, zoomed, width_px, frame.theme.px(kThinnestPx), frame.width,
                         frame.weight, layout_);
  boxes_ = 0;
  for (const auto& line : layout_.lines) boxes_ += line.size();
}

bool ComparedFlameView::step_back() {
  if (zoom_path_.empty()) return false;
  zoom_path_.clear();
  return true;
}

void ComparedFlameView::draw_head(const ComparedFlameFrame& frame, const Pen& pen, const Rect& head,
                                  Actions& actions) {
  const float y = middle_y(head);
  float x = head.x;
  const bool can_function = !frame.function.empty();
  const std::array<Choice, 3> directions = {
      Choice{"Callees", "Top-down: outermost calls, then what they call"},
      Choice{"Callers", "Bottom-up: each name, then its callers"},
      Choice{"Function",
             can_function ? "The callees of the selected name, whoever called it"
                          : "Select a name first",
             can_function}};
  if (const auto asked = draw_choices(pen, "direction", x, y, directions,
                                      static_cast<std::size_t>(frame.direction))) {
    const std::array<std::string, 3> words = {"callees", "callers",
                                              "function " + quoted_argument(frame.function)};
    run_command(actions, "flame-graph", words.at(*asked));
  }
  x += choices_width(pen, directions) + pen.px(8);
  const float end = right_of(head);

  // From the right the legend; it gives way to what can be chosen.
  const ChangeColours& colours = change_colours(frame.theme.kind);
  const float less_px = text_width(pen.words, "less"), more_px = text_width(pen.words, "more");
  const float cell = pen.px(14), legend_px = less_px + more_px + 7 * cell + pen.px(12);

  const auto choose = [&](const char* id, std::span<const Choice> choices, std::size_t chosen) {
    const float width = choices_width(pen, choices);
    if (x + width > end) return std::optional<std::size_t>();
    const auto asked = draw_choices(pen, id, x, y, choices, chosen);
    x += width + pen.px(8);
    return asked;
  };
  std::vector<Choice> widths;
  for (const WidthChoice& width : kWidths) widths.push_back({width.label, width.help});
  if (const auto asked = choose("width", widths, static_cast<std::size_t>(frame.width))) {
    run_command(actions, "flame-width", std::string(kWidths.at(*asked).word));
  }
  const std::array<Choice, 2> weights = {Choice{"Time", "Widths are time", !frame.only_calls},
                                         Choice{"Calls", "Widths are numbers of calls"}};
  if (const auto asked = choose("weight", weights, frame.weight == CallWeight::calls ? 1 : 0)) {
    run_command(actions, "flame-graph", *asked == 0 ? "time" : "calls");
  }
  const std::array<Choice, 2> fills = {
      Choice{"All", "Coloured by the change of a box with all inside it"},
      Choice{"Self", "Coloured by the change of a box alone, to find causes"}};
  if (const auto asked = choose("fill", fills, frame.by_self ? 1 : 0)) {
    run_command(actions, "flame-by-self", *asked == 1 ? "on" : "off");
  }
  if (x + legend_px > end) return;
  float at = end - legend_px;
  at += draw_text(pen.list, pen.words, at, y, pen.colours.dim, "less") + pen.px(6);
  for (int step = -3; step <= 3; ++step, at += cell) {
    fill(pen.list, {at, std::round(y - pen.px(5)), cell, pen.px(10)}, colours.fill(step));
  }
  draw_text(pen.list, pen.words, at + pen.px(6), y, pen.colours.dim, "more");
}

void ComparedFlameView::draw_box(const ComparedFlameFrame& frame, const Pen& pen,
                                 const ComparedBox& box, const Rect& rect, bool is_caller) {
  const ComparedTree& tree = *frame.tree;
  const ChangeColours& colours = change_colours(frame.theme.kind);
  const bool hovered = pointed_ && pointed_->node == box.node && pointed_->folded == box.folded;
  if (box.folded > 0) {
    fill(pen.list, rect, with_alpha(pen.colours.dim, hovered ? 130 : 70));
    const std::string text = fmt::format("{} more", count_text(box.folded));
    if (text_width(pen.words, text) + pen.px(8) < rect.width) {
      draw_text(pen.list, pen.words, rect.x + pen.px(5), middle_y(rect), pen.colours.text, text);
    }
    return;
  }
  const bool all = box.node == 0;
  const int step = all ? 0 : tree.step(box.node, frame.weight, frame.by_self, frame.min);
  const bool added = !all && tree.added(box.node), gone = !all && tree.gone(box.node);
  const std::uint32_t name = tree.nodes[box.node].name;
  const bool dimmed = !all && frame.found != nullptr && !(*frame.found)(name);
  const std::uint32_t alpha = dimmed ? 70 : is_caller ? 150 : 255;
  fill(pen.list, rect, with_alpha(colours.fill(step), alpha));
  if (hovered) fill(pen.list, rect, with_alpha(pen.colours.text, 28));
  if (gone && !dimmed) {
    const bool dark = frame.theme.kind == ThemeKind::dark;
    hatch(pen.list, rect, pen.px(6), pen.px(2), dark ? rgb(0x111317, 140) : rgb(0xffffff, 204));
  }
  // The strip is as long as half of the difference, to the scale of all widths.
  const double a = tree.weight(box.node, side_a, frame.weight);
  const double b = tree.weight(box.node, side_b, frame.weight);
  auto strip_px = static_cast<float>(std::abs(b - a) / 2 * layout_.px_per_weight);
  if (added) strip_px = rect.width;
  strip_px = std::min(strip_px, rect.width);
  const bool below = std::max(a, b) < frame.min;
  if (!all && !gone && !dimmed && !below && strip_px >= std::max(kEdgeFromPx, 1.0F)) {
    const float x = b > a ? right_of(rect) - strip_px : rect.x;
    fill(pen.list, {x, bottom_of(rect) - pen.px(kEdgePx), strip_px, pen.px(kEdgePx)},
         colours.edge(b > a));
  }
  if (frame.selected && !all && name == *frame.selected && rect.width >= 3) {
    const float line = rect.width > pen.px(40) ? pen.px(2) : 1;
    pen.list.AddRect({rect.x + line / 2, rect.y + line / 2},
                     {right_of(rect) - line / 2, bottom_of(rect) - line / 2}, pen.colours.accent, 0,
                     0, line);
  }
  if (rect.width < pen.px(kNamedFromPx)) return;
  const float left = rect.x + pen.px(5), right = right_of(rect) - pen.px(4), y = middle_y(rect);
  const Rgba text = dimmed ? pen.colours.dim : colours.on_fill;
  const std::string label = label_of(frame, box.node);
  const float label_px = text_width(pen.words, label);
  if (label_px > right - left) {
    return draw_short_name(pen.list, pen.words, left, y, right - left, text, label);
  }
  draw_text(pen.list, pen.words, left, y, text, drawable(label));
  const ValueUnit unit = unit_of(frame);
  const std::string change =
      all ? value_text(a, unit) + " → " + value_text(b, unit) : change_of(frame, box.node);
  const float change_x = left + label_px + pen.px(10);
  if (change_x + text_width(pen.numbers, change) > right) return;
  draw_text(pen.list, pen.numbers, change_x, y, with_alpha(text, 190), change);
}

void ComparedFlameView::draw_line(const ComparedFlameFrame& frame, const Pen& pen, std::size_t line,
                                  const Rect& row) {
  for (const ComparedBox& box : layout_.lines[line]) {
    const float x0 = std::round(row.x + box.x_px);
    const float x1 = std::max(std::round(row.x + box.x_px + box.width_px) - 1, x0 + 1);
    draw_box(frame, pen, box, {x0, row.y, x1 - x0, std::round(pen.px(kBoxPx))},
             line < layout_.zoomed_line);
  }
}

void ComparedFlameView::draw_tip(const ComparedFlameFrame& frame, const Pen& pen,
                                 const ComparedBox& box) const {
  if (box.folded > 0) {
    return hint(
        pen, fmt::format("{} boxes that are too thin to be drawn apart", count_text(box.folded)));
  }
  const ComparedTree& tree = *frame.tree;
  const ComparedNode& node = tree.nodes[box.node];
  const ValueUnit unit = unit_of(frame);
  const double a = tree.weight(box.node, side_a, frame.weight);
  const double b = tree.weight(box.node, side_b, frame.weight);
  std::string text = drawable(label_of(frame, box.node));
  text += fmt::format("\nA {}   B {}   {}", value_text(a, unit), value_text(b, unit),
                      difference_text(b - a, unit));
  if (a > 0 && b > 0) text += "   " + change_text(b / a - 1);
  const double self_a = tree.self(box.node, side_a, frame.weight),
               self_b = tree.self(box.node, side_b, frame.weight);
  text += fmt::format("\nself: A {}   B {}   {}", value_text(self_a, unit),
                      value_text(self_b, unit), difference_text(self_b - self_a, unit));
  text += fmt::format("\ncalls: A {}   B {}", count_text(node.of[side_a].count),
                      count_text(node.of[side_b].count));
  const double whole = tree.weight(0, side_b, frame.weight) - tree.weight(0, side_a, frame.weight);
  if (whole != 0 && box.node != 0) {
    text += fmt::format("\n{:.1f} % of the whole difference", (b - a) / whole * 100);
  }
  hint(pen, text);
}

void ComparedFlameView::click(const ComparedFlameFrame& frame, const ComparedBox& box,
                              Actions& actions) {
  const ComparedTree& tree = *frame.tree;
  if (box.folded > 0) return;
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return;
  zoom_path_ = path_of_node(tree, box.node);
  if (box.node != 0 && frame.labels != nullptr) {
    run_command(actions, "compare-select", "#" + std::to_string(tree.nodes[box.node].name));
  }
}

void ComparedFlameView::draw(const ComparedFlameFrame& frame, Actions& actions) {
  const Pen pen = pen_of(frame.theme);
  fill(pen.list, frame.area, pen.colours.panel);
  ImGui::PushID("compared flame");
  const float pad = pen.px(kPadPx);
  const Rect head{frame.area.x + pad, frame.area.y, std::max(frame.area.width - 2 * pad, 1.0F),
                  std::round(pen.px(kHeadPx))};
  draw_head(frame, pen, head, actions);
  const Rect graph{head.x, bottom_of(head), head.width,
                   std::max(bottom_of(frame.area) - bottom_of(head), 0.0F)};
  if (frame.tree == nullptr || frame.tree->nodes.size() < 2) {
    const std::string_view empty = frame.note.empty() ? "No calls here" : frame.note;
    const std::string_view note = frame.working ? "Adding up the calls" : empty;
    draw_text(pen.list, pen.words, graph.x, graph.y + pen.px(10), pen.colours.dim, note);
    ImGui::PopID();
    return;
  }
  update(frame, graph.width);
  draw_graph(frame, pen, graph, actions);
  ImGui::PopID();
}

void ComparedFlameView::draw_graph(const ComparedFlameFrame& frame, const Pen& pen,
                                   const Rect& graph, Actions& actions) {
  const float pad = pen.px(kPadPx);
  Column column(frame.theme, "graph", {graph.x - pad, graph.y, graph.width + 2 * pad, graph.height},
                pad);
  pointed_.reset();
  std::optional<ComparedBox> pressed, double_pressed;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Rect all = column.row(pen.px(kStepPx) * static_cast<float>(layout_.lines.size()));
  const float step = pen.px(kStepPx);
  const Press press = press_area("boxes", all);
  if (press.hovered && mouse.y >= graph.y) {
    const auto line = static_cast<std::size_t>(std::max((mouse.y - all.y) / step, 0.0F));
    if (line < layout_.lines.size()) {
      for (const ComparedBox& box : layout_.lines[line]) {
        if (mouse.x >= all.x + box.x_px && mouse.x < all.x + box.x_px + box.width_px) {
          pointed_ = box;
        }
      }
    }
  }
  const bool doubled = press.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  // The second press of a double click comes when the first has zoomed to what it hit.
  if (doubled && pointed_) double_pressed = pointed_;
  if (press.clicked && pointed_) pressed = pointed_;
  for (std::size_t line = 0; line < layout_.lines.size(); ++line) {
    const float y = std::round(all.y + step * static_cast<float>(line));
    if (y + step < graph.y || y > bottom_of(graph)) continue;
    draw_line(frame, column.pen(), line, {all.x, y, all.width, step});
  }
  if (!frame.note.empty()) {
    const Rect row = column.row(pen.px(24));
    draw_cut_text(pen.list, pen.words, row.x, middle_y(row), row.width, pen.colours.dim,
                  frame.note);
  }
  if (pointed_) draw_tip(frame, pen, *pointed_);
  if (double_pressed && double_pressed->node != 0) {
    const ComparedNode& node = frame.tree->nodes[double_pressed->node];
    const bool in_b = node.of[side_b].count > 0;
    const SliceRef& call = node.of[in_b ? side_b : side_a].longest;
    if (call) {
      actions.push_back(ActOnLane{in_b, true});
      actions.push_back(RevealSlice{call});
    }
  } else if (pressed) {
    click(frame, *pressed, actions);
  }
}

}  // namespace cinderscope
