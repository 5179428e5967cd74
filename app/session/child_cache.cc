#include "app/session/child_cache.h"

#include <algorithm>
#include <cmath>
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

// Which of `parts` equal parts of [begin, end) a time lies in.
std::uint64_t part_at(std::int64_t time_ns, std::int64_t begin_ns, std::int64_t end_ns,
                      std::uint64_t parts) {
  const double length = static_cast<double>(end_ns) - static_cast<double>(begin_ns);
  const double into = static_cast<double>(time_ns) - static_cast<double>(begin_ns);
  if (!(length > 0) || !(into > 0)) return 0;
  if (into >= length) return parts - 1;
  const double part = std::floor(into / length * static_cast<double>(parts));
  return std::min(static_cast<std::uint64_t>(part), parts - 1);
}

}  // namespace

// Loaded pieces tell exactly which pieces lie between them. Walks the requested pieces, not all
// that there could be.
std::vector<std::uint64_t> ChildCache::wanted_pieces(const Slice& parent, const SliceRef& ref,
                                                     const Cut& cut, TimeRange range,
                                                     double shortest_ns) const {
  std::vector<std::uint64_t> pieces;
  std::uint64_t first = 0;                  // first piece of a run that is not loaded
  std::int64_t begin_ns = parent.begin_ns;  // of that piece
  bool under_way = false;                   // some piece of the run is
  const auto end_run = [&](std::uint64_t end, std::int64_t end_ns) {
    if (end <= first || begin_ns > range.end_ns || end_ns < range.begin_ns || under_way) return;
    const std::uint64_t parts = end - first;
    const double length_ns = static_cast<double>(end_ns) - static_cast<double>(begin_ns);
    if (cut.piece_count > 1 && length_ns / static_cast<double>(parts) < shortest_ns) return;
    const std::uint64_t from = part_at(range.begin_ns, begin_ns, end_ns, parts);
    std::uint64_t to = part_at(range.end_ns, begin_ns, end_ns, parts);
    to = std::min(to, from + kMostUnderWay - 1);
    for (std::uint64_t part = from; part <= to; ++part) pieces.push_back(first + part);
  };
  const PieceKey all{index(ref.track), index(ref.block), ref.row, ref.slice, 0};
  for (auto at = by_parent_.lower_bound(all); at != by_parent_.end(); ++at) {
    const auto& [track, block, row, slice, child] = at->first;
    if (std::tie(track, block, row, slice) !=
        std::tuple(index(ref.track), index(ref.block), ref.row, ref.slice)) {
      break;
    }
    const Piece& piece = pieces_[at->second];
    if (piece.only_count || piece.state == State::absent) continue;
    if (piece.state != State::loaded) {
      under_way = under_way || piece.state == State::loading;
      continue;
    }
    end_run(child / cut.piece_children, piece.begin_ns);
    first = child / cut.piece_children + 1;
    begin_ns = piece.end_ns;  // where the next one may begin
    under_way = false;
  }
  end_run(cut.piece_count, parent.end_ns());
  return pieces;
}

std::vector<ChildRequest> ChildCache::wanted_count(const SliceRef& parent,
                                                   const DeferredChildren& children) {
  const PieceKey key{index(parent.track), index(parent.block), parent.row, parent.slice,
                     kNotCounted};
  const auto [found, is_new] = by_parent_.try_emplace(key, pieces_.size());
  if (is_new) {
    Piece piece;
    piece.parent = parent;
    piece.query = {
        .source_key = children.source_key, .source = children.source, .only_count = true};
    piece.only_count = true;
    pieces_.push_back(piece);
  }
  Piece& piece = pieces_[found->second];
  if (piece.state != State::absent) return {};
  piece.state = State::loading;
  return {{found->second, piece.query}};
}

void ChildCache::take_count(Timeline& timeline, const SliceRef& parent,
                            const LoadedChildren& counted) {
  const SliceBlock* block = block_of(timeline, parent);
  if (block == nullptr) return;  // evicted meanwhile: asked again once it is back
  const DeferredChildren* entry = deferred_of(*block, parent);
  if (entry == nullptr) return;
  auto changed = std::make_shared<SliceBlock>(*block);
  DeferredChildren& known =
      changed->deferred[static_cast<std::size_t>(entry - block->deferred.data())];
  known.count = counted.count;
  known.piece_children = counted.piece_children;
  timeline.tracks[index(parent.track)].blocks[index(parent.block)] = std::move(changed);
}

