#include "ingest/search/match_set.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace cinderscope {

namespace {

auto row_key(const MatchRow& row) {
  return std::tuple(index(row.track), !row.instants, index(row.block), row.row);
}

std::uint64_t bits_before(const ChunkBits& bits, std::uint32_t end) {
  std::uint64_t count = 0;
  const std::uint32_t whole = end / 64;
  for (std::uint32_t word = 0; word < whole; ++word) {
    count += static_cast<std::uint64_t>(std::popcount(bits[word]));
  }
  if (end % 64 != 0) {
    const std::uint64_t mask = (std::uint64_t{1} << end % 64) - 1;
    count += static_cast<std::uint64_t>(std::popcount(bits[whole] & mask));
  }
  return count;
}

// Where in time order a match stands: rows of equal begin follow each other as they do in the set.
struct Place {
  std::int64_t begin_ns = 0;
  std::size_t row = 0;
  std::uint64_t slice = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 compared with for a pointer
  auto operator<=>(const Place&) const = default;
};

Place place_of(const MatchSet& set, const MatchPlace& match) {
  return {set.rows[match.row].slices->begin_ns(match.slice), match.row, match.slice};
}

// Slices of a row that come before `place` in time order.
std::uint64_t slices_before(const MatchSet& set, std::size_t row, const Place& place) {
  if (row == place.row) return place.slice;
  const SliceRow& slices = *set.rows[row].slices;
  if (row > place.row || place.begin_ns == INT64_MAX) return slices.lower_bound(place.begin_ns);
  return slices.lower_bound(place.begin_ns + 1);
}

MatchRef ref_of(const MatchSet& set, const MatchPlace& match) {
  return set.rows[match.row].ref(match.slice);
}

// The first match at `place` or later, or the last one before it.
MatchRef nearest(const MatchSet& set, const Place& place, int direction) {
  if (set.ordered()) {
    const auto at =
        std::partition_point(set.by_time.begin(), set.by_time.end(),
                             [&](const MatchPlace& match) { return place_of(set, match) < place; });
    if (direction > 0) return at == set.by_time.end() ? MatchRef{} : ref_of(set, *at);
    return at == set.by_time.begin() ? MatchRef{} : ref_of(set, *(at - 1));
  }
  std::optional<Place> best;
  for (std::size_t i = 0; i < set.rows.size(); ++i) {
    const MatchRow& row = set.rows[i];
    const std::uint64_t before = row.count_before(slices_before(set, i, place));
    if (direction > 0 ? before == row.count() : before == 0) continue;
    const std::uint64_t slice = row.nth(direction > 0 ? before : before - 1);
    const Place found{row.slices->begin_ns(slice), i, slice};
    if (!best || (direction > 0 ? found < *best : found > *best)) best = found;
  }
  return best ? set.rows[best->row].ref(best->slice) : MatchRef{};
}

std::optional<Place> place_of(const MatchSet& set, const MatchRef& ref) {
  const MatchRow* row = matches_of(set, ref.track, ref.instant, ref.block, ref.row);
  if (row == nullptr || !row->has(ref.slice)) return std::nullopt;
  return Place{row->slices->begin_ns(ref.slice), static_cast<std::size_t>(row - set.rows.data()),
               ref.slice};
}

struct Entry {
  std::int64_t begin_ns;
  MatchPlace place;
};

// They come row by row, so that those of equal times are in the right order already and need only
// stay so. In pieces, so that a newer search need not wait for the end.
void sort_by_begin(std::vector<Entry>& entries, const std::atomic<bool>& cancelled) {
  constexpr std::size_t kPiece = 1 << 15;
  const auto earlier = [](const Entry& a, const Entry& b) { return a.begin_ns < b.begin_ns; };
  const auto at = [](std::vector<Entry>& of, std::size_t i) {
    return of.begin() + static_cast<std::ptrdiff_t>(std::min(i, of.size()));
  };
  for (std::size_t i = 0; i < entries.size() && !cancelled; i += kPiece) {
    std::stable_sort(at(entries, i), at(entries, i + kPiece), earlier);
  }
  std::vector<Entry> merged(entries.size() > kPiece ? entries.size() : 0);
  for (std::size_t width = kPiece; width < entries.size() && !cancelled; width *= 2) {
    for (std::size_t i = 0; i < entries.size() && !cancelled; i += 2 * width) {
      std::merge(at(entries, i), at(entries, i + width), at(entries, i + width),
                 at(entries, i + 2 * width), at(merged, i), earlier);
    }
    entries.swap(merged);
  }
}

}  // namespace

