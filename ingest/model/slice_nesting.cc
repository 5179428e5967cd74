#include "ingest/model/slice_nesting.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "ingest/base/saturating.h"
#include "ingest/model/call_walk.h"
#include "ingest/model/containers.h"

namespace cinderscope {

namespace {

const Track& track_of(const Timeline& timeline, const SliceRef& ref) {
  return timeline.tracks[index(ref.track)];
}

// The slices around a slice of a track with overlaps, outermost first.
std::vector<SliceRef> containers_of(const Track& track, const SliceRef& ref) {
  const SliceBlock& block = *track.blocks[index(ref.block)];
  const Slice slice = block.rows[ref.row].slice(ref.slice);
  struct Candidate {
    std::int64_t begin_ns, end_ns;
    SliceRef ref;
  };
  // Slices of a row do not overlap, so the last one that has begun is the only one that may still
  // be open; and a container lies on a row above.
  std::vector<Candidate> open;
  for (std::uint32_t row = 0; row < ref.row; ++row) {
    const SliceRow& slices = block.rows[row];
    const std::uint64_t i = slices.last_begun(slice.begin_ns);
    if (i == slices.count() || slices.end_ns(i) <= slice.begin_ns) continue;
    open.push_back({slices.begin_ns(i), slices.end_ns(i), {ref.track, ref.block, row, i}});
  }
  std::sort(open.begin(), open.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.begin_ns, b.end_ns, a.ref.row) <
           std::tuple(b.begin_ns, a.end_ns, b.ref.row);
  });
  Containers<SliceRef> containers(track.tolerance_ns);
  for (const Candidate& candidate : open) {
    containers.narrow(candidate.begin_ns, candidate.end_ns);
    containers.add(candidate.begin_ns, candidate.end_ns, candidate.ref);
  }
  containers.narrow(slice.begin_ns, slice.end_ns());
  std::vector<SliceRef> out;
  for (const auto& container : containers.all()) out.push_back(container.value);
  return out;
}

// The slice on the nearest row above that covers the begin; for tracks without overlaps.
SliceRef parent_by_rows(const SliceBlock& block, const SliceRef& ref) {
  const std::int64_t begin_ns = block.rows[ref.row].begin_ns(ref.slice);
  for (std::uint32_t row = ref.row; row-- > 0;) {
    const SliceRow& slices = block.rows[row];
    const std::uint64_t i = slices.last_begun(begin_ns);
    if (i == slices.count()) continue;
    if (slices.end_ns(i) > begin_ns || slices.begin_ns(i) == begin_ns) {
      return {ref.track, ref.block, row, i};
    }
  }
  return {};
}

// Walks through what lies in a slice; `visit` gets its children, and its own self time is returned.
template <class Visit>
std::int64_t walk_inside(const Timeline& timeline, const SliceRef& ref, Visit visit) {
  const Slice slice = slice_at(timeline, ref);
  if (slice.duration_ns <= 0) return 0;
  const TrackSlices slices = slices_of(timeline, ref.track);
  Scope scope;
  scope.begin_ns = slice.begin_ns;
  scope.end_ns = slice.end_ns();
  std::atomic<bool> stop = false;
  std::int64_t self_ns = 0;
  walk_call_tree<bool>(
      slices, scope, stop,
      [&](const WalkedCall& call, const bool* caller) {
        if (caller != nullptr && *caller && !stop && !visit(call.slice)) stop = true;
        return call.slice == ref;
      },
      [&](bool of_slice, std::int64_t ns) {
        if (of_slice) self_ns = saturating_sum(self_ns, ns);
      });
  return self_ns;
}

// One block whose rows nest: all children of a slice are neighbours on the row below.
bool children_are_below(const Track& track) {
  return !track.has_overlaps && track.blocks.size() == 1 && !is_packed(track.kind);
}

// The first slice of a block of loaded children.
SliceRef first_loaded_child(const Track& track, const SliceRef& ref) {
  for (std::size_t b = 1; b < track.blocks.size(); ++b) {
    const SliceBlock* child = track.blocks[b].get();
    if (child == nullptr || child->rows.empty() || child->rows[0].count() == 0) continue;
    if (child->parent_block == ref.block && child->parent_row == ref.row &&
        child->parent_slice == ref.slice) {
      return {ref.track, BlockId{static_cast<std::uint32_t>(b)}, 0, 0};
    }
  }
  return {};
}

}  // namespace

SliceRef parent_of(const Timeline& timeline, const SliceRef& ref) {
  const SliceBlock* block = block_of(timeline, ref);
  if (block == nullptr) return {};
  const Track& track = track_of(timeline, ref);
  if (!slices_nest(track)) return {};
  if (track.has_overlaps) {
    const std::vector<SliceRef> containers = containers_of(track, ref);
    if (!containers.empty()) return containers.back();
  } else if (const SliceRef parent = parent_by_rows(*block, ref)) {
    return parent;
  }
  if (index(ref.block) == 0) return {};
  return {ref.track, block->parent_block, block->parent_row, block->parent_slice};
}

