#include "render/views/timeline/pauses.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/layout/pause_bands.h"
#include "render/text/time_text.h"

namespace cinderscope {
void draw_pauses(const Canvas& canvas, const TrackList& tracks, const Layout& layout) {
  constexpr std::uint32_t kAlpha = 36;
  const Timeline& timeline = canvas.frame.timeline;
  if (timeline.pauses.empty()) return;
  const Rgba colour = with_alpha(canvas.colours.dim, kAlpha);
  RectBatch rects(canvas.list);
  const ProcessPauses* of_bands = nullptr;
  std::vector<PauseBand> bands;
  for (const VisibleRow& visible : layout.visible) {
    const TrackRow& row = tracks.rows()[visible.index];
    const ProcessPauses* pauses = pauses_of(timeline, row.track);
    if (pauses == nullptr) continue;
    if (pauses != of_bands) bands = pause_bands(canvas.frame.state.view, canvas.tracks, *pauses);
    of_bands = pauses;
    const float y0 = canvas.y_of(static_cast<double>(visible.y_px));
    const float y1 = canvas.y_of(static_cast<double>(visible.y_px) + row.height_px);
    for (const PauseBand& band : bands) rects.add(band.x0, y0, band.x1, y1, colour);
  }
}

namespace {

// On whole pixels, at least as wide as can be seen; empty outside of the view.
Rect gap_rect(const Canvas& canvas, const DataGap& gap, const Rect& rows) {
  const float left = canvas.tracks.x, right = right_of(canvas.tracks);
  const float x0 = std::clamp(std::floor(canvas.x_of(gap.begin_ns)), left, right);
  const float least = std::min(x0 + canvas.px(3), right);
  const float x1 = gap.end_ns == DataGap::kToTheEnd
                       ? right
                       : std::clamp(std::ceil(canvas.x_of(gap.end_ns)), left, right);
  const bool outside = x0 >= right || (x1 <= left && canvas.x_of(gap.end_ns) < left);
  return {x0, rows.y, outside ? 0 : std::max(x1, least) - x0, rows.height};
}

bool is_everywhere(const DataGap& gap) {
  return gap.file == kNoFile && gap.thread == kNoThread;
}

bool is_on(const Timeline& timeline, const DataGap& gap, TrackId id) {
  if (is_everywhere(gap)) return true;
  if (id == kNoTrack) return false;
  const Track& track = timeline.tracks[index(id)];
  if (gap.file == kNoFile) return track.thread == gap.thread;
  const std::uint32_t process = index(track.process);
  return process < timeline.processes.size() && timeline.processes[process].file == gap.file;
}

// The track of the row under the pointer; kNoTrack between the rows.
TrackId pointed_track(const Canvas& canvas, const TrackList& tracks) {
  const float y = ImGui::GetIO().MousePos.y - canvas.tracks.y;
  const std::size_t row =
      tracks.row_at(static_cast<double>(y / canvas.theme.scale) + canvas.scroll_px);
  return row < tracks.rows().size() ? tracks.rows()[row].track : kNoTrack;
}

void hatch_gap(const Canvas& canvas, const Rect& rect) {
  if (rect.width <= 0) return;
  hatch(canvas.list, rect, canvas.px(7), canvas.px(1), with_alpha(canvas.colours.dim, 70));
}

}  // namespace

void draw_gaps(const Canvas& canvas, const TrackList& tracks, const Layout& layout) {
  const Timeline& timeline = canvas.frame.timeline;
  for (const DataGap& gap : timeline.gaps) {
    if (is_everywhere(gap)) {
      hatch_gap(canvas, gap_rect(canvas, gap, canvas.tracks));
      continue;
    }
    for (const VisibleRow& visible : layout.visible) {
      const TrackRow& row = tracks.rows()[visible.index];
      if (!is_on(timeline, gap, row.track)) continue;
      const float y0 = canvas.y_of(static_cast<double>(visible.y_px));
      const float y1 = canvas.y_of(static_cast<double>(visible.y_px) + row.height_px);
      hatch_gap(canvas, gap_rect(canvas, gap, {0, y0, 0, y1 - y0}));
    }
  }
}

void draw_gaps_on_ruler(const Canvas& canvas) {
  for (const DataGap& gap : canvas.frame.timeline.gaps) {
    const Rect rect = gap_rect(canvas, gap, canvas.ruler);
    if (rect.width <= 0) continue;
    hatch_gap(canvas, rect);
    vertical_line(canvas.list, rect.x, rect.y, bottom_of(rect), canvas.colours.dim);
  }
}

std::string gap_help(const Canvas& canvas, const TrackList& tracks) {
  const Timeline& timeline = canvas.frame.timeline;
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  if (!contains(canvas.tracks, pointer) && !contains(canvas.ruler, pointer)) return {};
  for (const DataGap& gap : timeline.gaps) {
    const Rect rect = gap_rect(canvas, gap, canvas.ruler);
    if (pointer.x < rect.x || pointer.x >= right_of(rect)) continue;
    const bool on_tracks = contains(canvas.tracks, pointer);
    if (on_tracks && !is_on(timeline, gap, pointed_track(canvas, tracks))) continue;
    const bool is_cut = gap.end_ns == DataGap::kToTheEnd && gap.thread == kNoThread;
    if (!is_cut) return "Data are missing here.";
    return gap.file != kNoFile ? "A file ends early: what followed in it is missing."
                               : "The file ends early: what followed is missing.";
  }
  return {};
}

std::string pause_help(const Canvas& canvas, const TrackList& tracks) {
  const Timeline& timeline = canvas.frame.timeline;
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  if (timeline.pauses.empty() || !contains(canvas.tracks, pointer)) return {};
  const auto y_px = static_cast<double>((pointer.y - canvas.tracks.y) / canvas.theme.scale);
  const std::size_t row = tracks.row_at(y_px + canvas.scroll_px);
  if (row >= tracks.rows().size()) return {};
  const ProcessPauses* pauses = pauses_of(timeline, tracks.rows()[row].track);
  if (pauses == nullptr) return {};
  const auto x_px = static_cast<double>(pointer.x - canvas.tracks.x);
  const Viewport& view = canvas.frame.state.view;
  const std::size_t i = pauses->first_after(view.ns_from_px(x_px));
  if (i == pauses->all().size()) return {};
  const Pause& pause = pauses->all()[i];
  if (pause.begin_ns > view.ns_from_px(x_px + 1)) return {};
  return "pause " + length_text(pause.end_ns - pause.begin_ns, timeline.axis);
}

}  // namespace cinderscope
