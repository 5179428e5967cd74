#include "render/pictures/timeline_picture.h"

#include <fmt/format.h>

#include <array>

#include "render/layout/fit_rows.h"
#include "render/pictures/picture_lines.h"
#include "render/pictures/timeline_canvas.h"
#include "render/text/time_text.h"

namespace cinderscope {
namespace {

constexpr float kOverviewPx = 54, kRulerPx = 26, kNotesPx = 18;
constexpr float kMinTracksPx = 16;

// Rows as the view needs them, with the picture's own limit of depth.
void build(PictureTracks& part, const TimelinePicture& picture, TimelineState& state) {
  part.tracks.update(picture.timeline, state);
  if (!state.fit_rows) return;
  std::vector<float> rows(picture.timeline.tracks.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<float>(
        rows_in_view(picture.timeline.tracks[i], state.view.begin_ns, state.view.end_ns()));
  }
  part.tracks.fit(rows, picture.timeline, state);
}

void limit_depth(const TimelinePicture& picture, TimelineState& state) {
  for (std::uint32_t i = 0; i < picture.timeline.tracks.size(); ++i) {
    if (picture.timeline.tracks[i].row_count <= picture.depth) continue;
    auto [limit, is_new] = state.depth_limits.try_emplace(i, picture.depth);
    if (!is_new) limit->second = std::min(limit->second, picture.depth);
  }
}

// The height at scale 1 after `rows` rows of calls, of which it takes its share.
double height_of_rows(const TrackList& tracks, std::uint64_t& rows) {
  double end_px = 0;  // of the last track that is there as a whole
  for (const TrackRow& row : tracks.rows()) {
    if (row.kind == TrackRow::Kind::slices) {
      if (rows == 0) return end_px;
      const std::uint64_t here = std::max<std::uint32_t>(row.shown_depth, 1);
      if (here > rows) {
        const double part = row.first_px + kRowStepPx * static_cast<double>(rows) + kTrackPadPx;
        rows = 0;
        return row.y_px + std::max(part, kMinTrackPx);
      }
      rows -= here;
    }
    if (row.kind != TrackRow::Kind::head) end_px = row.y_px + row.height_px;
  }
  return tracks.height_px();
}

class Drawing {
 public:
  Drawing(const TimelinePicture& picture, PicturePen& pen, PicturePoint at, float width_px)
      : picture_(picture), pen_(pen), state_(picture.state), at_(at), width_px_(width_px) {}

  Result<float> draw(float most_height_px) {
    const float gutter_px = picture_.gutter ? std::min(std::round(pen_.px(state_.gutter_px)),
                                                       std::floor(width_px_ * 0.7f))
                                            : 0;
    const float tracks_px = std::floor(std::max(width_px_ - gutter_px, kMinTracksPx));
    state_.view = resized(state_.view, tracks_px);
    state_.hovered = {};
    state_.cursor_ns.reset();
    limit_depth(picture_, state_);
    for (PictureTracks* part : {&pinned_, &main_}) build(*part, picture_, state_);
    ruler_of(state_.view, timestamp_format(picture_.timeline, state_),
             static_cast<double>(pen_.px(state_.ruler_in_ns ? 160.0f : 100.0f)), ruler_,
             state_.ruler_in_ns);
    set_heights(most_height_px);
    if (row_count_ > picture_.most_boxes) {
      return refused(
          fmt::format("A picture of {} rows would be too large. Show fewer (--rows, --thread).",
                      count_text(row_count_)));
    }
    lay_out_parts();
    if (is_empty()) return refused("Nothing lies in this range");
    PictureCanvas canvas = this->canvas(gutter_px, tracks_px);
    draw_all(canvas);
    return bottom_ - at_.y;
  }