std::vector<SliceRef> containers_in_block(const Timeline& timeline, const SliceRef& ref) {
  if (block_of(timeline, ref) == nullptr) return {};
  return containers_of(track_of(timeline, ref), ref);
}

std::uint32_t depth_of(const Timeline& timeline, const SliceRef& ref) {
  if (block_of(timeline, ref) == nullptr) return 0;
  const Track& track = track_of(timeline, ref);
  if (!slices_nest(track)) return 0;
  if (!track.has_overlaps) return track_row_of(timeline, ref);
  return static_cast<std::uint32_t>(containers_of(track, ref).size());
}

SliceRef first_child_of(const Timeline& timeline, const SliceRef& ref) {
  const SliceBlock* block = block_of(timeline, ref);
  if (block == nullptr) return {};
  const Track& track = track_of(timeline, ref);
  if (!slices_nest(track)) return {};
  SliceRef first;
  if (track.has_overlaps) {
    walk_inside(timeline, ref, [&](const SliceRef& child) {
      first = child;
      return false;
    });
    return first;
  }
  const Slice slice = block->rows[ref.row].slice(ref.slice);
  if (ref.row + 1 < block->rows.size()) {
    const SliceRow& below = block->rows[ref.row + 1];
    const std::uint64_t i = below.lower_bound(slice.begin_ns);
    if (i < below.count() && below.begin_ns(i) < slice.end_ns()) {
      return {ref.track, ref.block, ref.row + 1, i};
    }
  }
  return first_loaded_child(track, ref);
}

void for_children_of(const Timeline& timeline, const SliceRef& ref,
                     const std::function<bool(const SliceRef&, const Slice&)>& visit) {
  const SliceBlock* block = block_of(timeline, ref);
  if (block == nullptr || !slices_nest(track_of(timeline, ref))) return;
  if (!children_are_below(track_of(timeline, ref))) {
    walk_inside(timeline, ref,
                [&](const SliceRef& child) { return visit(child, slice_at(timeline, child)); });
    return;
  }
  if (ref.row + 1 >= block->rows.size()) return;
  const Slice slice = block->rows[ref.row].slice(ref.slice);
  const SliceRow& below = block->rows[ref.row + 1];
  for (std::uint64_t i = below.lower_bound(slice.begin_ns); i < below.count(); ++i) {
    const Slice child = below.slice(i);
    if (child.begin_ns >= slice.end_ns()) break;
    if (!visit({ref.track, ref.block, ref.row + 1, i}, child)) break;
  }
}

SliceRef neighbour_of(const Timeline& timeline, const SliceRef& ref, int direction) {
  const SliceBlock* block = block_of(timeline, ref);
  if (block == nullptr) return {};
  SliceRef result = ref;
  if (direction < 0) {
    if (ref.slice == 0) return {};
    --result.slice;
  } else {
    if (ref.slice + 1 >= block->rows[ref.row].count()) return {};
    ++result.slice;
  }
  return result;
}

std::int64_t self_ns(const Timeline& timeline, const SliceRef& ref) {
  const SliceBlock* block = block_of(timeline, ref);
  if (block == nullptr) return 0;
  const Slice slice = block->rows[ref.row].slice(ref.slice);
  if (is_packed(track_of(timeline, ref).kind)) return slice.duration_ns;
  if (!children_are_below(track_of(timeline, ref))) {
    return walk_inside(timeline, ref, [](const SliceRef&) { return true; });
  }
  if (ref.row + 1 >= block->rows.size()) return slice.duration_ns;
  const SliceRow& below = block->rows[ref.row + 1];
  std::int64_t self_ns = slice.duration_ns, reached_ns = slice.begin_ns;
  std::uint64_t i = below.lower_bound(slice.begin_ns);
  // Times that the file's last decimal lets stick out of their callers.
  if (i > 0 && below.end_ns(i - 1) > slice.begin_ns) --i;
  while (i < below.count()) {
    const SliceChunk& chunk = below.chunk_of(i);
    for (std::uint32_t k = SliceRow::in_chunk(i); k < chunk.count(); ++k, ++i) {
      const std::int64_t begin_ns = std::max(reached_ns, chunk.begin_ns(k));
      if (begin_ns >= slice.end_ns()) return self_ns;
      const std::int64_t end_ns = std::min(slice.end_ns(), chunk.end_ns(k));
      if (end_ns <= begin_ns) continue;
      self_ns -= end_ns - begin_ns;
      reached_ns = end_ns;
    }
  }
  return self_ns;
}

}  // namespace cinderscope
