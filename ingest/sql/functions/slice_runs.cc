#include "ingest/sql/functions/slice_runs.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <tuple>
#include <utility>

#include "ingest/model/call_walk.h"
#include "ingest/model/containers.h"
#include "ingest/model/slice_nesting.h"
#include "ingest/totals/scoped_slices.h"

namespace cinderscope {

namespace {

const Track& track_of(const Timeline& timeline, TrackId track) {
  return timeline.tracks[index(track)];
}

bool rows_tell(const Track& track) {
  return !track.has_overlaps && track.blocks.size() == 1 && !is_packed(track.kind);
}

// Which slices of each row were met: they are met from left to right.
class Runs {
 public:
  void add(const SliceRef& slice) {
    std::vector<RowRun>& row = rows_[{index(slice.block), slice.row}];
    if (!row.empty() && row.back().end == slice.slice) {
      ++row.back().end;
    } else {
      row.push_back({slice, slice.slice + 1});
    }
  }
  std::vector<RowRun> all() const {
    std::vector<RowRun> out;
    for (const auto& [row, runs] : rows_) out.insert(out.end(), runs.begin(), runs.end());
    return out;
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<RowRun>> rows_;
};

std::vector<RowRun> walk_inside(const Timeline& timeline, const SliceRef& slice, const Slice& of,
                                std::uint64_t levels, const std::atomic<bool>* cancelled) {
  Scope scope;
  scope.begin_ns = of.begin_ns;
  scope.end_ns = of.end_ns();
  static const std::atomic<bool> kGoOn = false;
  Runs runs;
  // The value of a call is how deep it lies in the slice; kOutside: it does not.
  constexpr std::uint64_t kOutside = UINT64_MAX;
  walk_call_tree<std::uint64_t>(
      slices_of(timeline, slice.track), scope, cancelled == nullptr ? kGoOn : *cancelled,
      [&](const WalkedCall& call, const std::uint64_t* caller) -> std::uint64_t {
        if (call.slice == slice) return 0;
        if (caller == nullptr || *caller == kOutside) return kOutside;
        if (*caller < levels) runs.add(call.slice);
        return *caller + 1;
      },
      [](std::uint64_t, std::int64_t) {});
  return runs.all();
}

}  // namespace

std::vector<RowRun> children_of(const Timeline& timeline, const SliceRef& slice,
                                const std::atomic<bool>* cancelled) {
  return descendants_of(timeline, slice, 1, cancelled);
}

std::vector<RowRun> descendants_of(const Timeline& timeline, const SliceRef& slice,
                                   std::uint64_t levels, const std::atomic<bool>* cancelled) {
  const SliceBlock* block = block_of(timeline, slice);
  const Track& track = track_of(timeline, slice.track);
  if (block == nullptr || !slices_nest(track)) return {};
  const Slice of = block->rows[slice.row].slice(slice.slice);
  if (of.duration_ns <= 0) return {};
  if (!rows_tell(track)) return walk_inside(timeline, slice, of, levels, cancelled);
  std::vector<RowRun> runs;
  for (std::uint32_t row = slice.row + 1; row < block->rows.size(); ++row) {
    if (row - slice.row > levels) break;
    const SliceRow& slices = block->rows[row];
    const std::uint64_t first = slices.lower_bound(of.begin_ns);
    const std::uint64_t end = slices.lower_bound(of.end_ns());
    if (first == end) break;  // nothing lies deeper
    runs.push_back({{slice.track, slice.block, row, first}, end});
  }
  return runs;
}

std::vector<SliceRef> ancestors_of(const Timeline& timeline, const SliceRef& slice) {
  std::vector<SliceRef> ancestors;
  SliceRef at = slice;
  while (const SliceBlock* block = block_of(timeline, at)) {
    if (!track_of(timeline, at.track).has_overlaps) {
      at = parent_of(timeline, at);
      if (at) ancestors.push_back(at);
      continue;
    }
    // One by one each would look for all that are around it.
    const std::vector<SliceRef> around = containers_in_block(timeline, at);
    ancestors.insert(ancestors.end(), around.rbegin(), around.rend());
    if (index(at.block) == 0) break;
    at = {at.track, block->parent_block, block->parent_row, block->parent_slice};
    ancestors.push_back(at);
  }
  return ancestors;
}

std::vector<RowRun> overlapping(const Timeline& timeline, TrackId track, std::int64_t begin_ns,
                                std::int64_t end_ns) {
  std::vector<RowRun> runs;
  if (begin_ns >= end_ns) return runs;
  const auto& blocks = track_of(timeline, track).blocks;
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b] == nullptr) continue;
    for (std::uint32_t row = 0; row < blocks[b]->rows.size(); ++row) {
      const SliceSpan span = span_of(blocks[b]->rows[row], {begin_ns, end_ns});
      if (span.count() > 0) runs.push_back({{track, BlockId{b}, row, span.first}, span.last});
    }
  }
  return runs;
}

SliceRef slice_at_time(const Timeline& timeline, TrackId track, std::int64_t ns,
                       std::optional<std::int64_t> depth) {
  struct There {
    std::int64_t begin_ns, end_ns;
    std::uint32_t row;  // of the track
    SliceRef ref;
  };
  std::vector<There> there;
  const Track& of = track_of(timeline, track);
  for (std::uint32_t b = 0; b < of.blocks.size(); ++b) {
    if (of.blocks[b] == nullptr) continue;
    const SliceBlock& block = *of.blocks[b];
    for (std::uint32_t row = 0; row < block.rows.size(); ++row) {
      const SliceRow& slices = block.rows[row];
      const std::uint64_t i = slices.last_begun(ns);
      if (i == slices.count() || slices.end_ns(i) <= ns) continue;
      there.push_back({slices.begin_ns(i),
                       slices.end_ns(i),
                       block.base_depth + row,
                       {track, BlockId{b}, row, i}});
    }
  }
  std::vector<SliceRef> by_depth;
  if (of.has_overlaps) {
    // Of those that partly overlap the last one that began.
    std::ranges::sort(there, [](const There& a, const There& b) {
      return std::tuple(a.begin_ns, b.end_ns, a.row) < std::tuple(b.begin_ns, a.end_ns, b.row);
    });
    Containers<SliceRef> containers(of.tolerance_ns);
    for (const There& each : there) {
      containers.narrow(each.begin_ns, each.end_ns);
      containers.add(each.begin_ns, each.end_ns, each.ref);
    }
    for (const auto& container : containers.all()) by_depth.push_back(container.value);
  } else {
    std::ranges::sort(there, {}, &There::row);
    for (const There& each : there) by_depth.push_back(each.ref);
  }
  if (by_depth.empty()) return {};
  if (!depth) return by_depth.back();
  if (*depth < 1 || static_cast<std::uint64_t>(*depth) > by_depth.size()) return {};
  return by_depth[static_cast<std::size_t>(*depth) - 1];
}

}  // namespace cinderscope