std::vector<ChildRequest> ChildCache::wanted(Timeline& timeline, const SliceRef& parent,
                                             TimeRange range, double shortest_ns) {
  if (full_) return {};
  const SliceBlock* block = block_of(timeline, parent);
  if (block == nullptr) return wanted_block(parent);
  const DeferredChildren* entry = deferred_of(*block, parent);
  if (entry == nullptr) return {};
  const DeferredChildren children = *entry;  // piece_for() may move the vector of blocks
  std::vector<ChildRequest> requests;
  std::size_t room = kMostUnderWay - std::min(under_way(), kMostUnderWay);
  if (room == 0) return requests;
  if (children.count == kNotCounted) return wanted_count(parent, children);
  Cut cut{children.piece_children == 0 ? kPieceChildren : children.piece_children, 1};
  if (children.count > 0) cut.piece_count = (children.count - 1) / cut.piece_children + 1;
  const Slice slice = slice_at(timeline, parent);
  for (const std::uint64_t number : wanted_pieces(slice, parent, cut, range, shortest_ns)) {
    if (room == 0) break;
    const std::uint64_t first = number * cut.piece_children;
    const std::uint64_t count =
        children.count == 0 ? 0 : std::min(cut.piece_children, children.count - first);
    Piece& piece =
        piece_for(timeline, parent, {children.source_key, first, count, children.source});
    if (piece.state != State::absent) continue;
    --room;
    piece.is_last = number + 1 == cut.piece_count;
    piece.state = State::loading;
    requests.push_back({static_cast<std::uint64_t>(&piece - pieces_.data()), piece.query});
  }
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
  piece.begin_ns = slice.begin_ns;
  piece.end_ns = slice.end_ns();
  piece.base_depth = track_row_of(timeline, parent) + 1;
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
  if (piece.only_count) {
    piece.state = State::absent;
    take_count(timeline, piece.parent, *children);
    return true;
  }
  SliceBlock block;
  block.base_depth = piece.base_depth;
  block.rows = std::move(children->rows);
  block.deferred = std::move(children->deferred);
  block.nested_instants = std::move(children->nested_instants);
  block.parent_block = piece.parent.block;
  block.parent_row = piece.parent.row;
  block.parent_slice = piece.parent.slice;
  block.first_child = piece.query.first;
  block.child_count = block.rows.empty() ? 0 : block.rows.front().count();
  if (block.child_count > 0) {
    const SliceRow& row = block.rows.front();
    if (piece.query.first > 0) piece.begin_ns = row.begin_ns(0);
    if (!piece.is_last) piece.end_ns = row.chunks.back()->last_end_ns();
  }

  Track& track = timeline.tracks[index(piece.parent.track)];
  track.row_count = std::max(track.row_count, rows_end(block));
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
    const bool shown = piece.begin_ns < end_ns && piece.end_ns >= begin_ns &&
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

std::size_t ChildCache::under_way() const {
  return static_cast<std::size_t>(std::ranges::count(pieces_, State::loading, &Piece::state));
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
    track.row_count = 0;
    for (const auto& block : track.blocks) {
      if (block) track.row_count = std::max(track.row_count, rows_end(*block));
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

void ChildCache::take_renamed(const Timeline& before, Timeline& now) {
  for (std::size_t i = 0; i < now.tracks.size() && i < before.tracks.size(); ++i) {
    Track& track = now.tracks[i];
    const Track& old = before.tracks[i];
    if (track.blocks.empty() || old.blocks.empty()) continue;
    track.row_count = std::max(track.row_count, old.row_count);
    track.blocks.resize(1);
    track.blocks.resize(old.blocks.size());
    if (old.root().deferred.empty()) continue;
    // What was counted meanwhile.
    auto root = std::make_shared<SliceBlock>(track.root());
    root->deferred = old.root().deferred;
    track.blocks.front() = std::move(root);
  }
  for (Piece& piece : pieces_) {
    if (piece.state != State::loaded) continue;
    piece.state = State::absent;
    kept_bytes_ -= std::exchange(piece.bytes, 0);
  }
  full_ = false;
}

}  // namespace cinderscope
