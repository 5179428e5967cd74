// The matches of a search sorted for a table.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ingest/search/match_set.h"

namespace cinderscope {

enum class MatchColumn : std::uint8_t { name, begin, duration, thread };

struct MatchSorting {
  MatchColumn column = MatchColumn::begin;
  bool descending = false;
  bool operator==(const MatchSorting&) const = default;
};

// Maps lines of the table to matches and back. Immutable once made.
struct MatchOrder {
  std::shared_ptr<const MatchSet> matches;
  MatchSorting sorting;
  std::vector<std::uint32_t> rank_of_line, line_of_rank;  // empty: by begin
};

// Equal matches stay in time order. Too many matches to sort keep the order of match_at(). The
// result is of no use once `cancelled`. Any thread.
MatchOrder order_lines(std::shared_ptr<const MatchSet> matches, MatchSorting sorting,
                       const std::atomic<bool>& cancelled);

MatchRef match_on_line(const MatchOrder& order, std::uint64_t line);  // line < count()
// The line of a match; nullopt if it is none.
std::optional<std::uint64_t> line_of(const MatchOrder& order, const MatchRef& ref);

}  // namespace cinderscope
