// The lazily loaded children of a timeline: decides what to read, puts it in, evicts the oldest.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "app/session/trace_loader.h"
#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// A block keeps its BlockId: loading it again after an eviction fills the same slot, so a SliceRef
// into it is valid again. UI thread only. Every call until clear() gets the same timeline.
class ChildCache {
 public:
  explicit ChildCache(std::uint64_t budget_bytes) : budget_bytes_(budget_bytes) {}

  // The requests that load the deferred children of `parent` in `range`, in pieces of as many
  // children as its source reads at a time. Which pieces lie in `range` is guessed from the loaded
  // ones; each answer makes the guess better, so ask again after it. Children that were not counted
  // are counted first; a parent whose own block was evicted is loaded first.
  // Empty for slices without deferred children and for those that could not be read, while the view
  // alone fills the budget (full()), and while kMostUnderWay pieces are under way, so that a view
  // that moved on does not wait for many old requests. Pieces shorter than `shortest_ns` are left
  // out if there are several: from afar a call with millions of children is not read.
  std::vector<ChildRequest> wanted(Timeline& timeline, const SliceRef& parent,
                                   TimeRange range = {INT64_MIN, INT64_MAX},
                                   double shortest_ns = 0);
  // The requests that load the block of `ref` and the blocks above it again, if they were evicted.
  std::vector<ChildRequest> wanted_block(const SliceRef& ref);

  // Puts an answer into its slot, then evicts down to the budget. False: it could not be read.
  bool insert(Timeline& timeline, std::uint64_t key, Result<LoadedChildren> children);
  // Marks blocks as in use, so that they are not evicted: those whose parent lies in the view, and
  // the selected slice's with all above it.
  void touch_visible(const TimelineState& state);
  void evict(Timeline& timeline);
  // Forgets the requests under way; they will get no answer and may be made again.
  void forget_requests();
  void clear();
  // `now` takes the place of `before`, which it was made of by giving its slices other names: what
  // was loaded has to be read again, into the same slots.
  void take_renamed(const Timeline& before, Timeline& now);

  void set_budget(std::uint64_t bytes) { budget_bytes_ = bytes; }  // holds from the next answer on
  std::uint64_t kept_bytes() const { return kept_bytes_; }
  std::size_t loaded_count() const;
  bool full() const { return full_; }

  static constexpr std::uint64_t kPieceChildren = 16384;  // if the source does not say
  static constexpr std::size_t kMostUnderWay = 8;

 private:
  enum class State : std::uint8_t { absent, loading, loaded, failed };
  struct Piece {
    SliceRef parent;
    BlockId block{};
    ChildQuery query;
    // Of the parent until it is loaded; then of the children, at ends where other pieces follow.
    std::int64_t begin_ns = 0, end_ns = 0;
    bool is_last = false;  // no further children follow
    bool only_count = false;
    std::uint32_t base_depth = 0;
    State state = State::absent;
    std::uint64_t bytes = 0, last_used = 0;
  };
  // track, block, row, slice of the parent, first child
  using PieceKey =
      std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t>;

  // How the children of a slice are cut into pieces.
  struct Cut {
    std::uint64_t piece_children = 0, piece_count = 0;
  };
  // Indices of pieces within `cut`.
  std::vector<std::uint64_t> wanted_pieces(const Slice& parent, const SliceRef& ref, const Cut& cut,
                                           TimeRange range, double shortest_ns) const;
  Piece& piece_for(Timeline& timeline, const SliceRef& parent, const ChildQuery& query);
  std::vector<ChildRequest> wanted_count(const SliceRef& parent, const DeferredChildren& children);
  static void take_count(Timeline& timeline, const SliceRef& parent, const LoadedChildren& counted);
  // Visits the piece that `ref` lies in and those above it, from the inside out.
  template <class Visit>
  void for_chain(const SliceRef& ref, Visit visit);
  std::size_t under_way() const;
  bool has_loaded_children(const Piece& piece) const;

  std::uint64_t budget_bytes_;
  std::uint64_t kept_bytes_ = 0;
  std::uint64_t now_ = 1;  // counts calls of touch_visible
  bool full_ = false;
  std::vector<Piece> pieces_;  // a request's key is an index into it
  std::map<PieceKey, std::size_t> by_parent_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> by_block_;  // track, block
};

}  // namespace cinderscope
