#include "render/layout/pause_bands.h"

#include <algorithm>
#include <cmath>

namespace cinderscope {

std::vector<PauseBand> pause_bands(const Viewport& view, const Rect& tracks,
                                   const ProcessPauses& pauses) {
  std::vector<PauseBand> bands;
  const float left = tracks.x, right = right_of(tracks);
  // Far outside of the view the exact position does not matter, but floats must stay exact enough.
  const auto x_of = [&](std::int64_t time_ns) {
    return left + static_cast<float>(std::clamp(view.px_from_ns(time_ns), -1e6, 1e6));
  };
  std::size_t i = pauses.first_after(view.ns_from_px(0));
  while (i < pauses.all().size()) {
    const Pause& pause = pauses.all()[i];
    const float x0 = std::max(std::floor(x_of(pause.begin_ns)), left);
    const float x1 = std::min(std::max(std::ceil(x_of(pause.end_ns)), x0 + 1), right);
    if (x0 >= right) break;
    if (!bands.empty() && x0 <= bands.back().x1) {
      bands.back().x1 = x1;
    } else {
      bands.push_back({x0, x1});
    }
    // The next pause that reaches beyond this pixel.
    const std::int64_t reached_ns = view.ns_from_px(static_cast<double>(x1 - left));
    i = std::max(i + 1, pauses.first_after(reached_ns));
  }
  return bands;
}

}  // namespace cinderscope
