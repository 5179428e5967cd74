#include "ingest/totals/call_tree_outline.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ingest/base/ui_priority.h"
#include "ingest/model/call_walk.h"
#include "ingest/totals/scoped_slices.h"
#include "ingest/totals/segment_calls.h"

namespace cinderscope {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kNodesForAPlace = 64;          // of those that there may be
constexpr std::uint64_t kSlicesForAPlace = 1 << 12;  // so that it takes a few percent of the time
constexpr std::size_t kLeastPlaces = 64;

// The i-th of places in [0, end) that lie evenly however many there are; those of two numbers
// lie evenly over an area, too: the fractions of these multiples (M. Roberts' R2 sequence).
constexpr std::uint64_t kFirst = 0xc13fa9a902a6328fu, kSecond = 0x91e10da5c79e7b1du;
std::uint64_t spread(std::uint64_t i, std::uint64_t step, std::uint64_t end) {
  const std::uint64_t fraction = (i + 1) * step;  // of 2^64
  return static_cast<std::uint64_t>((Wide{fraction} * Wide{end}) >> 64);
}

struct OutlinedTrack {
  MeasuredTrack track;
  std::size_t row_count = 0;
  std::vector<std::uint64_t> row_ends;    // calls of each row and those before it
  std::uint64_t before = 0;               // calls of all tracks before it
  std::int64_t begin_ns = 0, end_ns = 0;  // of its calls, cut to the scope
};

std::vector<OutlinedTrack> outlined_tracks(const SliceSet& slices, const Scope& scope) {
  std::vector<OutlinedTrack> tracks;
  std::uint64_t before = 0;
  for (MeasuredTrack& track : measured_tracks(slices, {.scope = scope})) {
    if (is_packed(track.slices->kind)) continue;  // without callers
    OutlinedTrack& made = tracks.emplace_back();
    made.before = before;
    for (const auto& block : track.slices->blocks) {
      if (block != nullptr) made.row_count += block->rows.size();
    }
    made.begin_ns = INT64_MAX;
    made.end_ns = INT64_MIN;
    for (const SliceSpan& row : track.rows) {
      made.begin_ns = std::min(made.begin_ns, row.row->begin_ns(row.first));
      made.end_ns = std::max(made.end_ns, row.row->end_ns(row.last - 1));
      made.row_ends.push_back(row.count() + (made.row_ends.empty() ? 0 : made.row_ends.back()));
    }
    before += track.count;
    made.begin_ns = std::max(made.begin_ns, scope.begin_ns);
    made.end_ns = std::min(made.end_ns, scope.end_ns);
    made.track = std::move(track);
  }
  return tracks;
}

// When the call begins that is number `call` of the track's, row by row.
std::int64_t begin_of(const OutlinedTrack& of, std::uint64_t call) {
  const auto end = std::ranges::upper_bound(of.row_ends, call);
  const SliceSpan& row = of.track.rows[static_cast<std::size_t>(end - of.row_ends.begin())];
  return std::max(row.row->begin_ns(row.last - (*end - call)), of.begin_ns);
}

class Outline {
 public:
  Outline(std::size_t most, const std::atomic<bool>& cancelled, NodeFinder& finder)
      : cancelled_(cancelled),
        finder_(finder),
        last_size_(finder.size() + most / 4),
        looks_left_(most) {}

  // A trace of very deep calls is looked at in fewer places.
  bool done() const {
    return looks_left_ == 0 || finder_.size() >= last_size_ ||
           cancelled_.load(std::memory_order_relaxed);
  }

  void add_open_at(const OutlinedTrack& of, std::int64_t time_ns) {
    if (SegmentCalls::can_add(*of.track.slices)) {
      add_rows(of.track, time_ns);
    } else {
      add_walked(of, time_ns);
    }
  }

 private:
  // A call lies inside one of the row above: where a row has none no other has.
  void add_rows(const MeasuredTrack& track, std::int64_t time_ns) {
    CallPlace place;
    for (const SliceSpan& span : track.rows) {
      if (done() || !place.has_node) return;
      --looks_left_;
      const std::uint64_t i = span.row->last_begun(time_ns);
      if (i < span.first || i >= span.last || span.row->end_ns(i) <= time_ns) return;
      place = finder_.place_of(place, span.row->name(i));
    }
  }

  void add_walked(const OutlinedTrack& of, std::int64_t time_ns) {
    looks_left_ -= std::min<std::uint64_t>(looks_left_, of.row_count);
    Scope moment;
    moment.begin_ns = time_ns;
    moment.end_ns = time_ns + 1;
    const auto on_call = [&](const WalkedCall& call, const CallPlace* caller) {
      const CallPlace below = caller == nullptr ? CallPlace{} : *caller;
      if (looks_left_ > 0) --looks_left_;
      return done() ? CallPlace{below.node, false} : finder_.place_of(below, call.name);
    };
    walk_call_tree<CallPlace>(*of.track.slices, moment, cancelled_, on_call,
                              [](const CallPlace&, std::int64_t) {});
  }

  const std::atomic<bool>& cancelled_;
  NodeFinder& finder_;
  std::size_t last_size_;     // of the tree, with its outline
  std::uint64_t looks_left_;  // at rows and calls
};

}  // namespace

void add_outline(const SliceSet& slices, const Scope& scope, const std::atomic<bool>& cancelled,
                 std::size_t most, NodeFinder& finder) {
  const std::vector<OutlinedTrack> tracks = outlined_tracks(slices, scope);
  if (tracks.empty()) return;
  const std::uint64_t calls = tracks.back().before + tracks.back().track.count;
  const std::uint64_t places = std::min<std::uint64_t>(
      most / kNodesForAPlace, std::max<std::uint64_t>(calls / kSlicesForAPlace, kLeastPlaces));
  Outline outline(most, cancelled, finder);
  for (std::uint64_t i = 0; i < places && !outline.done(); ++i) {
    yield_to_ui();
    const std::uint64_t call = spread(i, kFirst, calls);
    const OutlinedTrack& of =
        *(std::ranges::upper_bound(tracks, call, {}, &OutlinedTrack::before) - 1);
    const auto length_ns =
        static_cast<std::uint64_t>(of.end_ns) - static_cast<std::uint64_t>(of.begin_ns);
    const std::int64_t time_ns =
        i % 2 == 0 ? begin_of(of, call - of.before)
                   : static_cast<std::int64_t>(static_cast<std::uint64_t>(of.begin_ns) +
                                               spread(i, kSecond, length_ns));
    // There is none behind it.
    if (time_ns < of.end_ns) outline.add_open_at(of, time_ns);
  }
}

}  // namespace cinderscope
