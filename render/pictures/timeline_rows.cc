// Rows of boxes with their labels, and instants, as views/timeline/slice_boxes.cc has them.
#include <fmt/format.h>

#include "ingest/model/measure/negative_weight.h"
#include "ingest/model/measure/sample_runs.h"
#include "ingest/model/slice_nesting.h"
#include "render/layout/found_boxes.h"
#include "render/layout/hit.h"
#include "render/pictures/timeline_canvas.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostTitleBytes = 1200, kMostTitleCharacters = 300;

// The first 300 characters.
std::string title_name(std::string_view name) {
  std::string out = drawable(name.substr(0, kMostTitleBytes));
  std::size_t at = 0;
  for (std::size_t i = 0; i < kMostTitleCharacters && at < out.size(); ++i) {
    at += character_bytes(out, at);
  }
  if (at < out.size() || name.size() > kMostTitleBytes) {
    out.resize(std::min(at, out.size()));
    out += "…";
  }
  return out;
}

// Draws one line; its work on titles is bounded however many slices lie below.
class LineDrawing {
 public:
  LineDrawing(const PictureCanvas& canvas, const PictureTracks& part, const DrawLine& line)
      : canvas_(canvas),
        pen_(canvas.pen),
        timeline_(canvas.timeline),
        line_(line),
        row_(row_of(timeline_, {line.track, line.block, line.row, 0})) {
    y0_ = part.y_of(canvas, static_cast<double>(line.y_px));
    y1_ = y0_ + std::round(pen_.px(kRowPx));
  }

  void draw() {
    if (row_ == nullptr) return;
    // Thin ones lie over their neighbours.
    FoundBoxes found(canvas_.picture.matches, line_);
    for (const DrawBox& box : line_.boxes) {
      const bool is_found = found(box);
      if (!box.thin()) thick(box, is_found);
    }
    FoundBoxes found_again(canvas_.picture.matches, line_);
    for (const DrawBox& box : line_.boxes) {
      const bool is_found = found_again(box);
      if (box.thin()) thin(box, is_found);
    }
  }

 private:
  bool is_selected(const DrawBox& box) const {
    const SliceRef& chosen = canvas_.state.selected;
    return chosen.track == line_.track && chosen.block == line_.block && chosen.row == line_.row &&
           chosen.slice >= box.first && chosen.slice - box.first < box.count;
  }

  void thin(const DrawBox& box, bool found) {
    const float left = canvas_.tracks.x + std::floor(box.x_px) * canvas_.merge_px;
    const float x0 = std::max(left, canvas_.tracks.x);
    const float x1 = std::min(left + canvas_.merge_px, right_of(canvas_.tracks));
    if (x1 <= x0) return;
    pen_.begin(PictureGroup::Kind::box, canvas_.picture.titles ? title(box) : std::string());
    pen_.fill({x0, y0_, x1 - x0, y1_ - y0_},
              found ? pen_.palette.merged(box.tint) : pen_.palette.unmatched());
    if (is_selected(box)) {
      pen_.outline({x0, y0_, std::max(x1 - x0, 3.0f), y1_ - y0_}, pen_.colours.accent,
                   pen_.px(2.0f));
    }
    pen_.end();
  }

