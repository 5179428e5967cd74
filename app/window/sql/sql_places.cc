#include "app/window/sql/sql_places.h"

#include <algorithm>
#include <string_view>

namespace cinderscope {
namespace {

std::int64_t whole_at(const QueryTable& table, std::string_view column, std::uint32_t row) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ValueColumn& of = table.values->columns[i];
    if (table.columns[i].name == column && !of.numbers.empty()) return of.numbers[row];
  }
  return kNoNumber;
}

}  // namespace

MatchRef match_of(const NamedPlace& place) {
  if (place.slice) {
    return {place.slice.track, false, place.slice.block, place.slice.row, place.slice.slice};
  }
  return {place.instant.track, true, place.instant.block, place.instant.row, place.instant.instant};
}

std::optional<RowPlace> place_of(const Timeline& timeline, const QueryTable& table,
                                 std::uint32_t row) {
  for (const auto& column : table.places) {
    if (row < column.size() && column[row]) {
      return RowPlace{.named = column[row], .begin_ns = column[row].begin_ns};
    }
  }
  const std::int64_t begin_ns = whole_at(table, "ts", row);
  if (begin_ns == kNoNumber) return std::nullopt;
  RowPlace place{.begin_ns = begin_ns};
  place.duration_ns = std::max<std::int64_t>(whole_at(table, "dur", row), 0);
  // A window's query has one input, whose keys count from 1.
  const std::int64_t track = whole_at(table, "track_id", row);
  const std::int64_t thread = whole_at(table, "thread_id", row);
  const auto in = [](std::int64_t key, std::size_t count) {
    return key >= 1 && static_cast<std::uint64_t>(key) <= count;
  };
  if (in(track, timeline.tracks.size())) {
    place.track = static_cast<TrackId>(track - 1);
  } else if (in(thread, timeline.threads.size())) {
    place.track = timeline.threads[static_cast<std::size_t>(thread - 1)].track;
  }
  return place;
}

std::vector<MatchRef> matches_of(const QueryTable& table) {
  std::vector<MatchRef> matches;
  for (const auto& column : table.places) {
    if (column.empty()) continue;
    for (const NamedPlace& place : column) {
      if (place) matches.push_back(match_of(place));
    }
    break;  // the first column that names any is what the rows are about
  }
  return matches;
}

}  // namespace cinderscope
