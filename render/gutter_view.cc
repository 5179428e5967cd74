#include "render/gutter_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/counter_view.h"
#include "render/time_text.h"

namespace cinderscope {
namespace {

constexpr float kNameX = 30;
constexpr float kIdRight = 18;  // of ids, from the gutter's right edge
constexpr float kNoteRoomPx = 74;

class GutterPainter {
 public:
  GutterPainter(const Canvas& canvas, const TrackList& tracks, const GutterHit& hovered)
      : canvas_(canvas),
        tracks_(tracks),
        hovered_(hovered),
        timeline_(canvas.frame.timeline),
        words_(font_or_default(canvas.theme.words)),
        heads_(font_or_default(canvas.theme.heads)),
        numbers_(font_or_default(canvas.theme.numbers)) {}

  void draw(const VisibleRow& visible) {
    const TrackRow& row = tracks_.rows()[visible.index];
    const float y = canvas_.y_of(static_cast<double>(visible.y_px));
    const float end = canvas_.y_of(static_cast<double>(visible.y_px) + row.height_px);
    const bool lit = hovered_.over && hovered_.row == visible.index;
    if (row.kind == TrackRow::Kind::process_head) {
      process_head(row, y, end, lit);
      return;
    }
    const Rgba back = lit ? canvas_.colours.panel : canvas_.colours.background;
    fill(canvas_.list, {canvas_.gutter.x, y, canvas_.gutter.width, end - y}, back);
    track(row, visible, y, end, lit);
    horizontal_line(canvas_.list, canvas_.gutter.x, right_of(canvas_.tracks), end - 1,
                    canvas_.colours.grid);
  }

 private:
  float id_right() const { return right_of(canvas_.gutter) - canvas_.px(kIdRight); }

  void process_head(const TrackRow& row, float y, float end, bool lit) {
    const ThemeColours& colours = canvas_.colours;
    const float width = right_of(canvas_.tracks) - canvas_.gutter.x;
    fill(canvas_.list, {canvas_.gutter.x, y, width, end - y - 1},
         lit ? colours.raised : colours.panel);
    horizontal_line(canvas_.list, canvas_.gutter.x, canvas_.gutter.x + width, end - 1,
                    colours.line);
    const float middle = (y + end - 1) / 2;
    triangle(canvas_.gutter.x + canvas_.px(18), middle, row.collapsed, colours.dim);
    const float x = canvas_.gutter.x + canvas_.px(kNameX);
    float right = id_right();
    if (index(row.process) < timeline_.processes.size()) {
      const Process& process = timeline_.processes[index(row.process)];
      // An id that already stands in for the name need not be said twice.
      const bool named = process.name != kEmptyString;
      if (named) right -= id(timeline_.text(process.pid), right, middle);
    }
    draw_cut_text(canvas_.list, heads_, x, middle, right - x - canvas_.px(6), colours.text,
                  process_label(timeline_, row.process));
    if (row.hidden_tracks > 0) {
      draw_text(canvas_.list, words_, right_of(canvas_.gutter) + canvas_.px(6), middle,
                hovered_.hidden_note && lit ? colours.text : colours.dim,
                fmt::format("+{} hidden", row.hidden_tracks));
    }
  }

  // Ids are cut, too: they are text of the file.
  float id(std::string_view text, float right, float middle) {
    if (text.empty() || text.size() > 32) return 0;
    const float width = text_width(numbers_, text);
    if (width > canvas_.gutter.width / 2) return 0;
    draw_cut_text(canvas_.list, numbers_, right - width, middle, width + 1, canvas_.colours.dim,
                  text);
    return width;
  }