  void thick(const DrawBox& box, bool found) {
    const float left = std::round(box.x_px * canvas_.merge_px);
    const float right =
        std::max(std::round((box.x_px + box.width_px) * canvas_.merge_px) - 1, left + 1);
    const float x0 = canvas_.tracks.x + std::max(left, 0.0f);
    const float x1 = canvas_.tracks.x + std::min(right, canvas_.tracks.width);
    if (x1 <= x0) return;
    const Rgba colour =
        found ? pen_.palette.box(timeline_.strings->hash(box.name)) : pen_.palette.unmatched();
    pen_.begin(PictureGroup::Kind::box, canvas_.picture.titles ? title(box) : std::string());
    pen_.fill({x0, y0_, x1 - x0, y1_ - y0_}, colour);
    if ((box.flags & kChildrenMissing) != 0) {
      pen_.hatch({x0, y0_, x1 - x0, y1_ - y0_}, pen_.px(7.0f), pen_.px(1.0f),
                 blended(with_alpha(pen_.colours.on_box, 90), colour));
    }
    if (x1 - x0 >= pen_.px(24.0f)) label(box, x0, x1, colour, found);
    const bool ends_in_view = right <= canvas_.tracks.width;
    if ((box.flags & (kUnfinished | kCutEnd)) != 0 && ends_in_view) tear(x1, -1, x1 - x0);
    if ((box.flags & kCutBegin) != 0 && left >= 0) tear(x0, 1, x1 - x0);
    if ((box.flags & kOverlapping) != 0) notch(x0, x1);
    if ((box.flags & kNegative) != 0) {
      pen_.fill({x0, y1_ - pen_.px(3.0f), x1 - x0, pen_.px(3.0f)},
                blended(with_alpha(pen_.colours.on_box, 150), colour));
    }
    if (is_selected(box)) {
      pen_.outline({x0, y0_, std::max(x1 - x0, 3.0f), y1_ - y0_}, pen_.colours.accent,
                   pen_.px(2.0f));
    }
    pen_.end();
  }

  void label(const DrawBox& box, float x0, float x1, Rgba box_colour, bool found) {
    const Rgba colour = found ? pen_.colours.on_box : pen_.colours.dim;
    const std::string_view name = display_label(timeline_, box.name);
    const float left = x0 + pen_.px(5.0f), right = x1 - pen_.px(4.0f), y = (y0_ + y1_) / 2;
    if (!pen_.short_name(PictureFont::words, left, y, right - left, colour, name)) return;
    const float at = left + pen_.width(PictureFont::words, drawable_name(name)) + pen_.px(12.0f);
    if (right - at < pen_.px(20.0f)) return;
    const std::string text = duration_text(row_->duration_ns(box.first), timeline_.axis);
    if (pen_.width(PictureFont::numbers, text) > right - at) return;
    pen_.text(PictureFont::numbers, at, y, blended(with_alpha(colour, 158), box_colour), text);
  }

  // At an edge, with teeth that point to the inside: 1 is to the right.
  void tear(float edge, float inside, float width_px) {
    const float depth = std::min(pen_.px(4.0f), width_px), tooth = (y1_ - y0_) / 3;
    const float out = edge - 0.5f * inside;
    for (int i = 0; i < 3; ++i) {
      const float y = y0_ + tooth * static_cast<float>(i);
      pen_.polygon({{out, y}, {out, y + tooth}, {edge + depth * inside, y + tooth / 2}},
                   pen_.paper);
    }
  }

  void notch(float x0, float x1) {
    const float side = std::min(pen_.px(6.0f), x1 - x0);
    pen_.polygon({{x0 - 0.5f, y0_ - 0.5f}, {x0 + side, y0_ - 0.5f}, {x0 - 0.5f, y0_ + side}},
                 pen_.paper);
  }

  std::string title(const DrawBox& box) {
    if (box.merged()) {
      const std::string_view word = counts_runs(timeline_) ? "runs" : "calls";
      if (box.count > walks_left_) return fmt::format("{} {}", count_text(box.count), word);
      walks_left_ -= box.count;
      const auto total =
          total_of(timeline_, {line_.track, line_.block, line_.row, box.first, box.count});
      if (!total) return {};
      return fmt::format("{} {}, {}", count_text(box.count), word,
                         duration_text(total->duration_ns, timeline_.axis));
    }
    const SliceRef ref{line_.track, line_.block, line_.row, box.first};
    const Slice slice = row_->slice(box.first);
    const Track& track = timeline_.tracks[index(line_.track)];
    std::string text = title_name(display_label(timeline_, slice.name));
    text += "\n" + duration_text(slice.duration_ns, timeline_.axis);
    if (slices_nest(track) && can_walk(ref, slice)) {
      text += ", self " + duration_text(self_ns(timeline_, ref), timeline_.axis);
    }
    text += "\n" + place_text(slice.begin_ns, timestamp_format(timeline_, canvas_.state));
    text += "\n" + title_name(track_label(timeline_, track));
    return text;
  }

