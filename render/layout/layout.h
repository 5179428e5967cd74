// The visible part of a timeline as lines of boxes, to be drawn and hit by the pointer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"
#include "render/layout/row_layout.h"
#include "render/layout/track_list.h"

namespace cinderscope {

// The boxes of one row of slices, the instants of one track, or nested instants that hang under
// their calls.
struct DrawLine {
  TrackId track = kNoTrack;
  BlockId block{};
  std::uint32_t row = 0;   // relative to the block
  bool instants = false;   // of the track, or nested in calls
  bool on_slices = false;  // nested ones that lie in the row of their slices, as steps do
  // The upper edge (of instants: the centre) at scale 1, from the top of the visible area.
  float y_px = 0;
  std::span<const DrawBox> boxes;  // sorted by x; owned by the layout

  bool nested() const { return instants && (block != BlockId{} || row != 0); }
};

// A row of the track list that is visible at least in part.
struct VisibleRow {
  std::size_t index = 0;  // in TrackList::rows()
  float y_px = 0;         // the upper edge at scale 1, from the top of the visible area
  float busy = 0;         // share of the view that its outermost slices cover, 0 to 1
};

// Instants of a whole process or of all: lines over what is visible of these.
struct WideLine {
  TrackId track = kNoTrack;        // whose instants they are
  float y0_px = 0, y1_px = 0;      // at scale 1, from the top of what is visible
  std::span<const DrawBox> boxes;  // sorted by x; of the layout
};

// What a collapsed head or track shows of all that is below it.
struct DrawActivity {
  std::size_t row = 0;             // in TrackList::rows()
  float y_px = 0;                  // the upper edge at scale 1, from the top of the visible area
  std::vector<std::uint8_t> busy;  // by column of pixels
};

inline constexpr double kDiamondPx = 3.5;  // half of an instant's diamond, at scale 1
// A nested instant's width and how far it hangs into the row below its call. At scale 1.
inline constexpr double kNestedInstantPx = 3, kNestedInstantDropPx = 4;
// A step's height, up from the lower edge of its slice. At scale 1.
inline constexpr double kStepPx = 6;

// Made by lay_out(). Owns its boxes; refers to the timeline by indices only.
struct Layout {
  Layout() = default;
  // Not copyable: lines point at their boxes.
  Layout(Layout&&) = default;
  Layout& operator=(Layout&&) = default;

  std::vector<DrawLine> lines;  // from top to bottom; instants before the slices of their track
  std::size_t box_count = 0;    // of all lines
  std::vector<VisibleRow> visible;
  std::vector<WideLine> wide;
  // The head of the tracks at the top, which stays in sight while they are scrolled; pushed up by
  // the next head.
  std::optional<VisibleRow> sticky;
  std::vector<DrawActivity> activities;
  // Visible slices that are wide enough to show children, some of which are still on disk.
  std::vector<SliceRef> wanted;
  // The boxes of each line. Longer than `lines` if an earlier layout had more.
  std::vector<std::vector<DrawBox>> line_boxes, wide_boxes;
  // Scratch: the slices of each line, and how many pixels they cover.
  struct LineRow {
    const SliceRow* row = nullptr;
    double covered_px = 0;
  };
  std::vector<LineRow> rows;
  // Scratch: slices of the current track whose children are loaded, and how many of these one block
  // holds.
  struct LoadedParent {
    SliceRef slice;
    std::uint64_t children = 0;
  };
  std::vector<LoadedParent> parents;
  std::vector<float> covered;   // scratch, by column
  std::size_t slice_lines = 0;  // lines of slices among `lines`
  // Some slices were not at hand, and what sums them up stands for them: to be laid out anew soon.
  bool missing = false;
  std::uint64_t version = 0;  // grows with every lay_out()
};

// The visible area: its part of the time axis, and of the rows from top to bottom.
struct LayoutWindow {
  Viewport view;
  double scroll_px = 0, height_px = 0;  // at scale 1
  bool operator==(const LayoutWindow&) const = default;
};

// Replaces the content of `out`, whose storage is reused. Costs at most a small multiple of
// (visible rows x columns of pixels), whatever the number of slices. Uses up to `jobs` threads if
// the layout before had many boxes. UI thread.
//
// `waits`: for the disk, where slices lie there; else see Layout::missing.
void lay_out(const Timeline& timeline, const TrackList& tracks, const LayoutWindow& window,
             unsigned jobs, Layout& out, bool waits = true);

// How many of `jobs` threads are worth using for work on each line of `layout`.
unsigned jobs_for(const Layout& layout, unsigned jobs);

}  // namespace cinderscope
