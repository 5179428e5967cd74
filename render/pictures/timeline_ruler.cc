// What stands above the tracks, and the lines that go down from there.
#include <fmt/format.h>

#include "render/layout/activity.h"
#include "render/layout/match_columns.h"
#include "render/pictures/timeline_canvas.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

// Each line of the overview: neighbouring tracks added up where they do not fit.
void draw_activity_of_all(const PictureCanvas& canvas, const TrackList& pinned,
                          const TrackList& main, const Viewport& whole) {
  constexpr float kPadPx = 6, kMinLinePx = 4, kMaxLinePx = 14;
  PicturePen& pen = canvas.pen;
  const Timeline& timeline = canvas.timeline;
  std::vector<std::pair<double, std::uint32_t>> order;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    if (activity_row(timeline.tracks[i]) == nullptr) continue;
    const TrackRow* above = pinned.row_of(TrackId(i));
    const TrackRow* row = main.row_of(TrackId(i));
    const double y_px = row == nullptr ? 1e300 : row->y_px;
    order.emplace_back(above != nullptr ? above->y_px - 1e15 : y_px, i);
  }
  if (order.empty()) return;
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const float room = canvas.overview.height - 2 * pen.px(kPadPx);
  const auto lines =
      std::min(order.size(), static_cast<std::size_t>(std::max(room / pen.px(kMinLinePx), 1.0f)));
  const float step = std::min(room / static_cast<float>(lines), pen.px(kMaxLinePx));
  float y = canvas.overview.y + pen.px(kPadPx) + (room - step * static_cast<float>(lines)) / 2;
  std::vector<float> covered;
  for (std::size_t i = 0; i < lines; ++i) {
    std::vector<std::uint32_t> tracks;
    for (std::size_t k = order.size() * i / lines; k < order.size() * (i + 1) / lines; ++k) {
      tracks.push_back(order[k].second);
    }
    covered.assign(static_cast<std::size_t>(whole.width_px), 0.0f);
    add_activity(timeline, tracks, std::max<std::size_t>(kReadClosely / lines, 1), whole, covered);
    const auto busiest = std::ranges::max_element(
        tracks, {}, [&](std::uint32_t track) { return busy_ns_of(timeline.tracks[track]); });
    const float y0 = std::round(y), y1 = std::max(std::round(y + step) - 1, y0 + 1);
    draw_busy(pen, canvas.overview.x, 1, y0, y1, right_of(canvas.overview), busy_bytes(covered),
              pen.palette.box(stable_hash(track_label(timeline, timeline.tracks[*busiest]))));
    y += step;
  }
}

void draw_plate(const PictureCanvas& canvas, const Rect& rect, std::string_view text) {
  PicturePen& pen = canvas.pen;
  pen.fill(rect, pen.colours.raised);
  pen.outline(rect, pen.colours.line, 1);
  pen.text(PictureFont::numbers, rect.x + pen.px(5.0f), middle_y(rect), pen.colours.text, text);
}

struct RangePlate {
  Rect rect;
  std::string text;
};

std::optional<RangePlate> range_plate(const PictureCanvas& canvas) {
  const auto& range = canvas.state.range;
  if (!range) return std::nullopt;
  PicturePen& pen = canvas.pen;
  const float left = canvas.tracks.x, right = right_of(canvas.tracks);
  const float x0 = std::clamp(canvas.x_of(range->begin_ns), left, right);
  const float x1 = std::clamp(canvas.x_of(range->end_ns), left, right);
  if (x1 <= left || x0 >= right) return std::nullopt;
  std::int64_t length_ns = 0;
  if (__builtin_sub_overflow(range->end_ns, range->begin_ns, &length_ns)) length_ns = INT64_MAX;
  std::string text = duration_text(length_ns, canvas.timeline.axis);
  const float width = pen.width(PictureFont::numbers, text) + pen.px(10.0f);
  const float x =
      std::round(std::clamp((x0 + x1 - width) / 2, left, std::max(left, right - width)));
  return RangePlate{{x, canvas.ruler.y + pen.px(4.0f), width, canvas.ruler.height - pen.px(7.0f)},
                    std::move(text)};
}

}  // namespace