  // Whether its self time can be found with what is left of the line's work.
  bool can_walk(const SliceRef& ref, const Slice& slice) {
    const SliceBlock* block = block_of(timeline_, ref);
    const Track& track = timeline_.tracks[index(ref.track)];
    const bool one_row = !track.has_overlaps && track.blocks.size() == 1;
    const std::size_t first = track.has_overlaps ? 0 : std::size_t{ref.row} + 1;
    constexpr std::size_t kMostRows = 2000;
    if (!one_row && block->rows.size() - std::min(first, block->rows.size()) > kMostRows) {
      return false;
    }
    std::uint64_t inside = 0;
    for (std::size_t row = first; row < block->rows.size(); ++row) {
      const SliceRow& below = block->rows[row];
      inside += below.lower_bound(slice.end_ns()) - below.lower_bound(slice.begin_ns);
      if (one_row) break;
    }
    if (!one_row) inside *= 20;  // they have to be sorted
    if (inside > walks_left_) return false;
    walks_left_ -= inside;
    return true;
  }

  const PictureCanvas& canvas_;
  PicturePen& pen_;
  const Timeline& timeline_;
  const DrawLine& line_;
  const SliceRow* row_;
  float y0_ = 0, y1_ = 0;
  std::uint64_t walks_left_ = 2'000'000;  // slices looked at for titles
};

void diamond(PicturePen& pen, float x, float y, float radius, Rgba colour) {
  pen.polygon({{x, y - radius}, {x + radius, y}, {x, y + radius}, {x - radius, y}}, colour);
}

std::string instant_title(const PictureCanvas& canvas, const DrawLine& line, const DrawBox& box) {
  if (!canvas.picture.titles) return {};
  if (box.merged()) return fmt::format("{} instants", count_text(box.count));
  const SliceRow* row = instants_of(canvas.timeline, {line.track, box.first, line.block, line.row});
  if (row == nullptr || box.first >= row->count()) return {};
  return title_name(display_name(canvas.timeline, box.name)) + "\n" +
         place_text(row->begin_ns(box.first), timestamp_format(canvas.timeline, canvas.state));
}

void draw_nested_instants(const PictureCanvas& canvas, const PictureTracks& part,
                          const DrawLine& line) {
  PicturePen& pen = canvas.pen;
  const float y0 = part.y_of(canvas, static_cast<double>(line.y_px)) - 1;
  const float y1 = y0 + std::round(pen.px(line.on_slices ? kStepPx : kNestedInstantDropPx));
  const float width = std::round(pen.px(kNestedInstantPx));
  float last_x = -1e9f;
  FoundBoxes found(canvas.picture.matches, line);
  for (const DrawBox& box : line.boxes) {
    const InstantRef ref{line.track, box.first, line.block, line.row};
    const bool selected = ref == canvas.state.selected_instant;
    const bool is_found = found(box);
    const float x = canvas.tracks.x + std::floor(box.x_px * canvas.merge_px);
    if (x < canvas.tracks.x || (x - last_x < width && !selected)) continue;
    last_x = x;
    Rgba colour = !is_found      ? pen.palette.unmatched()
                  : box.merged() ? pen.colours.dim
                                 : pen.palette.box(canvas.timeline.strings->hash(box.name));
    if (line.on_slices && is_found) colour = pen.colours.on_box;
    if (selected) colour = pen.colours.accent;
    pen.begin(PictureGroup::Kind::box, instant_title(canvas, line, box));
    if (!line.on_slices) {
      pen.fill({x - width / 2 - 1, y0, width + 2, y1 - y0 + 1}, pen.paper);
    }
    pen.fill({x - width / 2, y0, width, y1 - y0}, colour);
    pen.end();
  }
}

