// Walks all calls of a track with depth and self time of each, also where they partly overlap.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ingest/model/call_walk.h"

namespace cinderscope {

struct FinishedCall {
  WalkedCall call;
  std::uint32_t depth = 0;  // how many calls contain it
  std::int64_t self_ns = 0;
};

// Calls `visit(finished)` for each call of the track once nothing more can lie in it: inner ones
// before those around them. Keeps the open ones alone. Callers are those of parent_of(), self times
// those of self_ns() (slice_nesting.h). False: cancelled.
template <class Visit>
bool walk_finished_calls(const TrackSlices& track, const std::atomic<bool>& cancelled,
                         Visit visit) {
  struct Nothing {};
  struct Open {
    FinishedCall finished;
    std::int64_t covered_ns = 0;  // up to here its children are known
  };
  Containers<Nothing> containers(track.tolerance_ns);
  std::vector<Open> open;  // one for each container
  const auto finish_beyond = [&](std::size_t depth) {
    for (; open.size() > depth; open.pop_back()) visit(std::as_const(open.back().finished));
  };
  const bool whole = walk_calls(track, Scope{}, cancelled, [&](const WalkedCall& call) {
    containers.narrow(call.begin_ns, call.end_ns);
    finish_beyond(containers.depth());
    if (!open.empty()) {
      Open& caller = open.back();
      const std::int64_t from_ns = std::max(call.begin_ns, caller.covered_ns);
      const std::int64_t to_ns = std::min(call.end_ns, caller.finished.call.end_ns);
      if (to_ns > from_ns) {
        caller.finished.self_ns -= to_ns - from_ns;
        caller.covered_ns = to_ns;
      }
    }
    const FinishedCall finished{call, static_cast<std::uint32_t>(containers.depth()),
                                call.duration_ns()};
    containers.add(call.begin_ns, call.end_ns, {});
    if (containers.depth() == open.size()) {
      visit(finished);  // without length it contains nothing
    } else {
      open.push_back({finished, call.begin_ns});
    }
  });
  finish_beyond(0);
  return whole;
}

}  // namespace cinderscope
