#include "render/views/widgets/table_scroll.h"

#include <algorithm>

namespace cinderscope {
namespace {

constexpr float kMinThumbPx = 24;
constexpr double kRowsPerNotch = 3, kPxPerNotch = 80;

// A groove along one axis of the window.
struct Groove {
  Rect rect;
  bool upright = true;

  float begin() const { return upright ? rect.y : rect.x; }
  float length() const { return upright ? rect.height : rect.width; }
  float pointer() const {
    const ImVec2 pos = ImGui::GetIO().MousePos;
    return upright ? pos.y : pos.x;
  }
};

// Where the bar's thumb is dragged to in [0, most]; `share` of all is in sight. Draws the bar.
double dragged(const Pen& pen, const char* id, const Groove& groove, double share, double at,
               double most, std::optional<float>& held_at) {
  const float length = std::min(
      std::max(groove.length() * static_cast<float>(share), pen.px(kMinThumbPx)), groove.length());
  const float travel = std::max(groove.length() - length, 1.0f);
  const auto thumb_begin = [&] {
    return groove.begin() + travel * static_cast<float>(std::clamp(at / most, 0.0, 1.0));
  };
  press_area(id, groove.rect);
  if (ImGui::IsItemActive()) {
    const float grip = groove.pointer() - thumb_begin();
    if (!held_at) held_at = grip >= 0 && grip < length ? grip : length / 2;
    at = static_cast<double>((groove.pointer() - *held_at - groove.begin()) / travel) * most;
  } else {
    held_at.reset();
  }
  at = std::clamp(at, 0.0, most);
  const float begin = thumb_begin(), width = pen.px(held_at ? 6 : 3), edge = pen.px(2);
  const Rect& rect = groove.rect;
  const Rect bar = groove.upright ? Rect{right_of(rect) - edge - width, begin, width, length}
                                  : Rect{begin, bottom_of(rect) - edge - width, length, width};
  pen.list.AddRectFilled({bar.x, bar.y}, {right_of(bar), bottom_of(bar)},
                         with_alpha(pen.colours.dim, held_at ? 200 : 110), width / 2);
  return at;
}

}  // namespace

void TableScroll::show(std::uint64_t row, double rows_on_screen) {
  const auto at = static_cast<double>(row);
  first_row_ = std::clamp(first_row_, at + 1 - rows_on_screen, at);
}

void TableScroll::update(const Pen& pen, const Rect& area, const TableExtent& extent) {
  const ImGuiIO& io = ImGui::GetIO();
  const double most_rows = std::max(0.0, static_cast<double>(extent.rows) - extent.rows_on_screen);
  const double most_px = std::max(0.0, static_cast<double>(extent.content_px - area.width));
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && contains(area, io.MousePos)) {
    const auto wheel = static_cast<double>(io.MouseWheel);
    const auto sideways = static_cast<double>(io.MouseWheelH);
    first_row_ -= io.KeyShift ? 0 : wheel * kRowsPerNotch;
    left_px_ -= (io.KeyShift ? wheel : sideways) * kPxPerNotch;
  }
  first_row_ = std::clamp(first_row_, 0.0, most_rows);
  left_px_ = std::clamp(left_px_, 0.0, most_px);
  const float groove_px = pen.px(kGroovePx);
  if (most_rows > 0) {
    const Groove groove{{right_of(area) - groove_px, area.y, groove_px, area.height}, true};
    first_row_ =
        dragged(pen, "row bar", groove, extent.rows_on_screen / static_cast<double>(extent.rows),
                first_row_, most_rows, held_row_bar_);
  }
  if (most_px > 0) {
    const Groove groove{{area.x, bottom_of(area) - groove_px, area.width - groove_px, groove_px},
                        false};
    left_px_ =
        dragged(pen, "column bar", groove, static_cast<double>(area.width / extent.content_px),
                left_px_, most_px, held_column_bar_);
  }
}

}  // namespace cinderscope
