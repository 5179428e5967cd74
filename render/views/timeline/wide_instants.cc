#include "render/views/timeline/wide_instants.h"

#include <algorithm>
#include <cmath>

#include "render/layout/found_boxes.h"

namespace cinderscope {
namespace {

// Where lines stand closely they must not hide the slices.
std::uint32_t opacity_of(const WideLine& line, float width_px, ThemeKind theme) {
  constexpr float kRoomPx = 24, kLeast = 40;
  const float most = theme == ThemeKind::light ? 255 : 170;  // colours on white are pale
  const float room_px = width_px / static_cast<float>(std::max<std::size_t>(line.boxes.size(), 1));
  return static_cast<std::uint32_t>(std::clamp(most * room_px / kRoomPx, kLeast, most));
}

void draw_line(const Canvas& canvas, const WideLine& line, const Emphasis& emphasis) {
  const StringPool& names = *canvas.frame.timeline.strings;
  const float y0 = std::max(canvas.y_of(static_cast<double>(line.y0_px)), canvas.tracks.y);
  const float y1 = canvas.y_of(static_cast<double>(line.y1_px));
  const std::uint32_t opacity = opacity_of(line, canvas.tracks.width, canvas.theme.kind);
  DrawLine instants;
  instants.track = line.track;
  instants.instants = true;
  FoundBoxes found(canvas.frame.matches, instants);
  RectBatch rects(canvas.list);
  for (const DrawBox& box : line.boxes) {
    const bool is_found = found(box);
    if (box.x_px < 0 || box.x_px >= canvas.tracks.width) continue;
    const InstantRef ref{line.track, box.first, BlockId{}, 0};
    const float x = canvas.tracks.x + std::floor(box.x_px);
    const float width = std::max(std::round(canvas.px(1)), 1.0f);
    Rgba colour = !is_found      ? canvas.palette.unmatched()
                  : box.merged() ? canvas.colours.dim
                                 : canvas.palette.box(names.hash(box.name));
    colour = with_alpha(colour, opacity);
    if (ref == emphasis.hovered_instant) colour = canvas.colours.text;
    if (ref == emphasis.selected_instant) colour = canvas.colours.accent;
    rects.add(x, y0, x + width, y1, colour);
  }
}

}  // namespace

void draw_wide_instants(const Canvas& canvas, const Layout& layout, const Emphasis& emphasis) {
  for (const WideLine& line : layout.wide) draw_line(canvas, line, emphasis);
}

}  // namespace cinderscope
