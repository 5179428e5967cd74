#include "render/views/timeline/slice_boxes.h"

#include <algorithm>
#include <cmath>

#include "ingest/model/measure/negative_weight.h"
#include "render/layout/found_boxes.h"
#include "render/layout/hit.h"
#include "render/text/label.h"
#include "render/text/time_text.h"
#include "render/text/visual_text.h"
#include "render/views/widgets/imgui_versions.h"

namespace cinderscope {
namespace {

// Boxes on whole pixels, one pixel apart.
struct Edges {
  float x0, x1;
};

Edges edges_of(const Canvas& canvas, const DrawBox& box) {
  if (box.thin()) return {canvas.tracks.x + box.x_px, canvas.tracks.x + box.x_px + 1};
  const float x0 = canvas.tracks.x + std::round(box.x_px);
  const float x1 = canvas.tracks.x + std::round(box.x_px + box.width_px) - 1;
  return {x0, std::max(x1, x0 + 1)};
}

// The upper and lower edge of a line on screen.
struct LineEdges {
  float y0, y1;
};

LineEdges line_edges(const Canvas& canvas, const DrawLine& line) {
  const float y0 = canvas.y_of(static_cast<double>(line.y_px));
  return {y0, y0 + std::round(canvas.px(static_cast<float>(kRowPx)))};
}

class SlicePainter {
 public:
  SlicePainter(const Canvas& canvas, const Layout& layout, const Emphasis& emphasis,
               LabelCache& labels)
      : canvas_(canvas),
        layout_(layout),
        emphasis_(emphasis),
        labels_(labels),
        timeline_(canvas.frame.timeline),
        words_(font_or_default(canvas.theme.words)),
        numbers_(font_or_default(canvas.theme.numbers)),
        ellipsis_(ellipsis_of(words_)),
        ellipsis_px_(text_width(words_, ellipsis_)) {}

  void draw_labels() {
    for (const DrawLine& line : layout_.lines) {
      if (!line.instants) draw_details(line);
    }
    draw_nested_instants();
    for (const DrawLine& line : layout_.lines) {
      if (line.instants && !line.nested()) draw_instants(line);
    }
  }

 private:
  template <class Visit>
  void for_boxes(const DrawLine& line, Visit visit) const {
    for (const DrawBox& box : line.boxes) visit(box);
  }

  bool is(const SliceRef& slice, const DrawLine& line, const DrawBox& box) const {
    return !box.merged() && slice == SliceRef{line.track, line.block, line.row, box.first};
  }

  // The box of a slice on the same line, also if it is one of many in a column.
  static bool holds(const SliceRef& slice, const DrawBox& box) {
    return slice.slice >= box.first && slice.slice - box.first < box.count;
  }

  FoundBoxes found_on(const DrawLine& line) const { return {canvas_.frame.matches, line}; }

  void draw_details(const DrawLine& line) {
    const LineEdges rows = line_edges(canvas_, line);
    const float y0 = rows.y0, y1 = rows.y1;
    const float min_label_px = canvas_.px(24);
    FoundBoxes found = found_on(line);
    // Most boxes of most lines are thin and have nothing but their colour.
    const SliceRef& chosen = emphasis_.selected;
    const bool chosen_here =
        chosen.track == line.track && chosen.block == line.block && chosen.row == line.row;
    for_boxes(line, [&](const DrawBox& box) {
      if (box.thin() && !chosen_here) return;
      const bool selected = chosen_here && holds(chosen, box);
      if (box.thin() && !selected) return;
      const Edges edges = edges_of(canvas_, box);
      if (selected) outline(edges, y0, y1, canvas_.colours.accent, 2);
      if (box.thin()) return;
      if ((box.flags & kChildrenMissing) != 0) hatch_box(edges, y0, y1);
      // If the view cuts the box, its end is elsewhere.
      const bool ends_in_view = box.x_px + box.width_px <= canvas_.tracks.width;
      if ((box.flags & (kUnfinished | kCutEnd)) != 0 && ends_in_view)
        tear(edges.x1, -1, edges, y0, y1);
      if ((box.flags & kCutBegin) != 0 && box.x_px >= 0) tear(edges.x0, 1, edges, y0, y1);
      if ((box.flags & kOverlapping) != 0) notch(edges, y0);
      if ((box.flags & kNegative) != 0) underline(edges, y1);
      if (edges.x1 - edges.x0 >= min_label_px) {
        label(line, box, edges, {y0, y1},
              found(box) ? canvas_.colours.on_box : canvas_.colours.dim);
      }
      const bool same_name = box.name == emphasis_.hovered_name ||
                             std::ranges::binary_search(emphasis_.outlined_names, box.name);
      if (same_name && !is(emphasis_.selected, line, box)) {
        outline(edges, y0, y1, with_alpha(canvas_.colours.text, 150), 1);
      }
    });
  }