std::uint64_t MatchRow::count_before(std::uint64_t slice) const {
  const std::uint64_t wanted = slice / kChunkSlices;
  const auto found = std::lower_bound(chunks.begin(), chunks.end(), wanted);
  const auto i = static_cast<std::size_t>(found - chunks.begin());
  if (found == chunks.end() || *found != wanted) return before[i];
  return before[i] + bits_before(bits[i], SliceRow::in_chunk(slice));
}

bool MatchRow::has(std::uint64_t slice) const {
  const std::uint64_t wanted = slice / kChunkSlices;
  const auto found = std::lower_bound(chunks.begin(), chunks.end(), wanted);
  if (found == chunks.end() || *found != wanted) return false;
  const std::uint32_t k = SliceRow::in_chunk(slice);
  return (bits[static_cast<std::size_t>(found - chunks.begin())][k / 64] >> k % 64 & 1) != 0;
}

std::uint64_t MatchRow::nth(std::uint64_t k) const {
  const auto after = std::upper_bound(before.begin(), before.end(), k);
  const auto i = static_cast<std::size_t>(after - before.begin()) - 1;
  std::uint64_t left = k - before[i];
  for (std::uint32_t word = 0; word < bits[i].size(); ++word) {
    std::uint64_t rest = bits[i][word];
    const auto here = static_cast<std::uint64_t>(std::popcount(rest));
    if (left >= here) {
      left -= here;
      continue;
    }
    for (; left > 0; --left) rest &= rest - 1;
    return std::uint64_t{chunks[i]} * kChunkSlices + std::uint64_t{word} * 64 +
           static_cast<std::uint64_t>(std::countr_zero(rest));
  }
  return 0;
}

void MatchCursor::advance(std::uint64_t first) {
  const std::vector<std::uint32_t>& chunks = row_->chunks;
  const std::uint64_t wanted = first / kChunkSlices;
  known_ = true;
  // Mostly it is the same chunk or the next one; else ever longer steps find it.
  std::size_t step = 1;
  while (chunk_ + step < chunks.size() && chunks[chunk_ + step] <= wanted) step *= 2;
  const auto from = chunks.begin() + static_cast<std::ptrdiff_t>(chunk_);
  const auto to =
      chunks.begin() + static_cast<std::ptrdiff_t>(std::min(chunk_ + step + 1, chunks.size()));
  chunk_ = static_cast<std::size_t>(std::lower_bound(from, to, wanted) - chunks.begin());
  std::uint32_t k = 0;
  if (chunk_ < chunks.size() && chunks[chunk_] == wanted) k = SliceRow::in_chunk(first);
  for (; chunk_ < chunks.size(); ++chunk_, k = 0) {
    const ChunkBits& bits = row_->bits[chunk_];
    std::uint64_t mask = ~std::uint64_t{0} << k % 64;
    for (std::uint32_t word = k / 64; word < bits.size(); ++word, mask = ~std::uint64_t{0}) {
      const std::uint64_t rest = bits[word] & mask;
      if (rest == 0) continue;
      next_ = std::uint64_t{chunks[chunk_]} * kChunkSlices + std::uint64_t{word} * 64 +
              static_cast<std::uint64_t>(std::countr_zero(rest));
      return;
    }
  }
  next_ = kNoMatch;
}

void count_matches(MatchSet& set) {
  set.before.assign(1, 0);
  set.before.reserve(set.rows.size() + 1);
  for (const MatchRow& row : set.rows) set.before.push_back(set.before.back() + row.count());
}