  void track(const TrackRow& row, const VisibleRow& visible, float y, float end, bool lit) {
    const Track& facts = timeline_.tracks[index(row.track)];
    // The name stays in sight while any part of the track is.
    const float room = canvas_.px(static_cast<float>(kMinTrackPx));
    const float top = std::max(y, std::min(canvas_.gutter.y, end - room));
    const float middle = top + canvas_.px(13);
    const float x = canvas_.gutter.x + canvas_.px(kNameX);
    const bool counter = row.kind == TrackRow::Kind::counter;
    if (lit || row.collapsed) {
      triangle(canvas_.gutter.x + canvas_.px(18), middle, row.collapsed, canvas_.colours.dim);
    }
    float right = id_right();
    if (counter) {
      const std::string value = counter_value_text(facts, canvas_.frame.state.cursor_ns);
      if (facts.series.size() == 1 || row.collapsed) {
        right -= draw_text(canvas_.list, numbers_, right, middle, canvas_.colours.dim, value,
                           Align::right);
      } else if (end - top >= canvas_.px(40)) {
        // Several values would leave the name no room.
        draw_cut_text(canvas_.list, numbers_, x, middle + canvas_.px(18), right - x,
                      canvas_.colours.dim, value);
      }
    } else {
      right -= id(track_id_text(timeline_, facts), right, middle);
    }
    draw_cut_text(canvas_.list, words_, x, middle, right - x - canvas_.px(6), canvas_.colours.text,
                  track_label(timeline_, facts));
    if (facts.kind == TrackKind::async) async_edge(y, end);
    if (counter || end - top < canvas_.px(30)) return;
    busy_bar(facts, visible.busy, x, top + canvas_.px(24));
  }

  void busy_bar(const Track& facts, float busy, float x, float y) {
    const float width = std::min(canvas_.px(120), id_right() - x);
    const float height = canvas_.px(3);
    y = std::round(y);
    fill(canvas_.list, {x, y, width, height}, canvas_.colours.line);
    // What is busy at all shows at least a pixel.
    const float share = busy > 0 ? std::max(width * busy, 1.0f) : 0;
    const std::uint32_t hash = stable_hash(track_label(timeline_, facts));
    fill(canvas_.list, {x, y, share, height}, canvas_.palette.box(hash));
  }

  // Dashed, at the left edge of the tracks.
  void async_edge(float y, float end) {
    const float x = right_of(canvas_.gutter);
    const float dash = canvas_.px(4);
    const float first = std::max(y, canvas_.gutter.y);
    const float last = std::min(end, bottom_of(canvas_.gutter));
    const int dashes = static_cast<int>(std::max(last - first, 0.0f) / (2 * dash)) + 1;
    for (int i = 0; i < dashes; ++i) {
      const float at = first + 2 * dash * static_cast<float>(i);
      fill(canvas_.list, {x, at, canvas_.px(2), std::clamp(last - at, 0.0f, dash)},
           canvas_.colours.dim);
    }
  }

  void triangle(float x, float y, bool collapsed, Rgba colour) {
    const float side = canvas_.px(4);
    if (collapsed) {
      canvas_.list.AddTriangleFilled({x - side * 0.6f, y - side}, {x + side * 0.8f, y},
                                     {x - side * 0.6f, y + side}, colour);
    } else {
      canvas_.list.AddTriangleFilled({x - side, y - side * 0.6f}, {x + side, y - side * 0.6f},
                                     {x, y + side * 0.8f}, colour);
    }
  }

  const Canvas& canvas_;
  const TrackList& tracks_;
  const GutterHit& hovered_;
  const Timeline& timeline_;
  const ImFont& words_;
  const ImFont& heads_;
  const ImFont& numbers_;
};

}  // namespace

GutterHit gutter_hit(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                     ImVec2 point) {
  GutterHit hit;
  if (point.y < canvas.gutter.y || point.y >= bottom_of(canvas.gutter)) return hit;
  for (const VisibleRow& visible : layout.visible) {
    const TrackRow& row = tracks.rows()[visible.index];
    const float y = canvas.y_of(static_cast<double>(visible.y_px));
    const float end = canvas.y_of(static_cast<double>(visible.y_px) + row.height_px);
    if (point.y < y || point.y >= end) continue;
    const bool head = row.kind == TrackRow::Kind::process_head;
    const bool in_gutter = point.x >= canvas.gutter.x && point.x < right_of(canvas.gutter);
    const bool in_head = head && point.x < right_of(canvas.tracks) && point.x >= canvas.gutter.x;
    hit.over = in_gutter || in_head;
    hit.row = visible.index;
    const float note = point.x - right_of(canvas.gutter);
    hit.hidden_note = head && row.hidden_tracks > 0 && note >= 0 && note < canvas.px(kNoteRoomPx);
  }
  return hit;
}

void draw_gutter(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                 const GutterHit& hovered) {
  GutterPainter painter(canvas, tracks, hovered);
  fill(canvas.list, canvas.gutter, canvas.colours.background);
  for (const VisibleRow& visible : layout.visible) painter.draw(visible);
  vertical_line(canvas.list, right_of(canvas.gutter) - 1, canvas.ruler.y, bottom_of(canvas.gutter),
                canvas.colours.line);
}

}  // namespace cinderscope