  void label(const DrawLine& line, const DrawBox& box, const Edges& edges, const LineEdges& rows,
             Rgba colour) {
    const LabelCache::Label& label = labels_.of(timeline_, box.name, words_);
    // The name of a box that begins left of the view starts at the view's edge.
    const float left = std::max(edges.x0, canvas_.tracks.x) + canvas_.px(5);
    const float right = std::min(edges.x1, right_of(canvas_.tracks)) - canvas_.px(4);
    const float y = (rows.y0 + rows.y1) / 2;
    if (name(label, left, right - left, y, colour)) {
      duration(line, box, left + label.width_px + canvas_.px(12), right, y, colour);
    }
  }

  // True if all of it fits into `width`; else what fits of it is drawn.
  bool name(const LabelCache::Label& label, float left, float width, float y, Rgba colour) const {
    if (label.width_px <= width) {
      draw_visual_text(canvas_.list, words_, left, y, colour,
                       label.visual.empty() ? label.text : std::string_view(label.visual));
      return true;
    }
    const FitBytes fit = [this](std::string_view text, double width_px) {
      return text_fit(words_, text, static_cast<float>(width_px));
    };
    const ShortLabel cut =
        shortened(label.text, label.telling, ellipsis_, static_cast<double>(ellipsis_px_),
                  static_cast<double>(width), fit);
    float x = left;
    if (!label.visual.empty()) {
      // In one piece: parts that run to the left change places.
      std::string whole(cut.lead);
      draw_text(canvas_.list, words_, x, y, colour, whole.append(cut.text).append(cut.tail));
      return false;
    }
    x += draw_text(canvas_.list, words_, x, y, colour, cut.lead);
    x += draw_text(canvas_.list, words_, x, y, colour, cut.text);
    draw_text(canvas_.list, words_, x, y, colour, cut.tail);
    return false;
  }

  void duration(const DrawLine& line, const DrawBox& box, float x, float right, float y,
                Rgba colour) {
    if (right - x < canvas_.px(20)) return;
    const SliceRow* row = row_of(timeline_, {line.track, line.block, line.row, box.first});
    if (row == nullptr) return;
    const std::string text = duration_text(row->duration_ns(box.first), timeline_.axis);
    if (text_width(numbers_, text) > right - x) return;
    draw_text(canvas_.list, numbers_, x, y, with_alpha(colour, 158), text);
  }

  void outline(const Edges& edges, float y0, float y1, Rgba colour, float width) const {
    // Inside the box, but never too thin to be visible.
    const float x1 = std::max(edges.x1, edges.x0 + 3);
    const float half = canvas_.px(width) / 2;
    canvas_.list.AddRect({edges.x0 + half, y0 + half}, {x1 - half, y1 - half}, colour, 0, 0,
                         canvas_.px(width));
  }

