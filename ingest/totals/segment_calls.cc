#include "ingest/totals/segment_calls.h"

#include <algorithm>

#include "ingest/base/saturating.h"
#include "ingest/base/ui_priority.h"
#include "ingest/model/call_walk.h"

namespace cinderscope {

namespace {

// How many calls before its turn a node is asked for: its slot first, which tells where it is.
constexpr std::size_t kSlotAhead = 16, kNodeAhead = 8;
constexpr std::uint32_t kNobody = 0;  // the name of slots without a call, which nobody asks

}  // namespace

void SegmentCalls::add(const TrackSlices& slices, const std::atomic<bool>& cancelled) {
  const MeasuredTrack track = measured_track(slices, scope_);
  if (track.count == 0) return;
  const auto stopped = [&] {
    yield_to_ui();
    if (cancelled.load(std::memory_order_relaxed)) stop_ = true;
    return stop_.load();
  };
  for (const TimeSegment& whole : segments_of({&track, 1}, scope_, size_)) {
    for_fitting_parts(whole, size_, scope_.begin_ns, columns_, stopped,
                      [this](const TimeSegment& part) { add_listed(part); });
    if (stop_) break;
  }
}

void SegmentCalls::add_listed(const TimeSegment& segment) {
  const auto [nests, fits] =
      read_columns(segment, {scope_.begin_ns, scope_.end_ns}, kNobody, columns_);
  if (nests && fits && find_callers(columns_)) {
    add_rows(segment);
  } else {
    add_walked(segment);
  }
}

// A call without length at the end of one of the row above is not inside of that.
std::uint32_t SegmentCalls::caller_of(std::size_t slot) const {
  const std::int64_t begin_ns = columns_.begins[slot];
  std::uint32_t at = columns_.parents[slot];
  while (at != kNoCaller && columns_.ends[at] <= begin_ns && columns_.begins[at] != begin_ns) {
    at = columns_.parents[at];
    while (at != kNoCaller && columns_.begins[at + 1] <= begin_ns) ++at;
  }
  return at;
}

CallPlace SegmentCalls::add_begun(CallPlace caller, StringId name, std::int64_t duration_ns,
                                  const SliceRef& slice) {
  const CallPlace place = add_call(out_, finder_, caller, name, duration_ns, slice);
  if (!place.has_node && ends_when_full_) stop_ = true;
  return place;
}

// Callees take their time from their callers.
void SegmentCalls::move_self(CallPlace call, CallPlace caller, std::int64_t ns) {
  if (call.node == caller.node) return;
  std::int64_t &to = out_.nodes[call.node].self_ns, &from = out_.nodes[caller.node].self_ns;
  to = saturating_sum(to, ns);
  from = saturating_sum(from, -ns);
}

// Self time beyond the segment's end is left to the segments that follow.
void SegmentCalls::add_rows(const TimeSegment& segment) {
  const std::vector<std::int64_t>&begins = columns_.begins, &ends = columns_.ends;
  const std::vector<std::uint32_t>& parents = columns_.parents;
  const auto name_of = [&](std::size_t slot) { return StringId{columns_.names[slot]}; };
  places_.resize(begins.size());
  places_[kNoCaller] = {};
  for (std::size_t r = 0; r < columns_.rows.size() && !stop_; ++r) {
    const SegmentRow& row = columns_.rows[r];
    const std::size_t carried = row.first_slot, end = carried + 1 + row.count;
    if (row.carried) {
      const CallPlace caller = places_[parents[carried]];
      places_[carried] = finder_.place_of(caller, name_of(carried));
      move_self(places_[carried], caller,
                std::min(ends[carried], segment.end_ns) - segment.begin_ns);
    }
    SliceRef slice = segment.track->rows[r].place;
    slice.slice = row.first;
    for (std::size_t slot = carried + 1; slot < end; ++slot, ++slice.slice) {
      if (slot + kSlotAhead < end) {
        const std::size_t later = slot + kSlotAhead, soon = slot + kNodeAhead;
        finder_.announce(places_[parents[later]], name_of(later));
        finder_.announce_node(places_[parents[soon]], name_of(soon));
      }
      const CallPlace caller = places_[caller_of(slot)];
      const std::int64_t duration_ns = ends[slot] - begins[slot];
      places_[slot] = add_begun(caller, name_of(slot), duration_ns, slice);
      move_self(places_[slot], caller, duration_ns);
    }
    if (row.count > 0 && ends[end - 1] > segment.end_ns) {
      move_self(places_[end - 1], places_[caller_of(end - 1)], segment.end_ns - ends[end - 1]);
    }
  }
}

void SegmentCalls::add_walked(const TimeSegment& segment) {
  Scope within;
  within.begin_ns = std::max(segment.begin_ns, scope_.begin_ns);
  within.end_ns = std::min(segment.end_ns, scope_.end_ns);
  if (within.begin_ns >= within.end_ns) return;
  const auto on_call = [&](const WalkedCall& call, const CallPlace* caller) {
    const CallPlace below = caller == nullptr ? CallPlace{} : *caller;
    const bool goes_on = !segment.first && call.whole_begin_ns < segment.begin_ns;
    if (goes_on) return finder_.place_of(below, call.name);
    const std::int64_t duration_ns = saturating_difference(
        std::min(call.whole_end_ns, scope_.end_ns), std::max(call.whole_begin_ns, scope_.begin_ns));
    return add_begun(below, call.name, duration_ns, call.slice);
  };
  const auto on_self = [&](const CallPlace& of, std::int64_t ns) {
    out_.nodes[of.node].self_ns = saturating_sum(out_.nodes[of.node].self_ns, ns);
  };
  walk_call_tree<CallPlace>(*segment.track->slices, within, stop_, on_call, on_self);
}

}  // namespace cinderscope
