// Names of threads and heads of processes left of the tracks, as views/timeline/gutter has them.
#include <fmt/format.h>

#include "render/pictures/timeline_canvas.h"
#include "render/text/counter_text.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr float kNameX = 30, kLineY = 13, kIdRight = 18;
constexpr std::size_t kMostBytes = 200;

class GutterRow {
 public:
  GutterRow(const PictureCanvas& canvas, const PictureTracks& part, const TrackRow& row,
            const VisibleRow& visible)
      : canvas_(canvas),
        pen_(canvas.pen),
        timeline_(canvas.timeline),
        part_(part),
        row_(row),
        visible_(visible) {
    y_ = part.y_of(canvas, static_cast<double>(visible.y_px));
    end_ = part.y_of(canvas, static_cast<double>(visible.y_px) + row.height_px);
  }

  void draw() {
    if (row_.kind == TrackRow::Kind::head) {
      head();
      return;
    }
    if (row_.hidden_rows > 0) hidden_rows();
    if (canvas_.gutter.width > 0) {
      // Boxes that are cut at the view's edge end where the gutter begins.
      if (pen_.on_paper) {
        pen_.fill({canvas_.gutter.x, y_, canvas_.gutter.width, end_ - y_}, pen_.paper);
      }
      track();
    }
    pen_.horizontal_line(left(), right_of(canvas_.tracks), end_ - 1, pen_.colours.grid);
  }

 private:
  float left() const { return canvas_.gutter.x; }
  float id_right() const { return right_of(canvas_.gutter) - pen_.px(kIdRight); }

  // A thin line over the tracks that says how many rows a depth limit leaves out.
  void hidden_rows() {
    const float top = end_ - pen_.px(kHiddenRowsPx + kTrackPadPx);
    const float middle = std::round(top + pen_.px(kHiddenRowsPx) / 2);
    const std::string text = row_.hidden_rows == 1
                                 ? "1 more row"
                                 : fmt::format("{} more rows", count_text(row_.hidden_rows));
    const float x = canvas_.tracks.x + pen_.px(6.0f), gap = pen_.px(6.0f);
    const float width = pen_.text(PictureFont::words, x, middle, pen_.colours.dim, text);
    pen_.horizontal_line(canvas_.tracks.x, x - gap / 2, middle, pen_.colours.line);
    pen_.horizontal_line(x + width + gap, right_of(canvas_.tracks), middle, pen_.colours.line);
  }

  void head() {
    const TrackGroup& group = part_.tracks.groups()[row_.group];
    const float right = right_of(canvas_.tracks);
    pen_.fill({left(), y_, right - left(), end_ - y_ - 1}, pen_.colours.panel);
    pen_.horizontal_line(left(), right, end_ - 1, pen_.colours.line);
    const float middle = (y_ + end_ - 1) / 2;
    for (const DrawActivity& activity : part_.layout.activities) {
      if (activity.row != visible_.index) continue;
      draw_busy(pen_, canvas_.tracks.x, canvas_.merge_px, y_ + pen_.px(6.0f),
                end_ - 1 - pen_.px(6.0f), right, activity.busy,
                pen_.palette.box(stable_hash(group_label(timeline_, group))));
    }
    // Without a gutter a head still names what stands below it.
    const bool narrow = canvas_.gutter.width <= 0;
    if (!narrow) triangle(left() + pen_.px(18.0f), middle);
    const float x = left() + pen_.px(narrow ? 6 : kNameX);
    float until = narrow ? right - pen_.px(6.0f) : id_right();
    if (group.is_process && index(group.process) < timeline_.processes.size()) {
      const Process& process = timeline_.processes[index(group.process)];
      if (process.name != kEmptyString && !narrow) {
        until -= id(process_id_text(timeline_, group.process), until, middle);
      }
      owner(group.process, PictureFont::heads, x, middle, until - x - pen_.px(6.0f),
            pen_.colours.text);
    } else {
      pen_.cut_text(PictureFont::heads, x, middle, until - x - pen_.px(6.0f), pen_.colours.text,
                    group.name);
    }
    if (row_.hidden_tracks == 0 || narrow || row_.collapsed) return;
    pen_.text(PictureFont::words, canvas_.tracks.x + pen_.px(6.0f), middle, pen_.colours.dim,
              count_text(row_.hidden_tracks) + " hidden");
  }

  // A process; where several files are on the timeline its file behind it.
  void owner(ProcessId process, PictureFont font, float x, float middle, float room, Rgba colour) {
    const std::string name = process_name(timeline_, process);
    if (const TimelineFile* file = file_of(timeline_, process)) {
      const float file_px = std::min(pen_.width(PictureFont::words, file->name), room / 2);
      const float name_px =
          std::min(pen_.width(font, std::string_view(name).substr(0, kMostBytes)) + pen_.px(8.0f),
                   room - file_px);
      pen_.short_name(PictureFont::words, x + name_px, middle, file_px + 1, pen_.colours.dim,
                      file->name);
      room = name_px - pen_.px(6.0f);
    }
    pen_.cut_text(font, x, middle, room, colour, name);
  }