  // At the side `x` of a box; `inwards` is 1 or -1.
  void tear(float x, float inwards, const Edges& edges, float y0, float y1) const {
    const float depth = std::min(canvas_.px(4), edges.x1 - edges.x0);
    constexpr int kTeeth = 3;
    const float tooth = (y1 - y0) / kTeeth;
    for (int i = 0; i < kTeeth; ++i) {
      const float y = y0 + tooth * static_cast<float>(i);
      const float outside = x - inwards * 0.5f;
      canvas_.list.AddTriangleFilled({outside, y}, {outside, y + tooth},
                                     {x + inwards * depth, y + tooth / 2},
                                     canvas_.colours.background);
    }
  }

  void notch(const Edges& edges, float y0) const {
    const float side = std::min(canvas_.px(6), edges.x1 - edges.x0);
    canvas_.list.AddTriangleFilled({edges.x0 - 0.5f, y0 - 0.5f}, {edges.x0 + side, y0 - 0.5f},
                                   {edges.x0 - 0.5f, y0 + side}, canvas_.colours.background);
  }

  void underline(const Edges& edges, float y1) const {
    const float x0 = std::max(edges.x0, canvas_.tracks.x);
    const float x1 = std::min(edges.x1, right_of(canvas_.tracks));
    canvas_.list.AddRectFilled({x0, y1 - canvas_.px(3)}, {x1, y1},
                               with_alpha(canvas_.colours.on_box, 150));
  }

  void hatch_box(const Edges& edges, float y0, float y1) const {
    const float x0 = std::max(edges.x0, canvas_.tracks.x);
    const float x1 = std::min(edges.x1, right_of(canvas_.tracks));
    hatch(canvas_.list, {x0, y0, x1 - x0, y1 - y0}, canvas_.px(7), canvas_.px(1),
          with_alpha(canvas_.colours.on_box, 90));
  }

  // Matches are drawn last, so that dimmed boxes do not hide them.
  void draw_instants(const DrawLine& line) {
    name_instants(line);
    if (canvas_.frame.matches != nullptr) draw_instants(line, false);
    draw_instants(line, true);
  }

  // Each name has the room to the next instant.
  void name_instants(const DrawLine& line) {
    const float beside = canvas_.px(static_cast<float>(kDiamondPx) + 4);
    const float least = canvas_.px(24), most = canvas_.px(400);
    const float y = canvas_.y_of(static_cast<double>(line.y_px));
    FoundBoxes found = found_on(line);
    for (std::size_t i = 0; i < line.boxes.size(); ++i) {
      const DrawBox& box = line.boxes[i];
      const bool is_found = found(box);
      const float next = i + 1 < line.boxes.size() ? line.boxes[i + 1].x_px : canvas_.tracks.width;
      const float left = canvas_.tracks.x + std::floor(box.x_px) + beside;
      const float width = std::min(canvas_.tracks.x + next - beside - left, most);
      if (box.merged() || width < least || left < canvas_.tracks.x) continue;
      name(labels_.of(timeline_, box.name, words_), left, width, y,
           is_found ? canvas_.colours.text : canvas_.colours.dim);
    }
  }

  void draw_instants(const DrawLine& line, bool found_ones) const {
    const float radius = canvas_.px(static_cast<float>(kDiamondPx));
    const float y = canvas_.y_of(static_cast<double>(line.y_px));
    float last_x = -1e9f;
    FoundBoxes found = found_on(line);
    for_boxes(line, [&](const DrawBox& box) {
      if (found(box) != found_ones) return;
      const float x = canvas_.tracks.x + std::floor(box.x_px) + 0.5f;
      const InstantRef ref{line.track, box.first, line.block, line.row};
      const bool selected = ref == emphasis_.selected_instant;
      const bool hovered = ref == emphasis_.hovered_instant;
      // Diamonds that would cover each other are one on screen.
      if (x - last_x < radius && !selected && !hovered) return;
      last_x = x;
      const std::uint32_t hash = timeline_.strings->hash(box.name);
      Rgba colour = !found_ones    ? canvas_.palette.unmatched()
                    : box.merged() ? canvas_.colours.dim
                                   : canvas_.palette.box(hash);
      if (hovered) colour = canvas_.colours.text;
      if (selected) colour = canvas_.colours.accent;
      diamond(x, y, radius + canvas_.px(1.5f), canvas_.colours.background);
      diamond(x, y, radius, colour);
    });
  }