 private:
  void set_heights(float most_height_px) {
    float y = at_.y;
    if (picture_.overview) y += std::round(pen_.px(kOverviewPx));
    if (has_bookmarks(state_)) y += std::round(pen_.px(kNotesPx));
    y += std::round(pen_.px(kRulerPx));
    std::uint64_t rows = picture_.rows.value_or(UINT64_MAX);
    const bool all = !picture_.rows;
    double left =
        most_height_px > 0
            ? std::max(static_cast<double>((most_height_px - (y - at_.y)) / pen_.scale), kRowStepPx)
            : 1e12;
    for (PictureTracks* part : {&pinned_, &main_}) {
      const double whole = part->tracks.height_px();
      double height = all ? whole : height_of_rows(part->tracks, rows);
      height = std::min(height, left);
      left -= height;
      cut_ = cut_ || height < whole - 0.5;
      for (const TrackRow& row : part->tracks.rows()) {
        if (row.y_px < height) {
          ++row_count_;
        } else if (row.kind != TrackRow::Kind::head) {
          ++left_out_;
        }
      }
      heights_[part == &main_ ? 1 : 0] = height;
      part->top = y;
      part->height = std::round(static_cast<float>(height) * pen_.scale);
      y += part->height;
    }
    if (left_out_ > 0) {
      pen_.list().notes.push_back(
          left_out_ == 1 ? "1 more track is left out."
                         : fmt::format("{} more tracks are left out.", count_text(left_out_)));
    }
    bottom_ = y;
  }

  void lay_out_parts() {
    merge_px_ = fit_boxes(pen_, picture_.most_boxes, state_.view.width_px, [this](float merge_px) {
      Viewport view = state_.view;
      view.ns_per_px *= static_cast<double>(merge_px);
      view.width_px = std::ceil(view.width_px / merge_px);
      std::size_t boxes = 0;
      for (PictureTracks* part : {&pinned_, &main_}) {
        const double height = heights_[part == &main_ ? 1 : 0];
        lay_out(picture_.timeline, part->tracks, {view, 0, height}, picture_.jobs, part->layout);
        boxes += part->layout.box_count;
      }
      return boxes;
    });
  }

  bool is_empty() const {
    if (pen_.list().box_count > 0) return false;
    for (const PictureTracks* part : {&pinned_, &main_}) {
      for (const WideLine& line : part->layout.wide) {
        if (!line.boxes.empty()) return false;
      }
      // A value holds from its point on.
      for (const TrackRow& row : part->tracks.rows()) {
        if (row.kind != TrackRow::Kind::counter) continue;
        for (const CounterSeries& series : picture_.timeline.tracks[index(row.track)].series) {
          if (!series.time_ns.empty() && series.time_ns.front() < state_.view.end_ns() &&
              picture_.timeline.end_ns > state_.view.begin_ns) {
            return false;
          }
        }
      }
      for (const DrawActivity& activity : part->layout.activities) {
        if (std::ranges::any_of(activity.busy, [](std::uint8_t busy) { return busy > 0; })) {
          return false;
        }
      }
    }
    return true;
  }

  PictureCanvas canvas(float gutter_px, float tracks_px) {
    const float x = at_.x + gutter_px;
    float y = at_.y;
    const auto strip = [&](float height_px, Rect& head, Rect& area) {
      const float height = std::round(pen_.px(height_px));
      head = {at_.x, y, gutter_px, height};
      area = {x, y, tracks_px, height};
      y += height;
    };
    Rect overview_head, overview, no_head, notes, ruler_head, ruler;
    if (picture_.overview) strip(kOverviewPx, overview_head, overview);
    if (has_bookmarks(state_)) strip(kNotesPx, no_head, notes);
    strip(kRulerPx, ruler_head, ruler);
    return {.picture = picture_,
            .timeline = picture_.timeline,
            .state = state_,
            .pen = pen_,
            .ruler_ticks = ruler_,
            .overview_head = overview_head,
            .overview = overview,
            .notes = notes,
            .ruler_head = ruler_head,
            .ruler = ruler,
            .gutter = {at_.x, y, gutter_px, bottom_ - y},
            .tracks = {x, y, tracks_px, bottom_ - y},
            .merge_px = merge_px_};
  }

  void draw_all(const PictureCanvas& canvas) {
    pen_.begin(PictureGroup::Kind::clip, {},
               {at_.x, canvas.tracks.y, width_px_, canvas.tracks.height});
    draw_grid(canvas);
    const bool flows = !canvas.timeline.flows->by_slice.empty() && canvas.state.selected;
    if (flows) draw_flows(canvas, pinned_, main_, false);
    draw_part(canvas, pinned_);
    draw_part(canvas, main_);
    if (flows) draw_flows(canvas, pinned_, main_, true);
    pen_.end();
    if (pinned_.height > 0 && main_.height > 0) {
      pen_.horizontal_line(at_.x, at_.x + width_px_, main_.top - 1,
                           with_alpha(canvas.pen.colours.dim, 140));
    }
    if (picture_.overview) draw_overview(canvas, pinned_.tracks, main_.tracks);
    draw_ruler(canvas);
    if (state_.range) draw_range(canvas);
    if (has_bookmarks(state_)) draw_bookmarks(canvas);
    if (cut_) {
      pen_.horizontal_line(at_.x, at_.x + width_px_, bottom_ - 1, canvas.pen.colours.line);
    }
  }

