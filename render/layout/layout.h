// What of a timeline is on screen: lines of boxes, ready to draw and to point at.
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
  // Upper edge (of instants: the centre) at scale 1, from the top of what is visible.
  float y_px = 0;
  std::span<const DrawBox> boxes;  // sorted by x; of the layout

  bool nested() const { return instants && (block != BlockId{} || row != 0); }
};

// A row of the track list that is at least partly visible.
struct VisibleRow {
  std::size_t index = 0;  // in TrackList::rows()
  float y_px = 0;         // at scale 1, from the top of what is visible
  float busy = 0;         // share of the view that its outermost slices cover
};

// Instants of a whole process or of all: lines over what is visible of these.
struct WideLine {
  TrackId track = kNoTrack;        // whose instants they are
  float y0_px = 0, y1_px = 0;      // at scale 1, from the top of what is visible
  std::span<const DrawBox> boxes;  // sorted by x; of the layout
};

inline constexpr double kDiamondPx = 3.5;  // half of an instant's diamond, at scale 1
// A nested instant's width and how far it hangs into the row below its call. At scale 1.
inline constexpr double kMarkPx = 3, kMarkDropPx = 4;
// A step's height, up from the lower edge of its slice. At scale 1.
inline constexpr double kStepPx = 6;

struct Layout {
  Layout() = default;
  // Not copied: its lines point at their boxes.
  Layout(Layout&&) = default;
  Layout& operator=(Layout&&) = default;

  std::vector<DrawLine> lines;  // from top to bottom; instants before the slices of their track
  std::size_t box_count = 0;    // of all lines
  std::vector<VisibleRow> visible;
  std::vector<WideLine> wide;
  // Wide enough to be looked into, but some of their children are on disk.
  std::vector<SliceRef> wanted;
  // Storage: what each line's boxes lie in, and more that was needed once.
  std::vector<std::vector<DrawBox>> line_boxes, wide_boxes;
  // Scratch: what each line shows, and how many pixels of it are covered.
  struct LineRow {
    const SliceRow* row = nullptr;
    double covered_px = 0;
  };
  std::vector<LineRow> rows;
  // Scratch: slices of the current track with loaded children, and how many in one block.
  struct LoadedParent {
    SliceRef slice;
    std::uint64_t children = 0;
  };
  std::vector<LoadedParent> parents;
  std::size_t slice_lines = 0;  // of `lines`, those of slices
  std::uint64_t version = 0;    // counts how often it was made
};

// What part of all tracks is looked at.
struct LayoutWindow {
  Viewport view;
  double scroll_px = 0, height_px = 0;  // at scale 1
  bool operator==(const LayoutWindow&) const = default;
};

// Replaces the content of `out`, whose storage is used again. Costs at most a small multiple of
// (visible rows x columns of pixels), whatever the number of slices. Where the last layout had many
// boxes up to `jobs` threads take part. UI thread.
void lay_out(const Timeline& timeline, const TrackList& tracks, const LayoutWindow& window,
             unsigned jobs, Layout& out);

// How many threads are worth asking for what is done line by line for `layout`.
unsigned jobs_for(const Layout& layout, unsigned jobs);

// What lies at a place; at most one of the three is set.
struct Hit {
  SliceRef slice;
  std::optional<MergedSlices> merged;
  InstantRef instant;
  std::uint64_t instant_count = 0;  // that fall into its column of pixels, itself included
  explicit operator bool() const { return slice || merged || instant; }
  bool operator==(const Hit&) const = default;
};

// `x_px` in real pixels from the view's left edge, `y_px` at scale 1 from the top of what is
// visible. Boxes of a few pixels can be hit from 2 px beside them.
Hit hit_at(const Layout& layout, double x_px, double y_px);

// Exact sum over merged slices: at most the first million of them, then `complete` is false.
struct MergedTotal {
  std::int64_t duration_ns = 0;
  std::int64_t begin_ns = 0, end_ns = 0;
  std::uint64_t longest = 0;  // index in the row
  bool complete = true;
};
std::optional<MergedTotal> total_of(const Timeline& timeline, const MergedSlices& merged);

// The row a reference points into, or null if it is stale. Also checks the slice's index.
const SliceRow* row_of(const Timeline& timeline, const SliceRef& ref);

}  // namespace cinderscope
