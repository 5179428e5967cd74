#include "render/views/timeline/ruler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace cinderscope {
namespace {

// A long time's last digits tell more than its first: "…003.000 250 s".
std::string with_its_end(const std::string& time, const ImFont& font, float room_px) {
  std::string text = time;
  for (std::size_t at = time.find(' '); at != std::string::npos; at = time.find(' ', at + 1)) {
    if (text_width(font, text) <= room_px) break;
    text = std::string(ellipsis_of(font)) + time.substr(at + 1);
  }
  return text;
}

// Draws a label on a plate, centred at `x` if there is room.
struct Plate {
  Rect rect;
  std::string text;
};

Plate plate_at(const Canvas& canvas, float x, std::string text, float more_px = 0) {
  const float text_px = text_width(font_or_default(canvas.theme.numbers), text);
  const float width = text_px + canvas.px(10) + more_px;
  const float lowest = canvas.ruler.x;
  const float highest = std::max(lowest, right_of(canvas.ruler) - width);
  const float left = std::round(std::clamp(x - width / 2, lowest, highest));
  return {{left, canvas.ruler.y + canvas.px(4), width, canvas.ruler.height - canvas.px(7)},
          std::move(text)};
}

constexpr float kCrossPx = 18, kEdgeReachPx = 4;

std::optional<Plate> range_plate(const Canvas& canvas, const TimeRange& range, bool with_cross) {
  const float left_edge = canvas.tracks.x, right_edge = right_of(canvas.tracks);
  const float x0 = std::clamp(canvas.x_of(range.begin_ns), left_edge, right_edge);
  const float x1 = std::clamp(canvas.x_of(range.end_ns), left_edge, right_edge);
  if (x1 <= left_edge || x0 >= right_edge) return std::nullopt;
  std::int64_t length_ns = 0;
  if (__builtin_sub_overflow(range.end_ns, range.begin_ns, &length_ns)) length_ns = INT64_MAX;
  return plate_at(canvas, (x0 + x1) / 2, length_text(length_ns, canvas.frame.timeline.axis),
                  with_cross ? canvas.px(kCrossPx) : 0);
}

// Beside the length of the range where it would cover that.
std::optional<Plate> cursor_plate(const Canvas& canvas, const Ruler& ruler,
                                  const std::optional<RulerRange>& shown, std::int64_t time_ns) {
  const float x = canvas.x_of(time_ns);
  if (x < canvas.tracks.x || x >= right_of(canvas.tracks)) return std::nullopt;
  const TimelineState& state = canvas.frame.state;
  Plate plate = plate_at(
      canvas, x,
      relative_text(ruler, state.view, time_ns, timestamp_format(canvas.frame.timeline, state)));
  const auto range = shown ? range_plate(canvas, shown->range, shown->selected) : std::nullopt;
  if (!range) return plate;
  const float gap = canvas.px(4);
  const float left = range->rect.x - gap - plate.rect.width, right = right_of(range->rect) + gap;
  const bool overlaps = plate.rect.x < right && right_of(plate.rect) > range->rect.x - gap;
  if (!overlaps) return plate;
  const bool fits_left = left >= canvas.ruler.x;
  const bool fits_right = right + plate.rect.width <= right_of(canvas.ruler);
  if (!fits_left && !fits_right) return std::nullopt;
  const bool goes_left = x < range->rect.x + range->rect.width / 2;
  plate.rect.x = fits_left && (goes_left || !fits_right) ? left : right;
  return plate;
}

void draw_plate(const Canvas& canvas, const Plate& plate) {
  const Rect& rect = plate.rect;
  const ImFont& font = font_or_default(canvas.theme.numbers);
  canvas.list.AddRectFilled({rect.x, rect.y}, {right_of(rect), bottom_of(rect)},
                            canvas.colours.raised, canvas.px(3));
  canvas.list.AddRect({rect.x, rect.y}, {right_of(rect), bottom_of(rect)}, canvas.colours.line,
                      canvas.px(3));
  draw_text(canvas.list, font, rect.x + canvas.px(5), rect.y + rect.height / 2, canvas.colours.text,
            plate.text);
}

Rect cross_of(const Canvas& canvas, const Plate& plate) {
  const float side = canvas.px(kCrossPx);
  return {right_of(plate.rect) - side, plate.rect.y, side, plate.rect.height};
}

void draw_cross(const Canvas& canvas, const Rect& rect, bool hovered) {
  const float x = std::round(rect.x + rect.width / 2 - canvas.px(1)) + 0.5f;
  const float y = std::round(rect.y + rect.height / 2) + 0.5f, half = canvas.px(3);
  const Rgba colour = hovered ? canvas.colours.text : canvas.colours.dim;
  canvas.list.AddLine({x - half, y - half}, {x + half, y + half}, colour, canvas.px(1.2f));
  canvas.list.AddLine({x - half, y + half}, {x + half, y - half}, colour, canvas.px(1.2f));
}

}  // namespace

