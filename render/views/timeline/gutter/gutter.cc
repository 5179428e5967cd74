#include "render/views/timeline/gutter/gutter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/text/counter_text.h"
#include "render/text/time_text.h"
#include "render/views/timeline/overview.h"
#include "render/views/widgets/side_chip.h"

namespace cinderscope {
namespace {

constexpr float kChipX = 14;             // of a lane's side
constexpr float kIdRight = 18;           // of ids, from the gutter's right edge
constexpr std::size_t kMostBytes = 200;  // a longer name leaves no room beside it

// Whose process stands nowhere else.
bool no_head_names_process(const TrackList& tracks, const TrackRow& row) {
  return row.pinned || tracks.groups().empty() || !tracks.groups()[row.group].is_process;
}

class GutterPainter {
 public:
  GutterPainter(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                const GutterHit& hovered)
      : canvas_(canvas),
        tracks_(tracks),
        layout_(layout),
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
    if (lit) lit_middle_ = gutter_line_y(canvas_, row, y, end);
    if (row.kind == TrackRow::Kind::head) {
      head(row, visible.index, y, end, lit);
      return;
    }
    const Rgba back = lit ? canvas_.colours.panel : canvas_.colours.background;
    fill(canvas_.list, {canvas_.gutter.x, y, canvas_.gutter.width, end - y}, back);
    if (canvas_.frame.state.selected_tracks.contains(index(row.track))) {
      fill(canvas_.list, {canvas_.gutter.x, y, canvas_.gutter.width, end - y},
           with_alpha(canvas_.colours.accent, 26));
      fill(canvas_.list, {canvas_.gutter.x, y, canvas_.px(2), end - y}, canvas_.colours.accent);
    }
    if (row.hidden_rows > 0) hidden_rows(row, end);
    track(row, visible, y, end, lit);
    horizontal_line(canvas_.list, canvas_.gutter.x, right_of(canvas_.tracks), end - 1,
                    canvas_.colours.grid);
  }

 private:
  float id_right() const { return right_of(canvas_.gutter) - canvas_.px(kIdRight); }

  // A thin line over the tracks that says how many rows a depth limit leaves out.
  void hidden_rows(const TrackRow& row, float end) {
    const float top = end - canvas_.px(static_cast<float>(kHiddenRowsPx + kTrackPadPx));
    const float middle = top + canvas_.px(static_cast<float>(kHiddenRowsPx)) / 2;
    const std::string text = row.hidden_rows == 1
                                 ? "1 more row"
                                 : fmt::format("{} more rows", count_text(row.hidden_rows));
    const float x = right_of(canvas_.gutter) + canvas_.px(6);
    horizontal_line(canvas_.list, right_of(canvas_.gutter), right_of(canvas_.tracks),
                    std::round(middle), canvas_.colours.line);
    const float width = text_width(words_, text);
    fill(canvas_.list,
         {x - canvas_.px(4), std::round(middle) - 1, width + canvas_.px(8), canvas_.px(2)},
         canvas_.colours.background);
    draw_text(canvas_.list, words_, x, middle, canvas_.colours.dim, text);
  }

