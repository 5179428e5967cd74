#include "render/views/panels/flame_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/views/panels/flame_graph_impl.h"

namespace cinderscope {
namespace {

constexpr float kHeadPx = 36;
constexpr float kLinePx = 19, kThinnestPx = 2;

}  // namespace

FlameGraphView::FlameGraphView() : impl_(std::make_unique<Impl>()) {}
FlameGraphView::~FlameGraphView() = default;

FlameGraphDirection FlameGraphView::direction() const {
  return impl_->direction;
}

void FlameGraphView::set_direction(FlameGraphDirection direction) {
  if (direction == FlameGraphDirection::sandwich && impl_->function.empty()) return;
  impl_->go(direction);
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

void FlameGraphView::Impl::go(FlameGraphDirection to) {
  if (direction == to) return;
  direction = to;
  zoom_path.clear();
  menu_for.reset();
  stale = back_to_top = true;
}

void FlameGraphView::Impl::show_function(std::string name) {
  if (direction == FlameGraphDirection::sandwich && name == function) return;
  function = std::move(name);
  direction = FlameGraphDirection::top_down;
  go(FlameGraphDirection::sandwich);
}

void FlameGraphView::zoom_to(std::vector<std::string> names) {
  impl_->wanted_zoom = std::move(names);
  impl_->stale = true;
}

const std::vector<std::string>& FlameGraphView::wanted_zoom() const {
  return impl_->wanted_zoom;
}

bool FlameGraphView::zoomed() const {
  return !impl_->zoom_path.empty();
}

std::uint32_t FlameGraphView::zoomed_total() const {
  return impl_->zoomed;
}

bool FlameGraphView::step_back() {
  if (impl_->menu_open) return impl_->menu_closes = true;
  if (!zoomed() && impl_->direction == FlameGraphDirection::sandwich) {
    impl_->go(FlameGraphDirection::top_down);
    return true;
  }
  if (!zoomed()) return false;
  impl_->zoom_path.clear();
  impl_->stale = impl_->back_to_top = true;
  return true;
}

void FlameGraphView::Impl::zoom_to(const AggregatedCallTree& of, std::uint32_t total) {
  zoom_path.clear();
  for (; total != 0; total = of.nodes[total].caller) zoom_path.push_back(of.nodes[total].name);
  std::reverse(zoom_path.begin(), zoom_path.end());
  stale = back_to_top = true;
}

// A notch goes to the next box towards the pointer that is clearly narrower, or back out to one
// that is clearly wider: a chain of calls of nearly the same length would take many.
void FlameGraphView::Impl::zoom_by_wheel(const FlameGraphFrame& frame) {
  constexpr double kStep = 0.8;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0 || io.KeyCtrl != frame.wheel_scrolls || io.KeyShift) return;
  const AggregatedCallTree& all = *frame.totals;
  const auto weight_at = [&](std::uint32_t node) {
    return static_cast<double>(all.nodes[node].weight(weight));
  };
  if (io.MouseWheel < 0) {
    std::uint32_t to = zoomed;
    while (to != 0 && weight_at(to) * kStep < weight_at(zoomed)) to = all.nodes[to].caller;
    if (to != zoomed) zoom_to(all, to);
    return;
  }
  if (!pointed || pointed->of_callers || pointed->line <= layout.zoomed_line) return;
  std::uint32_t to = pointed->folded > 0 ? all.nodes[pointed->total].caller : pointed->total;
  // The outermost of the callers up to the zoomed one that is narrow enough.
  for (std::uint32_t at = to; at != zoomed && at != 0; at = all.nodes[at].caller) {
    if (weight_at(at) <= weight_at(zoomed) * kStep) to = at;
  }
  if (to != zoomed) zoom_to(all, to);
}

// Of names as text those that are called there, level by level.
void FlameGraphView::Impl::take_wanted_zoom(const Timeline& timeline) {
  std::uint32_t at = 0;
  for (const std::string& name : std::exchange(wanted_zoom, {})) {
    const auto callees = totals->callees_of(at);
    const auto found = std::ranges::find_if(callees, [&](std::uint32_t callee) {
      return timeline.text(totals->nodes[callee].name) == name;
    });
    if (found == callees.end()) break;
    at = *found;
  }
  zoom_to(*totals, at);
  stale = false;
}

void FlameGraphView::Impl::update(const FlameGraphFrame& frame, float width) {
  if (strings != frame.timeline.strings.get() || scale != frame.theme.scale ||
      font != frame.theme.words) {
    labels.reset();
  }
  if (version != frame.version || totals != frame.totals) menu_for.reset();
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
  if (!wanted_zoom.empty() && !totals->empty()) take_wanted_zoom(frame.timeline);
  // Follows the names of the zoomed box as far as there are such calls.
  zoomed = 0;
  for (const StringId name : zoom_path) {
    const auto callees = totals->callees_of(zoomed);
    const auto found = std::find_if(callees.begin(), callees.end(), [&](std::uint32_t callee) {
      return totals->nodes[callee].name == name;
    });
    if (found == callees.end()) break;
    zoomed = *found;
  }
  zoom_path.resize(std::min<std::size_t>(zoom_path.size(), totals->nodes[zoomed].depth));
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
  const Rect head{area.x, area.y, area.width, frame.head ? std::round(pen.px(kHeadPx)) : 0};
  const Rect below{area.x, bottom_of(head), area.width, std::max(area.height - head.height, 0.0f)};
  ImGui::PushID("flame graph");
  if (frame.head) impl_->draw_head(frame, pen, head, actions);
  const auto say = [&](std::string_view text) {
    draw_cut_text(pen.list, pen.words, below.x + pen.px(Impl::kPadPx), below.y + pen.px(14),
                  below.width - 2 * pen.px(Impl::kPadPx), pen.colours.dim, text);
  };
  if (frame.totals == nullptr) {
    say("Adding up calls…");
  } else if (frame.totals->empty() &&
             (frame.function == nullptr || frame.totals->nodes.front().count == 0)) {
    say("There are no calls in this scope.");
  } else if (below.height >= 1) {
    impl_->draw_graph(frame, below, actions);
  }
  ImGui::PopID();
}

void FlameGraphView::Impl::draw_graph(const FlameGraphFrame& frame, const Rect& area,
                                      Actions& actions) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool wheel_zooms = io.KeyCtrl == frame.wheel_scrolls;
  Column column(frame.theme, "graph", area, frame.theme.px(kPadPx), 0,
                wheel_zooms ? ImGuiWindowFlags_NoScrollWithMouse : ImGuiWindowFlags_None);
  const Pen& pen = column.pen();
  const Rect top = column.row(0);
  update(frame, top.width);
  const float line_px = std::round(pen.px(kLinePx));
  if (std::exchange(back_to_top, false)) {
    // The function of the sandwich stands in the middle if it has callers above it.
    const float above = static_cast<float>(layout.caller_lines) * line_px - area.height / 2;
    ImGui::SetScrollY(std::max(above, 0.0F));
  }
  const ImVec2 mouse = io.MousePos;
  // Boxes light up under the pointer, so the hovered box is found before drawing.
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
  if (press.hovered && !menu_open) zoom_by_wheel(frame);
  if (press.clicked && pointed) {
    const bool folded_callees = pointed->folded > 0 && pointed->line > layout.zoomed_line;
    const AggregatedCallTree& all = *frame.totals;
    if (!pointed->of_callers) {
      zoom_to(all, folded_callees ? all.nodes[pointed->total].caller : pointed->total);
    } else if (pointed->folded == 0) {
      show_function(std::string(frame.timeline.text(total_at(frame, *pointed).name)));
    }
  }
}

}  // namespace cinderscope