RangePart range_part_at(const Canvas& canvas, const TimeRange& range, ImVec2 point) {
  const float left = canvas.tracks.x, right = right_of(canvas.tracks);
  if (point.x < left || point.x >= right || point.y < canvas.ruler.y) return RangePart::none;
  const bool on_ruler = contains(canvas.ruler, point);
  if (!on_ruler && !contains(canvas.tracks, point)) return RangePart::none;
  if (on_ruler) {
    const auto plate = range_plate(canvas, range, true);
    if (plate && contains(cross_of(canvas, *plate), point)) return RangePart::cross;
    // A narrow range can be held by its whole length on the ruler.
    if (plate && contains(plate->rect, point)) return RangePart::bar;
  }
  const float x0 = canvas.x_of(range.begin_ns), x1 = canvas.x_of(range.end_ns);
  const float reach = canvas.px(kEdgeReachPx);
  if (std::abs(point.x - x1) <= reach) return RangePart::end;
  if (std::abs(point.x - x0) <= reach) return RangePart::begin;
  return on_ruler && point.x > x0 && point.x < x1 ? RangePart::bar : RangePart::none;
}

void draw_grid(const Canvas& canvas, const Ruler& ruler) {
  for (const RulerTick& tick : ruler.ticks) {
    vertical_line(canvas.list, canvas.x_of(tick.time_ns), canvas.tracks.y, bottom_of(canvas.tracks),
                  canvas.colours.grid);
  }
}

void draw_ruler(const Canvas& canvas, const Ruler& ruler, const std::optional<RulerRange>& range) {
  const ThemeColours& colours = canvas.colours;
  const ImFont& font = font_or_default(canvas.theme.numbers);
  const float bottom = bottom_of(canvas.ruler);
  const float middle = canvas.ruler.y + canvas.px(13);
  fill(canvas.list, canvas.ruler_head, colours.panel);
  fill(canvas.list, canvas.ruler, colours.panel);
  const float head_x = canvas.ruler_head.x + canvas.px(14);
  const float head_px = canvas.ruler_clock.width - canvas.px(14);
  if (canvas.frame.state.lane && ruler.base_ns == ruler.origin_ns) {
    draw_cut_text(canvas.list, font_or_default(canvas.theme.words), head_x, middle, head_px,
                  colours.dim, "from where they line up");
  } else {
    const std::string head = with_its_end(ruler.base_label, font, head_px);
    draw_text(canvas.list, font, head_x, middle, colours.text, head);
    const float note_px = text_width(font, head) + canvas.px(8);
    if (note_px + text_width(font, ruler.base_note) <= head_px) {
      draw_text(canvas.list, font, head_x + note_px, middle, colours.dim, ruler.base_note);
    }
  }

  canvas.list.PushClipRect({canvas.ruler.x, canvas.ruler.y}, {right_of(canvas.ruler), bottom},
                           true);
  const TimelineState& state = canvas.frame.state;
  std::array<std::optional<Plate>, 2> plates;
  std::optional<std::int64_t> cursor_ns = state.cursor_ns;
  if (!cursor_ns && state.lane) cursor_ns = state.lane->cursor_ns;
  if (cursor_ns) plates[0] = cursor_plate(canvas, ruler, range, *cursor_ns);
  if (range) plates[1] = range_plate(canvas, range->range, range->selected);
  for (const RulerTick& tick : ruler.ticks) {
    const float tick_x = canvas.x_of(tick.time_ns);
    vertical_line(canvas.list, tick_x, bottom - canvas.px(8), bottom, colours.line);
    // A label that is cut or half covered would read as another number.
    const float x = tick_x + canvas.px(5), end = x + text_width(font, tick.label);
    const float gap = canvas.px(6);
    const auto covers = [&](const std::optional<Plate>& plate) {
      return plate && x < right_of(plate->rect) + gap && end + gap > plate->rect.x;
    };
    const auto cuts = [&](std::int64_t edge_ns) {
      const float edge = canvas.x_of(edge_ns);
      return edge > x - canvas.px(3) && edge < end + canvas.px(2);
    };
    if (end > right_of(canvas.ruler) || std::ranges::any_of(plates, covers)) continue;
    if (range && (cuts(range->range.begin_ns) || cuts(range->range.end_ns))) continue;
    draw_text(canvas.list, font, x, middle, tick.major ? colours.text : colours.dim, tick.label);
  }
  canvas.list.PopClipRect();
  horizontal_line(canvas.list, canvas.ruler_head.x, right_of(canvas.ruler), canvas.ruler.y,
                  colours.line);
  horizontal_line(canvas.list, canvas.ruler_head.x, right_of(canvas.ruler), bottom - 1,
                  colours.line);
}