  float id(std::string_view text, float right, float middle) {
    if (text.empty() || text.size() > 32) return 0;
    const float width = pen_.width(PictureFont::numbers, text);
    if (width > canvas_.gutter.width / 2) return 0;
    pen_.cut_text(PictureFont::numbers, right - width, middle, width + 1, pen_.colours.dim, text);
    return width;
  }

  void track() {
    const Track& facts = timeline_.tracks[index(row_.track)];
    const float middle = y_ + pen_.px(kLineY);
    const float x = left() + pen_.px(kNameX);
    if (row_.collapsed) triangle(left() + pen_.px(18.0f), middle);
    float right = id_right();
    const bool counter = row_.kind == TrackRow::Kind::counter;
    if (counter) {
      const std::string value = counter_value_text(timeline_, facts, std::nullopt);
      const bool below = end_ - y_ >= pen_.px(40.0f);
      const float width = pen_.width(PictureFont::numbers, value), most = (right - x) / 2;
      if (width < most && (!below || facts.series.size() == 1)) {
        pen_.text_to(PictureFont::numbers, right, middle, pen_.colours.dim, value);
        right -= width;
      } else if (!below) {
        pen_.cut_text(PictureFont::numbers, right - most, middle, most, pen_.colours.dim, value);
        right -= most;
      } else {
        pen_.cut_text(PictureFont::numbers, x, middle + pen_.px(18.0f), right - x, pen_.colours.dim,
                      value);
      }
    } else {
      right -= id(track_id_text(timeline_, facts), right, middle);
    }
    const float room = right - x - pen_.px(6.0f);
    const std::string name = track_label(timeline_, facts);
    pen_.cut_text(PictureFont::words, x, middle, room, pen_.colours.text, name);
    const auto& groups = part_.tracks.groups();
    const bool no_head = row_.pinned || groups.empty() || !groups[row_.group].is_process;
    if (no_head && name.size() < kMostBytes) {
      const float used = pen_.width(PictureFont::words, name) + pen_.px(8.0f);
      if (room - used > pen_.px(24.0f)) {
        owner(row_.process, PictureFont::words, x + used, middle, room - used, pen_.colours.dim);
      }
    }
    if (facts.kind == TrackKind::async || facts.kind == TrackKind::lifetimes) async_edge();
    if (!counter && end_ - y_ >= pen_.px(30.0f)) busy_bar(facts, x);
  }

  void busy_bar(const Track& facts, float x) {
    const float y = std::round(y_ + pen_.px(24.0f));
    const float width = std::min(pen_.px(120.0f), id_right() - x), height = pen_.px(3.0f);
    pen_.fill({x, y, width, height}, pen_.colours.line);
    const float share = visible_.busy > 0 ? std::max(width * visible_.busy, 1.0f) : 0;
    pen_.fill({x, y, share, height}, pen_.palette.box(stable_hash(track_label(timeline_, facts))));
  }

  // Dashed, at the left edge of the tracks.
  void async_edge() {
    const float dash = pen_.px(4.0f);
    constexpr int kMostDashes = 2000;
    for (int i = 0; i < kMostDashes; ++i) {
      const float at = y_ + 2 * dash * static_cast<float>(i);
      if (at >= end_) break;
      pen_.fill({canvas_.tracks.x, at, pen_.px(2.0f), std::min(end_ - at, dash)}, pen_.colours.dim);
    }
  }

  void triangle(float x, float y) {
    const float side = pen_.px(4.0f);
    if (row_.collapsed) {
      pen_.polygon({{x - side * 0.6f, y - side}, {x + side * 0.8f, y}, {x - side * 0.6f, y + side}},
                   pen_.colours.dim);
    } else {
      pen_.polygon({{x - side, y - side * 0.6f}, {x + side, y - side * 0.6f}, {x, y + side * 0.8f}},
                   pen_.colours.dim);
    }
  }

  const PictureCanvas& canvas_;
  PicturePen& pen_;
  const Timeline& timeline_;
  const PictureTracks& part_;
  const TrackRow& row_;
  const VisibleRow& visible_;
  float y_ = 0, end_ = 0;
};

}  // namespace

void draw_gutter_row(const PictureCanvas& canvas, const PictureTracks& part, const TrackRow& row,
                     const VisibleRow& visible) {
  GutterRow(canvas, part, row, visible).draw();
}

}  // namespace cinderscope