  // Nothing else is drawn until the batch is done.
  void draw_nested_instants() const {
    RectBatch rects(canvas_.list);
    for (const DrawLine& line : layout_.lines) {
      if (line.nested()) draw_nested_instants(line, rects);
    }
  }

  // Nested instants are small: a call may have one in every pixel, and they must not hide the calls
  // below.
  void draw_nested_instants(const DrawLine& line, RectBatch& rects) const {
    const float y0 = canvas_.y_of(static_cast<double>(line.y_px)) - 1;
    const double height = line.on_slices ? kStepPx : kNestedInstantDropPx;
    const float y1 = y0 + std::round(canvas_.px(static_cast<float>(height)));
    const float width = std::round(canvas_.px(static_cast<float>(kNestedInstantPx)));
    float last_x = -1e9f;
    FoundBoxes found = found_on(line);
    for_boxes(line, [&](const DrawBox& box) {
      const InstantRef ref{line.track, box.first, line.block, line.row};
      const bool selected = ref == emphasis_.selected_instant;
      const bool hovered = ref == emphasis_.hovered_instant;
      const bool is_found = found(box);
      const float x = canvas_.tracks.x + std::floor(box.x_px);
      // Neighbours join to a line, of one pixel if they are dimmed.
      if (x - last_x < width && !selected && !hovered && !is_found) return;
      last_x = x;
      Rgba colour = !is_found      ? canvas_.palette.unmatched()
                    : box.merged() ? canvas_.colours.dim
                                   : canvas_.palette.box(timeline_.strings->hash(box.name));
      // Colours of names do not stand out from each other.
      if (line.on_slices && is_found) colour = canvas_.colours.on_box;
      if (hovered) colour = canvas_.colours.text;
      if (selected) colour = canvas_.colours.accent;
      if (line.on_slices) {
        const float half = selected || hovered ? width / 2 + 1 : width / 2;
        rects.add(x - half, y0, x + half, y1, colour);
        return;
      }
      const float grow = selected || hovered ? std::round(canvas_.px(2)) : 0;
      rects.add(x - width / 2 - 1, y0, x + width / 2 + 1, y1 + grow + 1,
                canvas_.colours.background);
      rects.add(x - width / 2, y0, x + width / 2, y1 + grow, colour);
    });
  }

  void diamond(float x, float y, float radius, Rgba colour) const {
    canvas_.list.AddQuadFilled({x, y - radius}, {x + radius, y}, {x, y + radius}, {x - radius, y},
                               colour);
  }

  const Canvas& canvas_;
  const Layout& layout_;
  const Emphasis& emphasis_;
  LabelCache& labels_;
  const Timeline& timeline_;
  const ImFont& words_;
  const ImFont& numbers_;
  std::string_view ellipsis_;
  float ellipsis_px_;
};

}  // namespace

void draw_slice_boxes(const Canvas& canvas, const Layout& layout, const BoxImage& image) {
  if (image.lines() == 0 || image.width_px() == 0) return;
  const ImageTexture texture = canvas.frame.images.texture_of(image);
  const float x0 = canvas.tracks.x;
  const float x1 = x0 + static_cast<float>(image.width_px());
  std::size_t row = 0;
  for (const DrawLine& line : layout.lines) {
    if (line.instants) continue;
    // The middle of the line's row in the texture, stretched over the line's height.
    const float v = (static_cast<float>(row++) + 0.5f) / static_cast<float>(texture.lines);
    const LineEdges rows = line_edges(canvas, line);
    canvas.list.AddImage(texture_id(texture.name), {x0, rows.y0}, {x1, rows.y1}, {0, v}, {1, v});
  }
}

void draw_slice_labels(const Canvas& canvas, const Layout& layout, const Emphasis& emphasis,
                       LabelCache& labels) {
  SlicePainter(canvas, layout, emphasis, labels).draw_labels();
}

}  // namespace cinderscope