void draw_track_instants(const PictureCanvas& canvas, const PictureTracks& part,
                         const DrawLine& line) {
  PicturePen& pen = canvas.pen;
  const float radius = pen.px(kDiamondPx), beside = radius + pen.px(4.0f);
  const float y = part.y_of(canvas, static_cast<double>(line.y_px));
  float last_x = -1e9f;
  FoundBoxes found(canvas.picture.matches, line);
  for (std::size_t i = 0; i < line.boxes.size(); ++i) {
    const DrawBox& box = line.boxes[i];
    const bool is_found = found(box);
    const float x = canvas.tracks.x + std::floor(box.x_px * canvas.merge_px) + 0.5f;
    const bool selected =
        InstantRef{line.track, box.first, line.block, line.row} == canvas.state.selected_instant;
    if (x < canvas.tracks.x || (x - last_x < radius && !selected)) continue;
    last_x = x;
    Rgba colour = !is_found      ? pen.palette.unmatched()
                  : box.merged() ? pen.colours.dim
                                 : pen.palette.box(canvas.timeline.strings->hash(box.name));
    if (selected) colour = pen.colours.accent;
    pen.begin(PictureGroup::Kind::box, instant_title(canvas, line, box));
    diamond(pen, x, y, radius, colour);
    // Its name has the room to the next one.
    const float next = i + 1 < line.boxes.size()
                           ? canvas.tracks.x + line.boxes[i + 1].x_px * canvas.merge_px
                           : right_of(canvas.tracks);
    const float room = std::min(next - beside - (x + beside), pen.px(400.0f));
    if (!box.merged() && room >= pen.px(24.0f)) {
      pen.short_name(PictureFont::words, x + beside, y, room,
                     is_found ? pen.colours.text : pen.colours.dim,
                     display_label(canvas.timeline, box.name));
    }
    pen.end();
  }
}

}  // namespace

void draw_line_of_slices(const PictureCanvas& canvas, const PictureTracks& part,
                         const DrawLine& line) {
  LineDrawing(canvas, part, line).draw();
}

void draw_line_of_instants(const PictureCanvas& canvas, const PictureTracks& part,
                           const DrawLine& line) {
  if (line.nested()) {
    draw_nested_instants(canvas, part, line);
  } else {
    draw_track_instants(canvas, part, line);
  }
}

void draw_wide_instants(const PictureCanvas& canvas, const PictureTracks& part) {
  PicturePen& pen = canvas.pen;
  for (const WideLine& wide : part.layout.wide) {
    constexpr float kRoomPx = 24, kLeast = 40;
    const float most = pen.theme == ThemeKind::light ? 255 : 170;
    const auto count = static_cast<float>(std::max<std::size_t>(wide.boxes.size(), 1));
    const auto opacity = static_cast<std::uint32_t>(
        std::clamp(most * canvas.tracks.width / count / kRoomPx, kLeast, most));
    DrawLine line;
    line.track = wide.track;
    line.instants = true;
    FoundBoxes found(canvas.picture.matches, line);
    const float y0 = part.y_of(canvas, static_cast<double>(wide.y0_px));
    const float y1 = part.y_of(canvas, static_cast<double>(wide.y1_px));
    for (const DrawBox& box : wide.boxes) {
      const bool is_found = found(box);
      const float x = std::floor(box.x_px * canvas.merge_px);
      if (x < 0 || x >= canvas.tracks.width) continue;
      Rgba colour = !is_found      ? pen.palette.unmatched()
                    : box.merged() ? pen.colours.dim
                                   : pen.palette.box(canvas.timeline.strings->hash(box.name));
      colour = with_alpha(colour, opacity);
      if (InstantRef{wide.track, box.first, BlockId{}, 0} == canvas.state.selected_instant) {
        colour = pen.colours.accent;
      }
      const float width = std::max(std::round(pen.px(1.0f)), 1.0f);
      pen.begin(PictureGroup::Kind::box, instant_title(canvas, line, box));
      pen.fill({canvas.tracks.x + x, y0, width, y1 - y0}, colour);
      pen.end();
    }
  }
}

// As the window does: opacity in sixteen steps, equal neighbours as one rectangle.
void draw_busy(PicturePen& pen, float x, float step_px, float y0, float y1, float right,
               const std::vector<std::uint8_t>& busy, Rgba colour) {
  for (std::size_t c = 0; c < busy.size();) {
    const std::uint32_t level = (busy[c] + 16u) / 17;
    std::size_t end = c + 1;
    while (end < busy.size() && (busy[end] + 16u) / 17 == level) ++end;
    const float x0 = x + static_cast<float>(c) * step_px;
    const float x1 = std::min(x + static_cast<float>(end) * step_px, right);
    if (level > 0) pen.fill({x0, y0, x1 - x0, y1 - y0}, with_alpha(colour, 46 + level * 209 / 15));
    c = end;
  }
}

}  // namespace cinderscope
