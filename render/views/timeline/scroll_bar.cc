#include "render/views/timeline/scroll_bar.h"

#include <algorithm>

namespace cinderscope {
namespace {

constexpr float kGroovePx = 12;
constexpr float kMinThumbPx = 24;

}  // namespace

ScrollBar scroll_bar_of(const Canvas& canvas, const TrackList& tracks) {
  const Rect& view = canvas.tracks;
  const auto height_px = static_cast<double>(view.height / canvas.theme.scale);
  const double max_scroll_px = tracks.height_px() - height_px;
  if (max_scroll_px <= 0 || view.height <= 0) return {};
  ScrollBar bar;
  bar.max_scroll_px = max_scroll_px;
  const float width = std::min(canvas.px(kGroovePx), view.width);
  bar.groove = {right_of(view) - width, view.y, width, view.height};
  const double share = height_px / tracks.height_px();
  const float least = std::min(canvas.px(kMinThumbPx), view.height);
  const float height = std::max(view.height * static_cast<float>(share), least);
  const double at = std::clamp(canvas.scroll_px / max_scroll_px, 0.0, 1.0);
  const float y = view.y + (view.height - height) * static_cast<float>(at);
  bar.thumb = {bar.groove.x, y, width, height};
  return bar;
}

double scroll_from_thumb(const ScrollBar& bar, float dy) {
  const float travel = bar.groove.height - bar.thumb.height;
  return travel > 0 ? static_cast<double>(dy / travel) * bar.max_scroll_px : 0;
}

void draw_scroll_bar(const Canvas& canvas, const ScrollBar& bar, bool held) {
  if (!bar) return;
  const float width = canvas.px(held ? 6 : 3), right = right_of(bar.groove) - canvas.px(2);
  canvas.list.AddRectFilled({right - width, bar.thumb.y}, {right, bottom_of(bar.thumb)},
                            with_alpha(canvas.colours.dim, held ? 200 : 110), width / 2);
}

}  // namespace cinderscope