  void head(const TrackRow& row, std::size_t at, float y, float end, bool lit) {
    const ThemeColours& colours = canvas_.colours;
    const TrackGroup& group = tracks_.groups()[row.group];
    const float width = right_of(canvas_.tracks) - canvas_.gutter.x;
    fill(canvas_.list, {canvas_.gutter.x, y, width, end - y - 1},
         lit ? colours.raised : colours.panel);
    horizontal_line(canvas_.list, canvas_.gutter.x, canvas_.gutter.x + width, end - 1,
                    colours.line);
    const float middle = gutter_line_y(canvas_, row, y, end);
    for (const DrawActivity& activity : layout_.activities) {
      if (activity.row != at) continue;
      RectBatch rects(canvas_.list);
      const std::uint32_t hash = stable_hash(group_label(timeline_, group));
      draw_busy(rects, canvas_.tracks.x, y + canvas_.px(6), end - 1 - canvas_.px(6), activity.busy,
                canvas_.palette.box(hash));
    }
    const float chip_px = lane_chip(middle);
    triangle(canvas_.gutter.x + canvas_.px(18) + chip_px, middle, row.collapsed, colours.dim);
    const float x = canvas_.gutter.x + canvas_.px(kNameX) + chip_px;
    float right = id_right();
    if (lit) {
      for (const GutterPart part : {GutterPart::threads, GutterPart::hide, GutterPart::solo}) {
        right = icon(part, icon_place(part), middle, false);
      }
    } else if (group.is_process && index(group.process) < timeline_.processes.size()) {
      const Process& process = timeline_.processes[index(group.process)];
      // An id that stands in for the name is not repeated.
      const bool named = process.name != kEmptyString;
      if (named) right -= id(process_id_text(timeline_, group.process), right, middle);
    }
    const float room = right - x - canvas_.px(6);
    if (group.is_process) {
      owner(group.process, heads_, x, middle, room, colours.text);
    } else {
      draw_cut_text(canvas_.list, heads_, x, middle, room, colours.text, group.name);
    }
    std::string note = head_note(canvas_.frame.state, row);
    const auto& lane = canvas_.frame.state.lane;
    if (note.empty() && lane && row.group == 0) note = lane->note;
    const bool note_lit = lit && hovered_.part == GutterPart::note;
    draw_text(canvas_.list, words_, right_of(canvas_.gutter) + canvas_.px(6), middle,
              note_lit ? colours.text : colours.dim, note);
  }

  // In a comparison a head says of which side it is. Returns the room that takes.
  float lane_chip(float middle) {
    const auto& lane = canvas_.frame.state.lane;
    if (!lane) return 0;
    draw_side_chip(canvas_.list, canvas_.theme, canvas_.gutter.x + canvas_.px(kChipX), middle,
                   lane->is_b);
    return canvas_.px(kChipX + kSideChipPx - 8);
  }

  // A process; where several files are on the timeline its file behind it, however short the room.
  void owner(ProcessId process, const ImFont& font, float x, float middle, float room,
             Rgba colour) {
    const std::string name = process_name(timeline_, process);
    const TimelineFile* file = file_of(timeline_, process);
    float file_px = 0;
    if (file != nullptr) {
      file_px = std::min(text_width(words_, file->name), room / 2);
      const float name_px =
          std::min(text_width(font, std::string_view(name).substr(0, kMostBytes)) + canvas_.px(8),
                   room - file_px);
      draw_short_name(canvas_.list, words_, x + name_px, middle, file_px + 1, canvas_.colours.dim,
                      file->name);
      room = name_px - canvas_.px(6);
    }
    draw_cut_text(canvas_.list, font, x, middle, room, colour, name);
  }

