#include "render/views/timeline/mouse.h"

#include <algorithm>
#include <cmath>

#include "render/views/timeline/scroll_bar.h"

namespace cinderscope {
namespace {

constexpr double kZoomPerNotch = 0.8;
constexpr double kZoomFollowsForS = 0.15;
constexpr double kRowsPerNotch = 3;
constexpr double kPanPerNotch = 0.1;  // of the view's width
constexpr double kCoastDecayS = 0.18;
constexpr double kSlowestPxS = 20;

}  // namespace

void Mouse::update(const MouseTargets& targets, Actions& actions) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool over = targets.canvas.frame.interactive &&
                    contains(targets.canvas.frame.area, io.MousePos) &&
                    ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                           ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  zoom_age_s_ += static_cast<double>(io.DeltaTime);
  if (zoom_age_s_ > kZoomFollowsForS) zoom_target_.reset();
  hover(targets, over || drag_ != Drag::none);
  if (drag_ != Drag::none && !io.MouseDown[button_]) release(targets, actions);
  if (drag_ != Drag::none) {
    drag(targets, actions);
  } else if (over) {
    press(targets, actions);
    wheel(targets, actions);
  }
  if (drag_ == Drag::none) coast(targets, actions);
}

void Mouse::hover(const MouseTargets& targets, bool over) {
  const Canvas& canvas = targets.canvas;
  const ImVec2 point = ImGui::GetIO().MousePos;
  TimelineState& state = canvas.frame.state;
  hit_ = {};
  curve_ = nullptr;
  gutter_ = {};
  counter_ = kNoTrack;
  on_scroll_bar_ = on_ruler_head_ = false;
  range_part_ = RangePart::none;
  state.cursor_ns.reset();
  if (over) {
    on_ruler_head_ = contains(canvas.ruler_clock, point) && !canvas.frame.filter_open;
    const ScrollBar bar = scroll_bar_of(canvas, targets.tracks);
    on_scroll_bar_ = drag_ == Drag::scroll || (drag_ == Drag::none && contains(bar.groove, point));
    const bool in_tracks = contains(canvas.tracks, point) && !on_scroll_bar_;
    if (in_tracks || contains(canvas.ruler, point)) {
      state.cursor_ns = state.view.ns_from_px(tracks_x(canvas, point));
    }
    if (!on_scroll_bar_) gutter_ = gutter_hit(canvas, targets.tracks, targets.layout, point);
    if (in_tracks && drag_ != Drag::pan && !gutter_.over) {
      const auto y_px = static_cast<double>((point.y - canvas.tracks.y) / canvas.theme.scale);
      hit_ = hit_at(targets.layout, tracks_x(canvas, point), y_px);
      const bool can_be_curve = drag_ == Drag::none || drag_ == Drag::press;
      if (can_be_curve && !hit_.instant) curve_ = targets.flows.at(canvas, point);
      if (curve_ != nullptr) {
        hit_ = {};
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      }
      const std::size_t row = targets.tracks.row_at(y_px + canvas.scroll_px);
      const auto& rows = targets.tracks.rows();
      if (row < rows.size() && rows[row].kind == TrackRow::Kind::counter) {
        counter_ = rows[row].track;
      }
    }
    const bool at_edge =
        near(point.x, right_of(canvas.gutter), canvas.px(3)) && point.y > canvas.ruler.y;
    if (drag_ == Drag::range_move) {
      range_part_ = RangePart::bar;
    } else if (drag_ == Drag::none && state.range) {
      range_part_ = range_part_at(canvas, *state.range, point);
    }
    const bool at_range_edge = range_part_ == RangePart::begin || range_part_ == RangePart::end;
    if (at_edge || drag_ == Drag::gutter || drag_ == Drag::range || at_range_edge) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    } else if (range_part_ != RangePart::none) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
  }
  // Elsewhere the rows of a list may light a flow.
  if (over || lights_flow_) state.lit_flow.reset();
  lights_flow_ = curve_ != nullptr;
  if (lights_flow_) state.lit_flow = curve_->link.flow;
  state.hovered = hit_.slice;
  state.hovered_merged = hit_.merged;
}

void Mouse::wheel(const MouseTargets& targets, Actions& actions) {
  const ImGuiIO& io = ImGui::GetIO();
  const Canvas& canvas = targets.canvas;
  const TimelineState& state = canvas.frame.state;
  const auto notches = static_cast<double>(io.MouseWheel);
  auto sideways = static_cast<double>(-io.MouseWheelH);
  if (notches == 0 && sideways == 0) return;
  speed_px_s_ = 0;
  const bool in_gutter = contains(canvas.gutter, io.MousePos);
  const bool scrolls = in_gutter || io.KeyCtrl != state.wheel_scrolls;
  if (io.KeyShift) {
    sideways -= notches;
  } else if (notches != 0 && scrolls) {
    scroll_to(targets, canvas.scroll_px - notches * kRowsPerNotch * kRowStepPx, actions);
  } else if (notches != 0) {
    // Notches that come while the view is still moving add up.
    const Viewport from = zoom_target_.value_or(state.view);
    const bool in_overview = contains(canvas.overview, io.MousePos);
    const double x_px = in_overview ? static_cast<double>(from.width_px) / 2
                                    : std::max(tracks_x(canvas, io.MousePos), 0.0);
    const Viewport target = clamped(zoomed(from, std::pow(kZoomPerNotch, notches), x_px),
                                    limits_of(canvas.frame.timeline, state));
    zoom_target_ = target;
    zoom_age_s_ = 0;
    if (target != state.view) actions.push_back(ShowView{target, true});
  }
  if (sideways != 0) {
    const double step_px = static_cast<double>(state.view.width_px) * kPanPerNotch;
    show_view(targets, panned(state.view, sideways * step_px), actions);
  }
}

void Mouse::coast(const MouseTargets& targets, Actions& actions) {
  if (speed_px_s_ == 0) return;
  const auto passed_s = std::min(static_cast<double>(ImGui::GetIO().DeltaTime), 0.1);
  if (std::abs(speed_px_s_) < kSlowestPxS) {
    speed_px_s_ = 0;
    return;
  }
  const std::size_t before = actions.size();
  show_view(targets, panned(targets.canvas.frame.state.view, speed_px_s_ * passed_s), actions);
  speed_px_s_ *= std::exp(-passed_s / kCoastDecayS);
  if (actions.size() == before) speed_px_s_ = 0;  // at the end of the trace
}

}  // namespace cinderscope
