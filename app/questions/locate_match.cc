#include "app/questions/locate_match.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace cinderscope {
namespace {

// Slices that begin at the same time are told apart by their records.
std::optional<std::uint64_t> index_in(const SliceRow& row, const PendingMatch& wanted) {
  for (std::uint64_t i = row.lower_bound(wanted.begin_ns);
       i < row.count() && row.begin_ns(i) == wanted.begin_ns; ++i) {
    if (row.slice(i).record == wanted.record) return i;
  }
  return std::nullopt;
}

}  // namespace

MatchLocation locate_match(const Timeline& timeline, const PendingMatch& wanted) {
  MatchLocation result;
  if (index(wanted.track) >= timeline.tracks.size()) return result;
  const Track& track = timeline.tracks[index(wanted.track)];
  const auto look_at = [&](const SliceRow& row, BlockId block, std::uint32_t at) {
    const auto slice = index_in(row, wanted);
    if (slice) result.found = {wanted.track, wanted.instant, block, at, *slice};
    return slice.has_value();
  };
  if (wanted.instant && look_at(track.instants, BlockId{}, 0)) return result;
  // How many children of each parent are there.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::uint64_t> loaded;
  for (const auto& block : track.blocks) {
    if (block == nullptr || block == track.blocks.front()) continue;
    loaded[{index(block->parent_block), block->parent_row, block->parent_slice}] +=
        block->child_count;
  }
  std::uint32_t deepest = 0;
  for (std::uint32_t b = 0; b < track.blocks.size(); ++b) {
    const SliceBlock* block = track.blocks[b].get();
    if (block == nullptr) continue;
    const std::vector<SliceRow>& rows = wanted.instant ? block->nested_instants : block->rows;
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      if (look_at(rows[row], BlockId{b}, row)) return {.found = result.found, .on_disk = {}};
    }
    for (const DeferredChildren& deferred : block->deferred) {
      const auto there = loaded.find({b, deferred.row, deferred.slice});
      if (there != loaded.end() && there->second >= deferred.count) continue;
      const SliceRow& row = block->rows[deferred.row];
      const bool around = row.begin_ns(deferred.slice) <= wanted.begin_ns &&
                          row.end_ns(deferred.slice) > wanted.begin_ns;
      const std::uint32_t depth = block->base_depth + deferred.row + 1;
      if (!around || depth <= deepest) continue;
      deepest = depth;
      result.on_disk = {wanted.track, BlockId{b}, deferred.row, deferred.slice};
    }
  }
  return result;
}

}  // namespace cinderscope
