#include "render/layout/nested_instants.h"

#include <algorithm>
#include <utility>

namespace cinderscope {

NestedInstants::NestedInstants(const Timeline& timeline, const SliceRef& call) {
  const SliceBlock* block = block_of(timeline, call);
  if (block == nullptr) return;
  const Slice slice = slice_at(timeline, call);
  const std::uint32_t inside = call.row + 1;
  if (inside < block->nested_instants.size()) {
    add(block->nested_instants[inside], {call.track, 0, call.block, inside}, slice.begin_ns,
        slice.end_ns());
  }
  const auto deferred = std::ranges::lower_bound(
      block->deferred, std::pair(call.row, call.slice), {},
      [](const DeferredChildren& entry) { return std::pair(entry.row, entry.slice); });
  const bool on_disk = deferred != block->deferred.end() && deferred->row == call.row &&
                       deferred->slice == call.slice;
  if (!on_disk) return;
  // Pieces of the children that were read, by their place among them.
  std::vector<std::pair<std::uint64_t, BlockId>> pieces;
  const Track& track = timeline.tracks[index(call.track)];
  std::uint64_t read = 0;
  for (std::uint32_t b = 1; b < track.blocks.size(); ++b) {
    const SliceBlock* piece = track.blocks[b].get();
    if (piece == nullptr || piece->parent_block != call.block || piece->parent_row != call.row ||
        piece->parent_slice != call.slice) {
      continue;
    }
    pieces.emplace_back(piece->first_child, BlockId{b});
    read += piece->child_count;
  }
  std::ranges::sort(pieces);
  complete_ = !pieces.empty() && read >= deferred->count;
  for (const auto& [first_child, id] : pieces) {
    const SliceBlock& piece = *track.blocks[index(id)];
    if (!piece.nested_instants.empty()) {
      add(piece.nested_instants.front(), {call.track, 0, id, 0}, INT64_MIN, INT64_MAX);
    }
  }
}

void NestedInstants::add(const SliceRow& row, InstantRef first, std::int64_t begin_ns,
                         std::int64_t end_ns) {
  first.instant = begin_ns == INT64_MIN ? 0 : row.lower_bound(begin_ns);
  const std::uint64_t end = end_ns == INT64_MAX ? row.count() : row.lower_bound(end_ns);
  if (end <= first.instant) return;
  runs_.push_back({first, count_});
  count_ += end - first.instant;
}

InstantRef NestedInstants::at(std::uint64_t i) const {
  const Run& run = *std::prev(std::ranges::upper_bound(runs_, i, {}, &Run::before));
  InstantRef ref = run.first;
  ref.instant += i - run.before;
  return ref;
}

}  // namespace cinderscope