void draw_range(const Canvas& canvas, const TimeRange& range, RangeLook look) {
  const float left_edge = canvas.tracks.x;
  const float right_edge = right_of(canvas.tracks);
  const float x0 = std::clamp(canvas.x_of(range.begin_ns), left_edge, right_edge);
  const float x1 = std::clamp(canvas.x_of(range.end_ns), left_edge, right_edge);
  const float top = canvas.tracks.y;
  const float bottom = bottom_of(canvas.tracks);
  const Rgba shade = with_alpha(canvas.colours.background, 150);
  canvas.list.AddRectFilled({left_edge, top}, {x0, bottom}, shade);
  canvas.list.AddRectFilled({x1, top}, {right_edge, bottom}, shade);

  canvas.list.PushClipRect({left_edge, canvas.ruler.y}, {right_edge, bottom}, true);
  const auto edge_colour = [&](RangePart part) {
    return look.hovered == part ? canvas.colours.text : canvas.colours.dim;
  };
  const Rgba edge = edge_colour(RangePart::bar);
  const bool held = look.hovered == RangePart::bar || look.hovered == RangePart::cross;
  canvas.list.AddRectFilled({x0, canvas.ruler.y + 1}, {x1, bottom_of(canvas.ruler) - 1},
                            with_alpha(canvas.colours.text, held ? 34 : 18));
  vertical_line(canvas.list, canvas.x_of(range.begin_ns), canvas.ruler.y, bottom,
                edge_colour(RangePart::begin));
  vertical_line(canvas.list, canvas.x_of(range.end_ns), canvas.ruler.y, bottom,
                edge_colour(RangePart::end));
  const float y = canvas.ruler.y + canvas.px(2);
  canvas.list.AddRectFilled({x0, y}, {x1, y + canvas.px(2)}, edge);
  canvas.list.PopClipRect();
  if (!look.with_length) return;
  if (const auto plate = range_plate(canvas, range, look.selected)) {
    draw_plate(canvas, *plate);
    if (look.selected) {
      draw_cross(canvas, cross_of(canvas, *plate), look.hovered == RangePart::cross);
    }
  }
}

void draw_cursor(const Canvas& canvas, const Ruler& ruler, const std::optional<RulerRange>& range,
                 std::int64_t time_ns, bool with_time) {
  const float x = canvas.x_of(time_ns);
  if (x < canvas.tracks.x || x >= right_of(canvas.tracks)) return;
  vertical_line(canvas.list, x, canvas.tracks.y, bottom_of(canvas.tracks),
                with_alpha(canvas.colours.text, 90));
  if (!with_time) return;
  if (const auto plate = cursor_plate(canvas, ruler, range, time_ns)) draw_plate(canvas, *plate);
}

}  // namespace cinderscope
