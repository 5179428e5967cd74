#include "render/layout/box_image.h"

#include <algorithm>
#include <cmath>

#include "ingest/base/parallel.h"
#include "render/layout/found_boxes.h"

namespace cinderscope {
namespace {

std::uint32_t alpha_of(Rgba colour) {
  return colour >> 24;
}

// `above` laid over `below`, each of which may be seen through.
Rgba over(Rgba above, Rgba below) {
  const std::uint32_t top = alpha_of(above), bottom = alpha_of(below);
  const std::uint32_t shown = bottom * (255 - top) / 255;  // of what lies below
  const std::uint32_t alpha = top + shown;
  if (alpha == 0) return 0;
  Rgba mixed = alpha << 24;
  for (std::uint32_t shift = 0; shift < 24; shift += 8) {
    const std::uint32_t high = above >> shift & 0xff, low = below >> shift & 0xff;
    mixed |= (high * top + low * shown + alpha / 2) / alpha << shift;
  }
  return mixed;
}

std::uint64_t next_version() {
  static std::uint64_t last = 0;
  return ++last;
}

}  // namespace

void BoxImage::paint(const BoxLook& look) {
  const Painted wanted{.layout = look.layout.version,
                       .palette = &look.palette,
                       .hovered = look.hovered,
                       .width_px = static_cast<std::size_t>(std::max(look.width_px, 0.0f))};
  // What a search has found grows while it goes on.
  const bool searched = look.matches != nullptr;
  if (version_ != 0 && wanted == painted_ && !searched && !searched_) return;
  painted_ = wanted;
  searched_ = searched;
  width_px_ = wanted.width_px;
  lines_ = look.layout.slice_lines;
  pixels_.assign(width_px_ * lines_, 0);
  slice_lines_.clear();
  for (const DrawLine& line : look.layout.lines) {
    if (!line.instants) slice_lines_.push_back(&line);
  }
  parallel_for(slice_lines_.size(), jobs_for(look.layout, look.jobs), [&](std::size_t row) {
    paint_line(look, *slice_lines_[row], std::span(pixels_).subspan(row * width_px_, width_px_));
  });
  version_ = next_version();
}

void BoxImage::paint_line(const BoxLook& look, const DrawLine& line, std::span<Rgba> out) const {
  const bool hovered_here = look.hovered.track == line.track && look.hovered.block == line.block &&
                            look.hovered.row == line.row;
  const auto end_px = static_cast<float>(out.size());
  FoundBoxes found(look.matches, line);
  // The last column of merged ones: it lies over the box beside it.
  std::size_t column = out.size();
  Rgba column_colour = 0;
  for (const DrawBox& box : line.boxes) {
    if (box.thin()) {
      column = static_cast<std::size_t>(box.x_px);
      if (column >= out.size()) continue;
      column_colour = found(box) ? look.palette.merged(box.tint) : look.palette.unmatched();
      out[column] = out[column] == 0 ? column_colour : over(column_colour, out[column]);
      continue;
    }
    const std::uint32_t hash = look.names.hash(box.name);
    const bool hovered = hovered_here && box.first == look.hovered.slice && !box.merged();
    const Rgba colour = !found(box) ? look.palette.unmatched()
                        : hovered   ? look.palette.hovered(hash)
                                    : look.palette.box(hash);
    const float x0 = std::round(box.x_px);
    const float x1 = std::max(std::round(box.x_px + box.width_px) - 1, x0 + 1);
    const auto first = static_cast<std::size_t>(std::clamp(x0, 0.0f, end_px));
    const auto after = static_cast<std::size_t>(std::clamp(x1, 0.0f, end_px));
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(first),
              out.begin() + static_cast<std::ptrdiff_t>(after), colour);
    if (column >= first && column < after) out[column] = over(column_colour, colour);
  }
}

}  // namespace cinderscope
