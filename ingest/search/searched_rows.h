// The rows that a search goes through, cut into pieces for threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ingest/model/picked_slices.h"
#include "ingest/search/match_set.h"
#include "ingest/search/slice_search.h"

namespace cinderscope {

// One row while it is searched.
struct SearchedRow {
  const TrackSlices* track = nullptr;
  bool instants = false;
  BlockId block{};
  std::uint32_t row = 0;
  const SliceRow* slices = nullptr;
  std::uint64_t first = 0, end = 0;   // the slices in the scope
  const PickedRow* picked = nullptr;  // those of the scope's set; null: all
  const MatchRow* by_name = nullptr;  // its matches by name; null: none
  // These and the matches by record; empty before the first of those.
  std::vector<ChunkBits> bits;
  std::vector<std::uint32_t> bits_of_chunk;  // index into `bits` + 1, by chunk
};

// Some chunks of a row, which one thread takes at a time.
struct SearchUnit {
  std::uint32_t row = 0, first_chunk = 0, end_chunk = 0;
  std::uint64_t place = 0;  // of its first chunk among all that are searched
};

// The terms on threads and processes hold for the track.
bool track_holds(const SearchQuery& query, const StringPool& strings, const TrackSlices& track);

// All rows of the question's scope whose threads and processes its terms allow, in the order in
// which matches are listed.
// Of a scope with a set only rows with slices that are `picked`; null: there is no set.
std::vector<SearchedRow> searched_rows(const SearchQuestion& question, const PickedSlices* picked);

// All chunks of the rows, at most so many in each piece.
std::vector<SearchUnit> search_units(std::span<const SearchedRow> rows, std::uint32_t chunks_each);

// Calls of the scope that are on disk and so are not searched.
struct UnsearchedCalls {
  std::uint64_t count = 0;  // those that have been counted
  bool more = false;        // there are others
};
UnsearchedCalls unsearched_calls(const SearchQuestion& question);

}  // namespace cinderscope
