#include "ingest/search/given_matches.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace cinderscope {
namespace {

auto order_key(const MatchRef& ref) {
  return std::tuple(index(ref.track), !ref.instant, index(ref.block), ref.row, ref.slice);
}

bool same_row(const MatchRef& a, const MatchRef& b) {
  return a.track == b.track && a.instant == b.instant && a.block == b.block && a.row == b.row;
}

// Null: it is not there.
const SliceRow* row_of(const SliceSet& set, const MatchRef& ref) {
  const auto track = std::ranges::lower_bound(set.tracks, index(ref.track), {},
                                              [](const auto& each) { return index(each.track); });
  if (track == set.tracks.end() || track->track != ref.track) return nullptr;
  if (ref.instant && index(ref.block) == 0 && ref.row == 0) return &track->instants;
  if (index(ref.block) >= track->blocks.size()) return nullptr;
  const SliceBlock* block = track->blocks[index(ref.block)].get();
  if (block == nullptr) return nullptr;
  const std::vector<SliceRow>& rows = ref.instant ? block->nested_instants : block->rows;
  return ref.row < rows.size() ? &rows[ref.row] : nullptr;
}

}  // namespace

std::shared_ptr<MatchSet> given_matches(std::shared_ptr<const SliceSet> slices,
                                        std::span<const MatchRef> given,
                                        const std::atomic<bool>& cancelled) {
  std::vector<MatchRef> refs(given.begin(), given.end());
  std::ranges::sort(refs, {}, order_key);
  refs.erase(std::unique(refs.begin(), refs.end()), refs.end());
  auto set = std::make_shared<MatchSet>();
  set->slices = std::move(slices);
  const auto kept = std::make_shared<ChunkBits[]>(refs.size());  // at most a chunk for each
  std::size_t chunks = 0;
  std::vector<std::size_t> first_bits;
  const SliceRow* row = nullptr;
  const MatchRef* before = nullptr;
  for (const MatchRef& ref : refs) {
    if (cancelled) break;
    const bool new_row = before == nullptr || !same_row(*before, ref);
    before = &ref;
    if (new_row) row = row_of(*set->slices, ref);
    if (row == nullptr || ref.slice >= row->count()) continue;
    if (new_row || set->rows.empty() || set->rows.back().slices != row) {
      MatchRow made;
      made.track = ref.track;
      made.instants = ref.instant;
      made.block = ref.block;
      made.row = ref.row;
      made.slices = row;
      made.before.push_back(0);
      set->rows.push_back(std::move(made));
      first_bits.push_back(chunks);
    }
    MatchRow& to = set->rows.back();
    const auto chunk = static_cast<std::uint32_t>(ref.slice / kChunkSlices);
    if (to.chunks.empty() || to.chunks.back() != chunk) {
      to.chunks.push_back(chunk);
      to.before.push_back(to.before.back());
      ++chunks;
    }
    const std::uint32_t bit = SliceRow::in_chunk(ref.slice);
    kept.get()[chunks - 1][bit / 64] |= std::uint64_t{1} << bit % 64;
    ++to.before.back();
  }
  set->kept.push_back(kept);
  for (std::size_t i = 0; i < set->rows.size(); ++i) {
    set->rows[i].bits = {kept.get() + first_bits[i], set->rows[i].chunks.size()};
  }
  count_matches(*set);
  set->name_count = set->count();
  order_matches(*set, cancelled);
  return set;
}

}  // namespace cinderscope
