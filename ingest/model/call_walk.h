// Walks the calls of a track in the order in which they were made, with caller and self time of
// each.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "ingest/base/saturating.h"
#include "ingest/model/containers.h"
#include "ingest/model/depth_set.h"
#include "ingest/model/scope.h"
#include "ingest/model/slice_set.h"

namespace cinderscope {

// One call; begin_ns and end_ns are cut to the scope's range.
struct WalkedCall {
  SliceRef slice;
  std::uint32_t depth = 0;  // of its row; walk_call_tree() says how many calls contain it
  std::int64_t begin_ns = 0, end_ns = 0;
  std::int64_t whole_begin_ns = 0, whole_end_ns = 0;
  StringId name = kEmptyString;

  std::int64_t duration_ns() const { return saturating_difference(end_ns, begin_ns); }
};

// Slices [first, end) of a row that overlap a range; zero-length ones count where they begin.
struct RowSegment {
  std::uint64_t first = 0, end = 0;
};
RowSegment segment_of(const SliceRow& row, const Scope& scope);

// Calls `visit(call)` for the slices of the track that overlap the scope's range, by begin, those
// of equal begin outermost first. Cheap where rows nest cleanly; else O(log rows) for each. False:
// cancelled.
template <class Visit>
bool walk_calls(const TrackSlices& track, const Scope& scope, const std::atomic<bool>& cancelled,
                Visit visit);

// walk_calls() with callers and self time: `Value on_call(call, caller)` gets the caller's value
// (null: outermost) and returns the call's own; `on_self(value, ns)` adds to the self time of the
// call with that value, or takes off if `ns` is negative. Callers are those of parent_of(), self
// times those of self_ns() (slice_nesting.h).
template <class Value, class OnCall, class OnSelf>
bool walk_call_tree(const TrackSlices& track, const Scope& scope,
                    const std::atomic<bool>& cancelled, OnCall on_call, OnSelf on_self);

// -- implementation

namespace walk {

constexpr std::uint32_t kCallsBetweenLooks = 1u << 14;  // between two looks at the cancel flag

// The walk's place on one row.
struct Cursor {
  const SliceRow* row = nullptr;
  std::uint64_t next = 0, end = 0;
  SliceRef slice;
  std::uint32_t depth = 0;

