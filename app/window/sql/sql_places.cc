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

std::optional<RowPlace> place_of(const QueryAnswer& answer, const QueryTable& table,
                                 std::uint32_t row) {
  for (const auto& column : table.places) {
    if (row < column.size() && column[row]) {
      return RowPlace{
          .input = column[row].input, .named = column[row], .begin_ns = column[row].begin_ns};
    }
  }
  const std::int64_t begin_ns = whole_at(table, "ts", row);
  if (begin_ns == kNoNumber) return std::nullopt;
  RowPlace place{.begin_ns = begin_ns};
  place.duration_ns = std::max<std::int64_t>(whole_at(table, "dur", row), 0);
  // Keys go on over the traces.
  const auto key_of = [&](std::string_view column) {
    return std::max<std::int64_t>(whole_at(table, column, row), 0) - 1;
  };
  std::int64_t track = key_of("track_id"), thread = key_of("thread_id"), trace = key_of("trace_id");
  for (std::uint32_t i = 0; i < answer.of.size(); ++i) {
    const QueriedTrace& of = answer.of[i];
    const auto in = [](std::int64_t key, std::size_t count) {
      return key >= 0 && static_cast<std::uint64_t>(key) < count;
    };
    if (in(track, of.tracks)) {
      place.input = i;
      place.track = static_cast<TrackId>(track);
      return place;
    }
    if (in(thread, of.track_of_thread.size())) {
      place.input = i;
      place.track = of.track_of_thread[static_cast<std::size_t>(thread)];
      return place;
    }
    if (in(trace, of.files)) place.input = i;
    track -= static_cast<std::int64_t>(of.tracks);
    thread -= static_cast<std::int64_t>(of.track_of_thread.size());
    trace -= static_cast<std::int64_t>(of.files);
  }
  return place;
}

std::vector<MatchRef> matches_of(const QueryTable& table, std::uint32_t input) {
  std::vector<MatchRef> matches;
  for (const auto& column : table.places) {
    if (column.empty()) continue;
    for (const NamedPlace& place : column) {
      if (place && place.input == input) matches.push_back(match_of(place));
    }
    break;  // the first column that names any is what the rows are about
  }
  return matches;
}

}  // namespace cinderscope
