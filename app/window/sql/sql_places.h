// Where the rows of a query lead to in the timeline.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/questions/query_answer.h"
#include "app/questions/trace_search.h"
#include "render/tables/query_table.h"

namespace cinderscope {

struct RowPlace {
  std::uint32_t input = 0;   // which of the traces that were asked
  NamedPlace named;          // a slice or an instant; falsy: a time
  TrackId track = kNoTrack;  // of a time
  std::int64_t begin_ns = 0, duration_ns = 0;
};

// A slice or instant as the search has it.
MatchRef match_of(const NamedPlace& place);

// None: the row of the table, one of the answer's, says nothing of a place.
std::optional<RowPlace> place_of(const QueryAnswer& answer, const QueryTable& table,
                                 std::uint32_t row);

// What the rows name in one of the traces, in their order.
std::vector<MatchRef> matches_of(const QueryTable& table, std::uint32_t input);

}  // namespace cinderscope
