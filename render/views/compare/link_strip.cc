#include "render/views/compare/link_strip.h"

#include <algorithm>
#include <cmath>

#include "ingest/base/saturating.h"
#include "ingest/compare/comparison.h"
#include "render/base/change_colours.h"
#include "render/text/time_text.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

namespace {

constexpr float kThinnestPx = 2;
constexpr int kSteps = 12;  // of the curve from the width in A to the width in B

struct BandEdges {
  float a0, a1, b0, b1;
};

void draw_band(ImDrawList& list, const BandEdges& edges, float top, float bottom, Rgba colour) {
  if (edges.a0 == edges.b0 && edges.a1 == edges.b1) {
    fill(list, {edges.a0, top, edges.a1 - edges.a0, bottom - top}, colour);
    return;
  }
  // Neighbouring pieces would show seams where their edges are smoothed.
  const ImDrawListFlags flags = list.Flags;
  list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
  const auto at = [&](float from, float to, float t) {
    return from + (to - from) * t * t * (3 - 2 * t);
  };
  for (int i = 0; i < kSteps; ++i) {
    const float t0 = static_cast<float>(i) / kSteps, t1 = static_cast<float>(i + 1) / kSteps;
    const float y0 = top + (bottom - top) * t0, y1 = top + (bottom - top) * t1;
    list.AddQuadFilled({at(edges.a0, edges.b0, t0), y0}, {at(edges.a1, edges.b1, t0), y0},
                       {at(edges.a1, edges.b1, t1), y1}, {at(edges.a0, edges.b0, t1), y1}, colour);
  }
  list.Flags = flags;
}

}  // namespace

void draw_link_strip(const LinkStripFrame& frame) {
  const Pen pen = pen_of(frame.theme);
  const Rect& area = frame.area;
  const Rect gutter{area.x, area.y, frame.gutter_px, area.height};
  const Rect bands{area.x + frame.gutter_px, area.y, std::max(area.width - frame.gutter_px, 0.0F),
                   area.height};
  const bool dark = frame.theme.kind == ThemeKind::dark;
  fill(pen.list, bands, dark ? rgb(0x0d0f12) : rgb(0xf3f4f6));
  fill(pen.list, gutter, pen.colours.panel);
  draw_cut_text(pen.list, pen.words, area.x + pen.px(30), middle_y(area), gutter.width - pen.px(36),
                pen.colours.dim, frame.label);
  const ChangeColours& colours = change_colours(frame.theme.kind);
  pen.list.PushClipRect({bands.x, bands.y}, {right_of(bands), bottom_of(bands)}, true);
  const auto x_in = [&](const Viewport& view, std::int64_t time_ns) {
    const double x_px = std::clamp(view.px_from_ns(time_ns), -1e5, 1e5);
    return bands.x + static_cast<float>(x_px);
  };
  const auto draw = [&](const LinkBand& band) {
    const BandEdges edges{x_in(frame.view_a, band.a_begin_ns), x_in(frame.view_a, band.a_end_ns),
                          x_in(frame.view_b, band.b_begin_ns), x_in(frame.view_b, band.b_end_ns)};
    const bool thin = edges.a1 - edges.a0 < kThinnestPx && edges.b1 - edges.b0 < kThinnestPx;
    const bool out =
        std::max(edges.a1, edges.b1) < bands.x || std::min(edges.a0, edges.b0) > right_of(bands);
    if (thin || out) return;
    const std::int64_t a_ns = saturating_difference(band.a_end_ns, band.a_begin_ns);
    const std::int64_t b_ns = saturating_difference(band.b_end_ns, band.b_begin_ns);
    const int step = change_step(static_cast<double>(a_ns), static_cast<double>(b_ns));
    draw_band(pen.list, edges, bands.y + 1, bottom_of(bands) - 1, colours.fill(step));
    const std::int64_t difference_ns = saturating_difference(b_ns, a_ns);
    if (difference_ns == 0) return;
    const std::string text =
        (difference_ns > 0 ? "+" : "-") +
        duration_text(std::abs(static_cast<double>(difference_ns)), frame.axis);
    const float left = std::max({edges.a0, edges.b0, bands.x});
    const float right = std::min({edges.a1, edges.b1, right_of(bands)});
    const float text_px = text_width(pen.numbers, text);
    if (right - left <= text_px + pen.px(16)) return;
    draw_text(pen.list, pen.numbers, std::round((left + right - text_px) / 2), middle_y(bands),
              colours.on_fill, text);
  };
  if (frame.bands) frame.bands(draw);
  pen.list.PopClipRect();
  horizontal_line(pen.list, area.x, right_of(area), area.y, pen.colours.line);
  horizontal_line(pen.list, area.x, right_of(area), bottom_of(area) - 1, pen.colours.line);
  vertical_line(pen.list, right_of(gutter) - 1, area.y, bottom_of(area), pen.colours.line);
}

}  // namespace cinderscope