void order_matches(MatchSet& set, const std::atomic<bool>& cancelled) {
  set.by_time.clear();
  if (set.count() > kMostOrderedMatches) return;
  std::vector<Entry> entries;
  entries.reserve(set.count());
  for (std::uint32_t i = 0; i < set.rows.size(); ++i) {
    const MatchRow& row = set.rows[i];
    for (std::size_t c = 0; c < row.chunks.size(); ++c) {
      const SliceChunk& chunk = *row.slices->chunks[row.chunks[c]];
      for (std::uint32_t word = 0; word < row.bits[c].size(); ++word) {
        for (std::uint64_t rest = row.bits[c][word]; rest != 0; rest &= rest - 1) {
          const std::uint32_t k = word * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
          entries.push_back({chunk.begin_ns(k), {i, row.chunks[c] * kChunkSlices + k}});
        }
      }
    }
  }
  sort_by_begin(entries, cancelled);
  if (cancelled) return;
  set.by_time.reserve(entries.size());
  for (const Entry& entry : entries) set.by_time.push_back(entry.place);
}

const MatchRow* matches_of(const MatchSet& set, TrackId track, bool instants, BlockId block,
                           std::uint32_t row) {
  const auto wanted = std::tuple(index(track), !instants, index(block), row);
  const auto found = std::partition_point(
      set.rows.begin(), set.rows.end(),
      [&wanted](const MatchRow& candidate) { return row_key(candidate) < wanted; });
  return found == set.rows.end() || row_key(*found) != wanted ? nullptr : &*found;
}

bool is_match(const MatchSet& set, const MatchRef& ref) {
  return place_of(set, ref).has_value();
}

MatchRef match_at(const MatchSet& set, std::uint64_t k) {
  if (set.ordered()) return ref_of(set, set.by_time[k]);
  const auto after = std::upper_bound(set.before.begin(), set.before.end(), k);
  const auto row = static_cast<std::size_t>(after - set.before.begin()) - 1;
  return set.rows[row].ref(set.rows[row].nth(k - set.before[row]));
}

std::optional<std::uint64_t> rank_of(const MatchSet& set, const MatchRef& ref) {
  const std::optional<Place> place = place_of(set, ref);
  if (!place) return std::nullopt;
  if (set.ordered()) {
    const auto at = std::partition_point(
        set.by_time.begin(), set.by_time.end(),
        [&](const MatchPlace& match) { return place_of(set, match) < *place; });
    return static_cast<std::uint64_t>(at - set.by_time.begin());
  }
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < set.rows.size(); ++i) {
    rank += set.rows[i].count_before(slices_before(set, i, *place));
  }
  return rank;
}

MatchRef match_beside(const MatchSet& set, const MatchRef& ref, int direction) {
  std::optional<Place> place = place_of(set, ref);
  if (!place) return {};
  if (direction > 0) ++place->slice;  // whatever comes after it on its row is later
  return nearest(set, *place, direction);
}

MatchRef match_from(const MatchSet& set, std::int64_t time_ns, int direction) {
  // Before all rows, so that nothing of this time comes before it.
  if (set.ordered()) return nearest(set, {time_ns, 0, 0}, direction);
  std::optional<Place> best;
  for (std::size_t i = 0; i < set.rows.size(); ++i) {
    const MatchRow& row = set.rows[i];
    const std::uint64_t before = row.count_before(row.slices->lower_bound(time_ns));
    if (direction > 0 ? before == row.count() : before == 0) continue;
    const std::uint64_t slice = row.nth(direction > 0 ? before : before - 1);
    const Place found{row.slices->begin_ns(slice), i, slice};
    if (!best || (direction > 0 ? found < *best : found > *best)) best = found;
  }
  return best ? set.rows[best->row].ref(best->slice) : MatchRef{};
}

Slice slice_of(const MatchSet& set, const MatchRef& ref) {
  const MatchRow* row = matches_of(set, ref.track, ref.instant, ref.block, ref.row);
  return row == nullptr || ref.slice >= row->slices->count() ? Slice{}
                                                             : row->slices->slice(ref.slice);
}

}  // namespace cinderscope