  void draw_part(const PictureCanvas& canvas, const PictureTracks& part) {
    // Below the boxes: their names are part of them, and stay legible.
    draw_wide_instants(canvas, part);
    std::size_t line = 0;
    const std::vector<DrawLine>& lines = part.layout.lines;
    for (const VisibleRow& visible : part.layout.visible) {
      const TrackRow& row = part.tracks.rows()[visible.index];
      const float y = part.y_of(canvas, static_cast<double>(visible.y_px));
      if (y > canvas.tracks.y) pen_.list().row_borders_px.push_back(y);
      const bool is_head = row.kind == TrackRow::Kind::head;
      pen_.begin(PictureGroup::Kind::track,
                 is_head ? group_label(canvas.timeline, part.tracks.groups()[row.group])
                         : track_label(canvas.timeline, canvas.timeline.tracks[index(row.track)]));
      if (!is_head) {
        draw_pauses_and_gaps(canvas, part, row, visible);
        if (row.kind == TrackRow::Kind::counter) draw_counter(canvas, part, row, visible);
        draw_activity(canvas, part, row, visible);
      }
      const std::size_t first = line;
      while (line < lines.size() && lines[line].track == row.track && !is_head) ++line;
      for (const bool instants : {false, true}) {
        for (std::size_t i = first; i < line; ++i) {
          if (lines[i].instants != instants || lines[i].boxes.empty()) continue;
          pen_.begin(PictureGroup::Kind::row);
          if (instants) {
            draw_line_of_instants(canvas, part, lines[i]);
          } else {
            pen_.list().row_borders_px.push_back(
                part.y_of(canvas, static_cast<double>(lines[i].y_px)));
            draw_line_of_slices(canvas, part, lines[i]);
          }
          pen_.end();
        }
      }
      draw_gutter_row(canvas, part, row, visible);
      pen_.end();
    }
  }

  // Below the outermost row of a collapsed track: the time of all its rows.
  void draw_activity(const PictureCanvas& canvas, const PictureTracks& part, const TrackRow& row,
                     const VisibleRow& visible) {
    for (const DrawActivity& activity : part.layout.activities) {
      if (activity.row != visible.index) continue;
      const Track& track = canvas.timeline.tracks[index(row.track)];
      const Rgba colour = pen_.palette.box(stable_hash(track_label(canvas.timeline, track)));
      const double y_px = static_cast<double>(activity.y_px) + row.first_px;
      draw_busy(pen_, canvas.tracks.x, canvas.merge_px, part.y_of(canvas, y_px),
                part.y_of(canvas, y_px + kRowPx), right_of(canvas.tracks), activity.busy, colour);
    }
  }

  const TimelinePicture& picture_;
  PicturePen& pen_;
  TimelineState state_;
  PicturePoint at_;
  float width_px_;
  PictureTracks pinned_{.tracks = TrackList(TrackPart::pinned)}, main_;
  std::array<double, 2> heights_{};  // at scale 1, of the pinned ones and the others
  Ruler ruler_;
  float merge_px_ = 1, bottom_ = 0;
  bool cut_ = false;
  std::uint64_t row_count_ = 0;  // of tracks and heads that are drawn
  std::uint64_t left_out_ = 0;   // tracks
};

}  // namespace

Result<float> draw_timeline(const TimelinePicture& picture, PicturePen& pen, PicturePoint at,
                            float width_px, float most_height_px) {
  return Drawing(picture, pen, at, width_px).draw(most_height_px);
}

Viewport picture_view(const Timeline& timeline, std::int64_t begin_ns, std::int64_t end_ns) {
  constexpr float kAnyWidth = 1000;  // it is resized to that of the picture
  if (begin_ns == INT64_MIN && end_ns == INT64_MAX) {
    return fitted({timeline.begin_ns, timeline.end_ns}, kAnyWidth);
  }
  return showing(std::max(begin_ns, timeline.begin_ns), std::min(end_ns, timeline.end_ns),
                 kAnyWidth);
}

}  // namespace cinderscope