  bool done() const { return next == end; }
  std::int64_t begin_ns() const { return row->begin_ns(next); }
  WalkedCall take(const Scope& scope) {
    const SliceChunk& chunk = row->chunk_of(next);
    const std::uint32_t i = SliceRow::in_chunk(next);
    WalkedCall call{.slice = slice, .depth = depth, .name = chunk.name(i)};
    call.slice.slice = next++;
    call.whole_begin_ns = chunk.begin_ns(i);
    call.whole_end_ns = chunk.end_ns(i);
    call.begin_ns = std::max(call.whole_begin_ns, scope.begin_ns);
    call.end_ns = std::max(std::min(call.whole_end_ns, scope.end_ns), call.begin_ns);
    return call;
  }
};
std::vector<Cursor> cursors_of(const TrackSlices& track, const Scope& scope);

struct Next {
  std::int64_t begin_ns;
  std::uint32_t depth;
  std::size_t row;
  std::uint64_t slice;
  bool operator<(const Next& other) const {  // a queue has the earliest on top
    return begin_ns != other.begin_ns ? begin_ns > other.begin_ns : depth > other.depth;
  }
};
template <class Place>
Next next_of(const std::vector<Place>& rows, std::size_t row) {
  return {rows[row].begin_ns(), rows[row].depth, row, rows[row].next};
}

// Its members are those of Cursor.
template <class Place, class Visit>
bool walk_merged(std::vector<Place>& rows, const Scope& scope, const std::atomic<bool>& cancelled,
                 Visit visit) {
  std::priority_queue<Next> queue;
  const auto push = [&](std::size_t row) {
    if (!rows[row].done()) queue.push(next_of(rows, row));
  };
  for (std::size_t row = 0; row < rows.size(); ++row) push(row);
  std::uint32_t until_look = 0;
  while (!queue.empty()) {
    if (until_look-- == 0) {
      if (cancelled.load(std::memory_order_relaxed)) return false;
      until_look = kCallsBetweenLooks;
    }
    const std::size_t row = queue.top().row;
    queue.pop();
    visit(rows[row].take(scope));
    push(row);
  }
  return true;
}

// Where rows nest the next call is on the row below the last one if it begins inside that, else on
// the nearest row above whose caller is still open; so there is no search. Only a call without
// length at its caller's end, which is inside no call, has to wait for its turn. `open`: calls that
// began before, one on each of the first rows, which go on behind the scope's begin.
struct OpenCall {
  std::int64_t begin_ns, end_ns;
};
template <class Place, class Visit>
bool walk_nested(std::vector<Place>& rows, const Scope& scope, const std::atomic<bool>& cancelled,
                 Visit visit, std::vector<OpenCall> open = {}) {
  std::priority_queue<Next> waiting;
  const auto let_wait = [&](std::size_t row) {
    if (row < rows.size() && !rows[row].done()) waiting.push(next_of(rows, row));
  };
  const auto visit_waiting = [&](const Next* before) {
    while (!waiting.empty() && (before == nullptr || *before < waiting.top())) {
      const Next next = waiting.top();
      waiting.pop();
      if (rows[next.row].next != next.slice) continue;  // it was visited meanwhile
      visit(rows[next.row].take(scope));
      const auto follows = [&](std::size_t row) {
        return row < rows.size() && !rows[row].done() && rows[row].begin_ns() <= next.begin_ns;
      };
      if (follows(next.row)) let_wait(next.row);
      if (follows(next.row + 1)) let_wait(next.row + 1);
    }
  };
  // The caller of such a call may have ended where the range begins.
  for (std::size_t row = 1; row < rows.size(); ++row) {
    if (!rows[row].done() && rows[row].begin_ns() == scope.begin_ns) let_wait(row);
  }
  std::uint32_t until_look = 0;
  for (;;) {
    if (until_look-- == 0) {
      if (cancelled.load(std::memory_order_relaxed)) return false;
      until_look = kCallsBetweenLooks;
    }
    const std::size_t row = open.size();
    bool goes_on = row < rows.size() && !rows[row].done();
    if (goes_on && row > 0) {
      const std::int64_t begin_ns = rows[row].begin_ns();
      const OpenCall& above = open.back();
      // Of several callers that begin at once the last one made the call.
      const Place& callers = rows[row - 1];
      const bool of_next = !callers.done() && callers.begin_ns() <= begin_ns;
      goes_on = !of_next && (begin_ns < above.end_ns || begin_ns == above.begin_ns);
      if (!goes_on && !of_next && begin_ns == above.end_ns) let_wait(row);
    }
    if (goes_on) {
      if (!waiting.empty()) {
        const Next next = next_of(rows, row);
        visit_waiting(&next);
        if (rows[row].next != next.slice) continue;
      }
      const WalkedCall call = rows[row].take(scope);
      open.push_back({call.begin_ns, call.end_ns});
      visit(call);
    } else if (open.empty()) {
      break;
    } else {
      open.pop_back();
    }
  }
  visit_waiting(nullptr);
  // Times that the file's last decimal let stick out of their callers, at the range's begin.
  return walk_merged(rows, scope, cancelled, visit);
}

}  // namespace walk

template <class Visit>
bool walk_calls(const TrackSlices& track, const Scope& scope, const std::atomic<bool>& cancelled,
                Visit visit) {
  std::vector<walk::Cursor> rows = walk::cursors_of(track, scope);
  const bool nested = !track.has_overlaps && track.blocks.size() == 1 && !is_packed(track.kind);
  return nested ? walk::walk_nested(rows, scope, cancelled, visit)
                : walk::walk_merged(rows, scope, cancelled, visit);
}

namespace walk {

// Where calls partly overlap, what contains what decides, not the rows.
template <class Value, class OnCall, class OnSelf>
bool walk_overlapping(const TrackSlices& track, const Scope& scope,
                      const std::atomic<bool>& cancelled, OnCall on_call, OnSelf on_self) {
  struct Open {
    Value value;
    std::int64_t end_ns;      // cut to the range
    std::int64_t covered_ns;  // up to here its children are known
  };
  Containers<Open> open(track.tolerance_ns);
  return walk_calls(track, scope, cancelled, [&](WalkedCall call) {
    open.narrow(call.whole_begin_ns, call.whole_end_ns);
    call.depth = static_cast<std::uint32_t>(open.depth());
    auto* container = open.innermost();
    Open* caller = container == nullptr ? nullptr : &container->value;
    const Value value = on_call(std::as_const(call), caller == nullptr ? nullptr : &caller->value);
    if (caller != nullptr) {
      const std::int64_t from_ns = std::max(call.begin_ns, caller->covered_ns);
      const std::int64_t to_ns = std::min(call.end_ns, caller->end_ns);
      if (to_ns > from_ns) {
        on_self(caller->value, -saturating_difference(to_ns, from_ns));
        caller->covered_ns = to_ns;
      }
    }
    on_self(value, call.duration_ns());
    open.add(call.whole_begin_ns, call.whole_end_ns, {value, call.end_ns, call.begin_ns});
  });
}

// Where rows nest the innermost call is the deepest that is open.
template <class Value, class OnCall, class OnSelf>
bool walk_rows(const TrackSlices& track, const Scope& scope, const std::atomic<bool>& cancelled,
               OnCall on_call, OnSelf on_self) {
  struct Open {
    std::int64_t begin_ns, end_ns;
    Value value;
  };
  std::vector<Open> open;  // by depth; `depths` tells which of them may still be
  DepthSet depths;
  std::int64_t now_ns = INT64_MIN;
  // At every moment the deepest open call is the innermost one. Each call is taken out once.
  const auto advance = [&](std::int64_t to_ns) {
    while (now_ns < to_ns) {
      const std::uint32_t depth = depths.last();
      if (depth == DepthSet::kNone) break;
      const Open& deepest = open[depth];
      const std::int64_t end_ns = std::min(deepest.end_ns, to_ns);
      if (end_ns > now_ns) {
        on_self(deepest.value, saturating_difference(end_ns, std::max(now_ns, deepest.begin_ns)));
        now_ns = end_ns;
      }
      if (deepest.end_ns <= now_ns) depths.erase(depth);
    }
    now_ns = std::max(now_ns, to_ns);
  };
  const auto caller_of = [&](const WalkedCall& call) -> const Value* {
    for (std::uint32_t depth = depths.last_below(call.depth); depth != DepthSet::kNone;
         depth = depths.last_below(depth)) {
      const Open& above = open[depth];
      if (above.end_ns > call.begin_ns || above.begin_ns == call.begin_ns) return &above.value;
      depths.erase(depth);
    }
    return nullptr;
  };
  const bool whole = walk_calls(track, scope, cancelled, [&](const WalkedCall& call) {
    advance(call.begin_ns);
    const Value value = on_call(call, caller_of(call));
    if (call.depth >= open.size()) open.resize(std::size_t{call.depth} + 1 + call.depth / 2);
    open[call.depth] = {call.begin_ns, call.end_ns, value};
    depths.insert(call.depth);
  });
  if (whole) advance(INT64_MAX);
  return whole;
}

}  // namespace walk

template <class Value, class OnCall, class OnSelf>
bool walk_call_tree(const TrackSlices& track, const Scope& scope,
                    const std::atomic<bool>& cancelled, OnCall on_call, OnSelf on_self) {
  return track.has_overlaps
             ? walk::walk_overlapping<Value>(track, scope, cancelled, on_call, on_self)
             : walk::walk_rows<Value>(track, scope, cancelled, on_call, on_self);
}

}  // namespace cinderscope
