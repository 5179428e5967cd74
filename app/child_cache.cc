#include "app/child_cache.h"

#include <algorithm>
#include <utility>

namespace cinderscope {
namespace {

const DeferredChildren* deferred_of(const SliceBlock& block, const SliceRef& ref) {
  const auto found = std::ranges::lower_bound(
      block.deferred, std::pair(ref.row, ref.slice), {},
      [](const DeferredChildren& entry) { return std::pair(entry.row, entry.slice); });
  const bool hit =
      found != block.deferred.end() && found->row == ref.row && found->slice == ref.slice;
  return hit ? &*found : nullptr;
}

// The deepest row of a block, counted from the track's top, plus one.
std::uint32_t rows_end(const SliceBlock& block) {
  return block.base_depth + static_cast<std::uint32_t>(block.rows.size());
}

}  // namespace

std::vector<ChildRequest> ChildCache::wanted(Timeline& timeline, const SliceRef& parent) {
  if (full_) return {};
  const SliceBlock* block = block_of(timeline, parent);
  if (block == nullptr) return wanted_block(parent);
  const DeferredChildren* entry = deferred_of(*block, parent);
  if (entry == nullptr) return {};
  const DeferredChildren children = *entry;  // piece_for() may move the vector of blocks
  std::vector<ChildRequest> requests;
  std::uint64_t first = 0;
  do {
    const std::uint64_t count =
        children.count == 0 ? 0 : std::min(kPieceChildren, children.count - first);
    Piece& piece =
        piece_for(timeline, parent, {children.source_key, first, count, children.source});
    if (piece.state == State::absent) {
      piece.state = State::loading;
      requests.push_back({static_cast<std::uint64_t>(&piece - pieces_.data()), piece.query});
    }
    first += kPieceChildren;
  } while (first < children.count);
  return requests;
}

std::vector<ChildRequest> ChildCache::wanted_block(const SliceRef& ref) {
  std::vector<ChildRequest> requests;
  for_chain(ref, [&](Piece& piece) {
    if (piece.state != State::absent) return;
    piece.state = State::loading;
    requests.push_back({static_cast<std::uint64_t>(&piece - pieces_.data()), piece.query});
  });
  std::ranges::reverse(requests);  // outer ones first
  return requests;
}

template <class Visit>
void ChildCache::for_chain(const SliceRef& ref, Visit visit) {
  SliceRef at = ref;
  for (;;) {
    const auto found = by_block_.find({index(at.track), index(at.block)});
    if (found == by_block_.end()) return;  // block 0, which is always there
    Piece& piece = pieces_[found->second];
    visit(piece);
    at = piece.parent;
  }
}

ChildCache::Piece& ChildCache::piece_for(Timeline& timeline, const SliceRef& parent,
                                         const ChildQuery& query) {
  const PieceKey key{index(parent.track), index(parent.block), parent.row, parent.slice,
                     query.first};
  const auto [found, is_new] = by_parent_.try_emplace(key, pieces_.size());
  if (!is_new) return pieces_[found->second];
  Track& track = timeline.tracks[index(parent.track)];
  const Slice slice = slice_at(timeline, parent);
  Piece piece;
  piece.parent = parent;
  piece.block = BlockId(static_cast<std::uint32_t>(track.blocks.size()));
  piece.query = query;
  piece.parent_begin_ns = slice.begin_ns;
  piece.parent_end_ns = slice.end_ns();
  piece.base_depth = depth_of(timeline, parent) + 1;
  track.blocks.emplace_back(nullptr);
  by_block_[{index(parent.track), index(piece.block)}] = pieces_.size();
  pieces_.push_back(piece);
  return pieces_.back();
}

bool ChildCache::insert(Timeline& timeline, std::uint64_t key, Result<LoadedChildren> children) {
  if (key >= pieces_.size()) return true;
  Piece& piece = pieces_[key];
  if (piece.state != State::loading) return true;
  if (!children) {
    piece.state = State::failed;  // asked for again only after a reload: the file will not change
    return false;
  }
  SliceBlock block;
  block.base_depth = piece.base_depth;
  block.rows = std::move(children->rows);
  block.deferred = std::move(children->deferred);
  block.parent_block = piece.parent.block;
  block.parent_row = piece.parent.row;
  block.parent_slice = piece.parent.slice;
  block.first_child = piece.query.first;
  block.child_count = block.rows.empty() ? 0 : block.rows.front().count();

  Track& track = timeline.tracks[index(piece.parent.track)];
  track.max_depth = std::max(track.max_depth, rows_end(block));
  piece.bytes = block.kept_bytes();
  piece.state = State::loaded;
  piece.last_used = now_;
  kept_bytes_ += piece.bytes;
  track.blocks[index(piece.block)] = std::make_shared<const SliceBlock>(std::move(block));
  evict(timeline);
  return true;
}

void ChildCache::touch_visible(const TimelineState& state) {
  ++now_;
  const std::int64_t begin_ns = state.view.begin_ns;
  const std::int64_t end_ns = state.view.end_ns();
  for (Piece& piece : pieces_) {
    const bool shown = piece.parent_begin_ns < end_ns && piece.parent_end_ns >= begin_ns &&
                       !state.hidden_tracks.contains(index(piece.parent.track)) &&
                       !state.collapsed_tracks.contains(index(piece.parent.track));
    if (shown) piece.last_used = now_;
  }
  for_chain(state.selected, [this](Piece& piece) { piece.last_used = now_; });
  std::uint64_t used_bytes = 0;
  for (const Piece& piece : pieces_) {
    if (piece.state == State::loaded && piece.last_used == now_) used_bytes += piece.bytes;
  }
  full_ = used_bytes > budget_bytes_;
}

bool ChildCache::has_loaded_children(const Piece& piece) const {
  return std::ranges::any_of(pieces_, [&](const Piece& other) {
    return other.state == State::loaded && other.parent.track == piece.parent.track &&
           other.parent.block == piece.block;
  });
}

void ChildCache::evict(Timeline& timeline) {
  if (kept_bytes_ <= budget_bytes_) return;
  std::vector<Piece*> oldest;
  for (Piece& piece : pieces_) {
    if (piece.state == State::loaded && piece.last_used < now_) oldest.push_back(&piece);
  }
  // Deeper ones first among equals, so that no block loses the one it hangs on.
  std::ranges::sort(oldest, [](const Piece* a, const Piece* b) {
    return std::pair(a->last_used, b->base_depth) < std::pair(b->last_used, a->base_depth);
  });
  for (Piece* piece : oldest) {
    if (kept_bytes_ <= budget_bytes_) break;
    if (has_loaded_children(*piece)) continue;
    Track& track = timeline.tracks[index(piece->parent.track)];
    track.blocks[index(piece->block)] = nullptr;
    piece->state = State::absent;
    kept_bytes_ -= piece->bytes;
    track.max_depth = 0;
    for (const auto& block : track.blocks) {
      if (block) track.max_depth = std::max(track.max_depth, rows_end(*block));
    }
  }
  full_ = kept_bytes_ > budget_bytes_;
}

void ChildCache::forget_requests() {
  for (Piece& piece : pieces_) {
    if (piece.state == State::loading) piece.state = State::absent;
  }
}

void ChildCache::clear() {
  pieces_.clear();
  by_parent_.clear();
  by_block_.clear();
  kept_bytes_ = 0;
  full_ = false;
}

std::size_t ChildCache::loaded_count() const {
  return static_cast<std::size_t>(std::ranges::count(pieces_, State::loaded, &Piece::state));
}

}  // namespace cinderscope