bool has_bookmarks(const TimelineState& state) {
  return std::ranges::any_of(state.bookmarks, [&](const Bookmark& mark) {
    return mark.time_ns >= state.view.begin_ns && mark.time_ns <= state.view.end_ns();
  });
}

void draw_grid(const PictureCanvas& canvas) {
  for (const RulerTick& tick : canvas.ruler_ticks.ticks) {
    const float x = canvas.x_of(tick.time_ns);
    if (x < canvas.tracks.x || x >= right_of(canvas.tracks)) continue;
    canvas.pen.vertical_line(x, canvas.tracks.y, bottom_of(canvas.tracks), canvas.pen.colours.grid);
  }
}

void draw_overview(const PictureCanvas& canvas, const TrackList& pinned, const TrackList& main) {
  PicturePen& pen = canvas.pen;
  const Rect &area = canvas.overview, &head = canvas.overview_head;
  const Timeline& timeline = canvas.timeline;
  pen.fill({head.x, area.y, head.width + area.width, area.height}, pen.colours.panel);
  if (head.width > 0) {
    const float x = head.x + pen.px(14.0f);
    pen.text(PictureFont::words, x, area.y + pen.px(19.0f), pen.colours.dim, "Whole trace");
    std::int64_t length_ns = 0;
    if (!__builtin_sub_overflow(timeline.end_ns, timeline.begin_ns, &length_ns)) {
      pen.text(PictureFont::numbers, x, area.y + pen.px(37.0f), pen.colours.dim,
               exact_text(length_ns, timeline.axis));
    }
  }
  const Viewport whole = showing(timeline.begin_ns, timeline.end_ns, area.width);
  draw_activity_of_all(canvas, pinned, main, whole);
  const auto x_of = [&](std::int64_t time_ns) {
    return area.x + static_cast<float>(std::clamp(whole.px_from_ns(time_ns), 0.0,
                                                  static_cast<double>(area.width)));
  };
  if (canvas.picture.matches != nullptr && canvas.picture.matches->count() > 0) {
    const std::vector<std::uint8_t> matched = match_columns(*canvas.picture.matches, whole);
    const float height = pen.px(5.0f);
    for (std::size_t c = 0; c < matched.size(); ++c) {
      if (matched[c] == 0) continue;
      std::size_t end = c + 1;
      while (end < matched.size() && matched[end] != 0) ++end;
      pen.fill({area.x + static_cast<float>(c), bottom_of(area) - 1 - height,
                static_cast<float>(end - c), height},
               pen.colours.text);
      c = end;
    }
  }
  for (const Bookmark& mark : canvas.state.bookmarks) {
    const float side = pen.px(4.0f), x = std::floor(x_of(mark.time_ns));
    pen.polygon({{x - side, area.y}, {x + side, area.y}, {x, area.y + 1.5f * side}},
                pen.colours.text);
  }
  const float x0 = x_of(canvas.state.view.begin_ns), x1 = x_of(canvas.state.view.end_ns());
  const Rgba shade = pen.theme == ThemeKind::dark ? rgb(0x0a0b0d, 140) : rgb(0xffffff, 158);
  pen.fill({area.x, area.y, x0 - area.x, area.height}, shade);
  pen.fill({x1, area.y, right_of(area) - x1, area.height}, shade);
  const float missing = std::max(pen.px(6.0f) - (x1 - x0), 0.0f) / 2;
  pen.outline({x0 - missing, area.y, x1 - x0 + 2 * missing, area.height}, pen.colours.accent,
              pen.px(1.5f));
}