  // Returns the icon's left edge. An icon that is on shows without the pointer, too.
  float icon(GutterPart part, int place, float middle, bool on) {
    const Rect rect = gutter_icon(canvas_, place, middle);
    const ImFont& font = font_or_default(canvas_.theme.icons);
    const bool lit = hovered_.over && hovered_.part == part && lit_middle_ == middle;
    std::string_view glyph = "\uf08d";                  // thumb tack
    if (part == GutterPart::hide) glyph = "\uf070";     // crossed eye
    if (part == GutterPart::solo) glyph = "\uf05b";     // cross hairs
    if (part == GutterPart::threads) glyph = "\uf066";  // arrows inwards
    draw_text(canvas_.list, font, rect.x + (rect.width - text_width(font, glyph)) / 2, middle,
              lit || on ? canvas_.colours.text : canvas_.colours.dim, glyph);
    return rect.x;
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
    const float middle = gutter_line_y(canvas_, row, y, end);
    const float top = middle - canvas_.px(kLineY);
    const float x = canvas_.gutter.x + canvas_.px(kNameX);
    const bool counter = row.kind == TrackRow::Kind::counter;
    const auto& lane = canvas_.frame.state.lane;
    const bool alone = lane && lane->alone.contains(index(row.track));
    if (lit || row.collapsed) {
      triangle(canvas_.gutter.x + canvas_.px(18), middle, row.collapsed, canvas_.colours.dim);
    }
    float right = id_right();
    const bool solo = canvas_.frame.state.solo_tracks.contains(index(row.track));
    int place = 0;
    if (row.pinned || lit) right = icon(GutterPart::pin, place++, middle, row.pinned);
    if (lit) right = icon(GutterPart::hide, place++, middle, false);
    if (solo || lit) right = icon(GutterPart::solo, place++, middle, solo);
    if (lit) {
      // The icons take the place of the id.
    } else if (counter) {
      const std::string value = counter_value_text(timeline_, facts, canvas_.frame.state.cursor_ns);
      const bool below = end - top >= canvas_.px(40);
      const float width = text_width(numbers_, value);
      const float most = (right - x) / 2;
      if (width < most && (!below || facts.series.size() == 1)) {
        right -= draw_text(canvas_.list, numbers_, right, middle, canvas_.colours.dim, value,
                           Align::right);
      } else if (!below) {
        draw_cut_text(canvas_.list, numbers_, right - most, middle, most, canvas_.colours.dim,
                      value);
        right -= most;
      } else {
        // Beside them the name would have no room.
        draw_cut_text(canvas_.list, numbers_, x, middle + canvas_.px(18), right - x,
                      canvas_.colours.dim, value);
      }
    } else if (alone) {
      const std::string_view where = canvas_.frame.state.lane->is_b ? "only in B" : "only in A";
      right -=
          draw_text(canvas_.list, words_, right, middle, canvas_.colours.dim, where, Align::right);
    } else {
      right -= id(track_id_text(timeline_, facts), right, middle);
    }
    const float room = right - x - canvas_.px(6);
    const std::string name = track_label(timeline_, facts);
    draw_cut_text(canvas_.list, words_, x, middle, room,
                  alone ? canvas_.colours.dim : canvas_.colours.text, name);
    if (no_head_names_process(tracks_, row) && !lit && name.size() < kMostBytes) {
      const float used = text_width(words_, name) + canvas_.px(8);
      if (room - used > canvas_.px(24)) {
        owner(row.process, words_, x + used, middle, room - used, canvas_.colours.dim);
      }
    }
    const bool of_no_thread = facts.kind == TrackKind::async || facts.kind == TrackKind::lifetimes;
    if (of_no_thread) async_edge(y, end);
    if (counter || end - top < canvas_.px(30)) return;
    busy_bar(facts, visible.busy, x, top + canvas_.px(24));
  }

  void busy_bar(const Track& facts, float busy, float x, float y) {
    const float width = std::min(canvas_.px(120), id_right() - x);
    const float height = canvas_.px(3);
    y = std::round(y);
    fill(canvas_.list, {x, y, width, height}, canvas_.colours.line);
    // A thread that is busy at all shows at least a pixel.
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
  const Layout& layout_;
  const GutterHit& hovered_;
  const Timeline& timeline_;
  const ImFont& words_;
  const ImFont& heads_;
  const ImFont& numbers_;
  float lit_middle_ = -1;
};

}  // namespace

void draw_gutter(const Canvas& canvas, const TrackList& tracks, const Layout& layout,
                 const GutterHit& hovered) {
  GutterPainter painter(canvas, tracks, layout, hovered);
  fill(canvas.list, canvas.gutter, canvas.colours.background);
  for (const VisibleRow& visible : layout.visible) painter.draw(visible);
  if (layout.sticky) painter.draw(*layout.sticky);
  vertical_line(canvas.list, right_of(canvas.gutter) - 1, canvas.ruler.y, bottom_of(canvas.gutter),
                canvas.colours.line);
}

}  // namespace cinderscope
