// Which lazily loaded child blocks a timeline holds: asks for pieces, puts them in, evicts the
// oldest.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "app/session/trace_loader.h"
#include "ingest/model/timeline.h"
#include "render/base/timeline_state.h"

namespace cinderscope {

// A block keeps its BlockId for good: loading it again after an eviction fills the same slot, so a
// SliceRef into it is good again. UI thread only; the timeline is lent to each call and is the same
// one until clear().
class ChildCache {
 public:
  explicit ChildCache(std::uint64_t budget_bytes) : budget_bytes_(budget_bytes) {}

  // What to load so that the deferred children of `parent` in `range` are there: pieces of so many
  // as its source reads at a time, neither there nor under way. Which pieces these are is guessed
  // from those that are there; what comes makes the next guess better, so it has to be asked again
  // then. Where children were not counted yet, that is asked for first; where the parent's own
  // block is gone, that. Empty for slices without deferred children, for those that failed, while
  // all that is on screen fills the budget (full()), and while kMostUnderWay pieces are under way:
  // so a view that moved on waits for few that it needs no more. Of several pieces none is asked
  // for that would last less than `shortest_ns`: from afar a call with millions of children shows
  // that it has some, and is not read.
  std::vector<ChildRequest> wanted(Timeline& timeline, const SliceRef& parent,
                                   TimeRange range = {INT64_MIN, INT64_MAX},
                                   double shortest_ns = 0);
  // The same for the block that `ref` lies in, and those above it, where they were evicted.
  std::vector<ChildRequest> wanted_block(const SliceRef& ref);

  // Puts an answer in its slot, then evicts down to the budget. False: it could not be read.
  bool insert(Timeline& timeline, std::uint64_t key, Result<LoadedChildren> children);
  // Blocks whose parent lies in the view, and the selected slice's with those above it, count as in
  // use now and are not evicted.
  void touch_visible(const TimelineState& state);
  void evict(Timeline& timeline);
  // Requests that will get no answer may be asked for again.
  void forget_requests();
  void clear();

  void set_budget(std::uint64_t bytes) { budget_bytes_ = bytes; }  // holds from the next answer on
  std::uint64_t kept_bytes() const { return kept_bytes_; }
  std::size_t loaded_count() const;
  bool full() const { return full_; }

  static constexpr std::uint64_t kPieceChildren = 16384;  // where the source says nothing of it
  static constexpr std::size_t kMostUnderWay = 8;

 private:
  enum class State : std::uint8_t { absent, loading, loaded, failed };
  struct Piece {
    SliceRef parent;
    BlockId block{};
    ChildQuery query;
    // Of the parent; once loaded, of the children, where there are others before or behind.
    std::int64_t begin_ns = 0, end_ns = 0;
    bool is_last = false;  // no children come behind
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
  // Numbers of pieces.
  std::vector<std::uint64_t> wanted_pieces(const Slice& parent, const SliceRef& ref, const Cut& cut,
                                           TimeRange range, double shortest_ns) const;
  Piece& piece_for(Timeline& timeline, const SliceRef& parent, const ChildQuery& query);
  std::vector<ChildRequest> wanted_count(const SliceRef& parent, const DeferredChildren& children);
  static void take_count(Timeline& timeline, const SliceRef& parent, const LoadedChildren& counted);
  // The piece that `ref` lies in and those above it, from the inside out.
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
