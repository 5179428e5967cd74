// The strip above the ruler: activity of the whole trace, with a frame around the present view.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "render/layout/layout.h"
#include "render/views/timeline/canvas.h"

namespace cinderscope {

// Activity of all tracks with slices: a line each, or neighbours added up where they do not fit;
// computed again only when the slices, their order or the width change. The cost depends on pixels,
// and a frame has a bounded part of it: what was computed before stays until all lines are new.
class Overview {
 public:
  // Lines stand in the order of the tracks: pinned ones first.
  void update(const Timeline& timeline, const TrackList& pinned, const TrackList& tracks,
              float width_px, std::size_t max_lines, bool changed);
  bool settled() const { return !begun_ && !due_; }  // no line waits for the next frame
  struct Line {
    TrackId track = kNoTrack;        // of several the busiest
    std::vector<std::uint8_t> busy;  // by column of pixels
  };
  const std::vector<Line>& lines() const { return lines_; }
  // Marks the columns that hold matches; null: there is no search. After update().
  void update_matches(const MatchSet* matches, std::uint64_t version);
  std::span<const std::uint8_t> match_columns() const { return matched_; }  // empty: none
  const Viewport& view() const { return view_; }                            // the whole trace

 private:
  // What is computed, over several frames. The timeline may grow meanwhile: the lines that are left
  // are made of what it is then, and all of them once more after that.
  struct Begun {
    Viewport view;
    std::vector<std::uint32_t> order;  // tracks
    std::size_t line_count;
    std::vector<Line> lines;
  };
  void begin(const Timeline& timeline, const TrackList& pinned, const TrackList& tracks);
  void add_line(const Timeline& timeline);

  Viewport view_;
  float width_px_ = 0;
  std::size_t max_lines_ = 0;
  std::vector<Line> lines_;
  std::optional<Begun> begun_;
  bool due_ = false;  // something changed since `begun_` began
  const StringPool* strings_ = nullptr;
  std::vector<float> covered_;  // scratch
  // What the marks were made of.
  struct Marked {
    const MatchSet* matches = nullptr;
    std::uint64_t count = 0, version = 0;
    Viewport view;
    bool operator==(const Marked&) const = default;
  };
  Marked marked_;
  std::vector<std::uint8_t> matched_;
};

// Draws how busy something is by column of pixels from `x` on: opacity in sixteen steps.
void draw_busy(RectBatch& rects, float x, float y0, float y1, std::span<const std::uint8_t> busy,
               Rgba colour);

std::size_t overview_line_limit(const Canvas& canvas);

// Left and right edge of the view's frame, in window pixels; at least some pixels apart.
struct OverviewFrame {
  float x0 = 0, x1 = 0;
};
OverviewFrame overview_frame(const Canvas& canvas, const Overview& overview);

void draw_overview(const Canvas& canvas, const Overview& overview);

}  // namespace cinderscope
