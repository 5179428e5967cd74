// What views ask for: appended to a list while drawing, carried out by app between two frames. What
// is a command is sent as one; the others are moves that go on from frame to frame, or name a
// slice.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "render/base/timeline_state.h"

namespace cinderscope {

// Any entry of the command table, with its arguments as in a script.
struct RunCommand {
  std::string name, argument;
};
struct CopyText {
  std::string text;
};
struct SelectSlice {
  SliceRef slice;
};  // falsy: clear the selection
struct RevealSlice {
  SliceRef slice;
};  // select it, scroll and pan so that it is on screen
struct SelectInstant {
  InstantRef instant;
};
struct SelectCounter {
  CounterRef counter;
};
struct ShowView {
  Viewport view;
  bool animate = false;
};  // pan, zoom, drag of the overview
struct SetRange {
  std::optional<TimeRange> range;
};
struct ScrollTo {
  double scroll_px;
  bool pinned = false;  // the block of pinned threads
};
struct LoadChildrenOf {
  SliceRef slice;
};  // deferred children that are visible

using Action = std::variant<RunCommand, CopyText, SelectSlice, RevealSlice, SelectInstant,
                            SelectCounter, ShowView, SetRange, ScrollTo, LoadChildrenOf>;
using Actions = std::vector<Action>;

// "zoom-to" and the like take a range of time so.
inline RunCommand range_command(std::string name, std::int64_t begin_ns, std::int64_t end_ns) {
  return {std::move(name), std::to_string(begin_ns) + " " + std::to_string(end_ns)};
}

}  // namespace cinderscope
