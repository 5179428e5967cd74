// The slices and instants that a search found, as one bit each, with their order in time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ingest/model/slice_set.h"
#include "ingest/search/slice_bits.h"

namespace cinderscope {

// Names one match: a slice as SliceRef does, or an instant as InstantRef does.
struct MatchRef {
  TrackId track = kNoTrack;
  bool instant = false;
  BlockId block{};
  std::uint32_t row = 0;
  std::uint64_t slice = 0;

  bool operator==(const MatchRef&) const = default;
  explicit operator bool() const { return track != kNoTrack; }
};

// The matches on one row of slices, or of instants.
struct MatchRow {
  TrackId track = kNoTrack;
  bool instants = false;
  BlockId block{};
  std::uint32_t row = 0;
  const SliceRow* slices = nullptr;   // lives as long as the set
  std::vector<std::uint32_t> chunks;  // those with a match, ascending
  std::span<const ChunkBits> bits;    // of each of them; MatchSet::kept holds them
  std::vector<std::uint64_t> before;  // matches in the chunks before it; the last one is all

  std::uint64_t count() const { return before.empty() ? 0 : before.back(); }
  // Matches among the slices before `slice`. O(log chunks), as are the others.
  std::uint64_t count_before(std::uint64_t slice) const;
  bool any(std::uint64_t first, std::uint64_t slice_count) const {
    return count_before(first + slice_count) != count_before(first);
  }
  bool has(std::uint64_t slice) const;
  std::uint64_t nth(std::uint64_t k) const;  // the slice of the k-th match; k < count()
  MatchRef ref(std::uint64_t slice) const { return {track, instants, block, row, slice}; }
};

// Tells from left to right which slices of a row match, in a few nanoseconds each.
class MatchCursor {
 public:
  explicit MatchCursor(const MatchRow* row) : row_(row) {}  // null: there are none

  // Whether any of the slices [first, first + count) matches; `first` grows from call to call.
  bool any(std::uint64_t first, std::uint64_t count) {
    if (row_ == nullptr) return false;
    if (!known_ || next_ < first) advance(first);
    return next_ != kNoMatch && next_ - first < count;
  }

 private:
  static constexpr std::uint64_t kNoMatch = ~std::uint64_t{0};
  void advance(std::uint64_t first);

  const MatchRow* row_;
  std::size_t chunk_ = 0;   // index into the row's chunks
  std::uint64_t next_ = 0;  // no match lies between the last question and this slice
  bool known_ = false;
};

// At most so many matches are sorted by time; they take 8 bytes each.
inline constexpr std::uint64_t kMostOrderedMatches = 4'000'000;

struct MatchPlace {
  std::uint32_t row = 0, slice = 0;  // index into MatchSet::rows, slice there
};

// Immutable once made; any thread. A MatchRef may be stale if the timeline has changed.
struct MatchSet {
  std::shared_ptr<const SliceSet> slices;  // that were searched
  // Owns the bits of rows; shared with earlier answers to the same question.
  std::vector<std::shared_ptr<const ChunkBits[]>> kept;
  std::vector<MatchRow> rows;         // rows with matches, by track, instants first, block, row
  std::vector<std::uint64_t> before;  // matches in the rows before; the last one is all
  std::vector<MatchPlace> by_time;    // by (begin, row, slice); empty if there are too many
  std::uint64_t name_count = 0, args_count = 0;  // found without and by their record

  std::uint64_t count() const { return before.empty() ? 0 : before.back(); }
  bool ordered() const { return by_time.size() == count(); }
};

// Fills `before` of the set from that of its rows.
void count_matches(MatchSet& set);
// Fills `by_time` if there are not too many; leaves it empty once `cancelled`.
void order_matches(MatchSet& set, const std::atomic<bool>& cancelled);

// The matches of one row, or null if there is none. O(log rows).
const MatchRow* matches_of(const MatchSet& set, TrackId track, bool instants, BlockId block,
                           std::uint32_t row);
bool is_match(const MatchSet& set, const MatchRef& ref);

// The k-th match (k < count()): by time if ordered(), else row by row.
MatchRef match_at(const MatchSet& set, std::uint64_t k);
// How many matches come before this one by time; nullopt if it is none. O(log n), or O(rows log n)
// where they are not ordered; so are the next two.
std::optional<std::uint64_t> rank_of(const MatchSet& set, const MatchRef& ref);
// The nearest match after (+1) or before (-1) this one by time; falsy at the end.
MatchRef match_beside(const MatchSet& set, const MatchRef& ref, int direction);
// The first match that begins at `time_ns` or later (+1), or the last one that begins before (-1).
MatchRef match_from(const MatchSet& set, std::int64_t time_ns, int direction);

Slice slice_of(const MatchSet& set, const MatchRef& ref);  // `ref` is one of its matches

}  // namespace cinderscope
