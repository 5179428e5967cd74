// What views ask for: appended to a list while drawing, carried out by app between two frames.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "render/base/timeline_state.h"

namespace cinderscope {

struct SelectSlice {
  SliceRef slice;
};  // falsy: clear the selection
struct SelectInstant {
  InstantRef instant;
};
struct ZoomToSlice {
  SliceRef slice;
};
struct ShowView {
  Viewport view;
  bool animate = false;
};  // pan, zoom, drag of the overview
struct ZoomToRange {
  std::int64_t begin_ns, end_ns;
};  // animated
struct SetRange {
  std::optional<TimeRange> range;
};
struct ToggleProcess {
  ProcessId process;
};  // collapse or expand
struct ToggleTrack {
  TrackId track;
};
struct HideTrack {
  TrackId track;
  bool hide = true;
};
struct SetFilter {
  std::string text;
};
struct SetOrder {
  TrackOrder order;
};
struct ScrollTo {
  double scroll_px;
  bool pinned = false;  // the block of pinned threads
};
struct RevealSlice {
  SliceRef slice;
};  // scroll and pan so that it is on screen
struct CopyText {
  std::string text;
};
struct RunCommand {
  std::string name, argument;
};  // any entry of the command table
struct OpenPath {
  std::string path;
};
struct LoadChildrenOf {
  SliceRef slice;
};  // deferred children that are visible

using Action = std::variant<SelectSlice, SelectInstant, ZoomToSlice, ShowView, ZoomToRange,
                            SetRange, ToggleProcess, ToggleTrack, HideTrack, SetFilter, SetOrder,
                            ScrollTo, RevealSlice, CopyText, RunCommand, OpenPath, LoadChildrenOf>;
using Actions = std::vector<Action>;

}  // namespace cinderscope
