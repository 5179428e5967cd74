// What views ask for: appended to a list while drawing, carried out by app between two frames. What
// is a command is sent as one; the others are moves that go on from frame to frame, or name a
// slice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ingest/base/saturating.h"
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
// What follows is about this lane of the shown comparison.
struct ActOnLane {
  bool is_b = false;
  bool leads = true;  // false: for what the lane asks for by itself
};
// Moves one lane of a comparison against the other.
struct ShiftLane {
  double by_px = 0;     // since it was pressed; > 0: to the right
  double at_px = 0;     // where on the tracks it was pressed
  double snap_px = 0;   // within so much edges of calls meet; 0: they do not
  bool begins = false;  // the first of this drag
};

using Action =
    std::variant<RunCommand, CopyText, SelectSlice, RevealSlice, SelectInstant, SelectCounter,
                 ShowView, SetRange, ScrollTo, LoadChildrenOf, ActOnLane, ShiftLane>;
using Actions = std::vector<Action>;

// An argument as one word whatever is in it: in quotes where it needs them.
std::string quoted_argument(std::string_view text);

inline void run_command(Actions& actions, std::string_view name, std::string argument = {}) {
  actions.push_back(RunCommand{std::string(name), std::move(argument)});
}

// A command that takes a range of time, such as "zoom-to". These refuse a range without length,
// but slices may have none: it gets a nanosecond.
inline RunCommand range_command(std::string name, std::int64_t begin_ns, std::int64_t end_ns) {
  if (end_ns == begin_ns) end_ns = saturating_sum(end_ns, 1);
  return {std::move(name), std::to_string(begin_ns) + " " + std::to_string(end_ns)};
}

}  // namespace cinderscope