void draw_ruler(const PictureCanvas& canvas) {
  PicturePen& pen = canvas.pen;
  const Ruler& ruler = canvas.ruler_ticks;
  const Rect &area = canvas.ruler, &head = canvas.ruler_head;
  const float bottom = bottom_of(area), middle = area.y + pen.px(13.0f);
  const float left = head.x, right = right_of(area);
  pen.fill({left, area.y, right - left, area.height}, pen.colours.panel);
  if (head.width > 0) {
    const float x = head.x + pen.px(14.0f), room = head.width - pen.px(28.0f);
    std::string shown = ruler.base_label;
    for (std::size_t at = shown.find(' ');
         at != std::string::npos && pen.width(PictureFont::numbers, shown) > room;
         at = shown.find(' ')) {
      shown.erase(0, at + 1);
      if (pen.width(PictureFont::numbers, "…" + shown) <= room) shown.insert(0, "…");
    }
    const float note_px =
        pen.text(PictureFont::numbers, x, middle, pen.colours.text, shown) + pen.px(8.0f);
    if (note_px + pen.width(PictureFont::numbers, ruler.base_note) <= room) {
      pen.text(PictureFont::numbers, x + note_px, middle, pen.colours.dim, ruler.base_note);
    }
  }
  const auto plate = range_plate(canvas);
  for (const RulerTick& tick : ruler.ticks) {
    const float tick_x = canvas.x_of(tick.time_ns);
    if (tick_x < area.x || tick_x >= right) continue;
    pen.vertical_line(tick_x, bottom - pen.px(8.0f), bottom, pen.colours.line);
    const float x = tick_x + pen.px(5.0f), end = x + pen.width(PictureFont::numbers, tick.label);
    const float gap = pen.px(6.0f);
    if (end > right) continue;
    if (plate && x < right_of(plate->rect) + gap && end + gap > plate->rect.x) continue;
    pen.text(PictureFont::numbers, x, middle, tick.major ? pen.colours.text : pen.colours.dim,
             tick.label);
  }
  pen.horizontal_line(left, right, area.y, pen.colours.line);
  pen.horizontal_line(left, right, bottom - 1, pen.colours.line);
}

// What lies outside of the range is dimmed.
void draw_range(const PictureCanvas& canvas) {
  PicturePen& pen = canvas.pen;
  const TimeRange& range = *canvas.state.range;
  const float left = canvas.tracks.x, right = right_of(canvas.tracks);
  const float x0 = std::clamp(canvas.x_of(range.begin_ns), left, right);
  const float x1 = std::clamp(canvas.x_of(range.end_ns), left, right);
  const float top = canvas.tracks.y, bottom = bottom_of(canvas.tracks);
  const Rgba shade = with_alpha(pen.paper, 150);
  pen.fill({left, top, x0 - left, bottom - top}, shade);
  pen.fill({x1, top, right - x1, bottom - top}, shade);
  pen.fill({x0, canvas.ruler.y + 1, x1 - x0, canvas.ruler.height - 2},
           with_alpha(pen.colours.text, 18));
  for (const std::int64_t edge_ns : {range.begin_ns, range.end_ns}) {
    const float x = canvas.x_of(edge_ns);
    if (x < left || x > right) continue;
    pen.vertical_line(x, canvas.ruler.y, bottom, pen.colours.dim);
  }
  pen.fill({x0, canvas.ruler.y + pen.px(2.0f), x1 - x0, pen.px(2.0f)}, pen.colours.dim);
  if (const auto plate = range_plate(canvas)) draw_plate(canvas, plate->rect, plate->text);
}

// A flag for each bookmark, and its note beside that where there is room.
void draw_bookmarks(const PictureCanvas& canvas) {
  PicturePen& pen = canvas.pen;
  const Rect& notes = canvas.notes;
  const auto& marks = canvas.state.bookmarks;
  const float left = notes.x, right = right_of(notes);
  float drawn_x = -1;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const float x = std::floor(canvas.x_of(marks[i].time_ns));
    if (x < left || x >= right || x == drawn_x) continue;
    drawn_x = x;
    const float top = notes.y + pen.px(3.0f), side = pen.px(8.0f);
    pen.fill({x, top, 1, bottom_of(canvas.ruler) - top}, pen.colours.dim);
    pen.polygon({{x, top}, {x + side, top + side / 2}, {x, top + side}}, pen.colours.dim);
    const float at = x + side + pen.px(4.0f);
    const float next =
        i + 1 < marks.size() ? std::min(canvas.x_of(marks[i + 1].time_ns), right) : right;
    pen.cut_text(PictureFont::words, at, middle_y(notes), next - pen.px(6.0f) - at,
                 pen.colours.text, marks[i].note);
  }
}

}  // namespace cinderscope
