#include "ingest/search/match_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cinderscope {

namespace {

// For each name its place in alphabetical order, among those that occur.
std::vector<std::uint32_t> places_of_names(const MatchSet& set,
                                           const std::vector<StringId>& names) {
  const StringPool& strings = *set.slices->strings;
  std::vector<std::uint32_t> place(strings.size(), 0);
  for (const StringId name : names) {
    if (index(name) < place.size()) place[index(name)] = 1;
  }
  std::vector<std::uint32_t> distinct;
  for (std::uint32_t id = 0; id < place.size(); ++id) {
    if (place[id] != 0) distinct.push_back(id);
  }
  std::sort(distinct.begin(), distinct.end(), [&strings](std::uint32_t a, std::uint32_t b) {
    return strings.text(StringId{a}) < strings.text(StringId{b});
  });
  for (std::uint32_t i = 0; i < distinct.size(); ++i) place[distinct[i]] = i;
  return place;
}

std::vector<std::uint64_t> sort_keys(const MatchSet& set, MatchColumn column) {
  std::vector<std::uint64_t> keys;
  keys.reserve(set.by_time.size());
  if (column == MatchColumn::thread) {
    for (const MatchPlace& place : set.by_time) keys.push_back(index(set.rows[place.row].track));
  } else if (column == MatchColumn::duration) {
    for (const MatchPlace& place : set.by_time) {
      const std::int64_t ns = set.rows[place.row].slices->duration_ns(place.slice);
      keys.push_back(static_cast<std::uint64_t>(ns));
    }
  } else {
    std::vector<StringId> names;
    names.reserve(set.by_time.size());
    for (const MatchPlace& place : set.by_time) {
      names.push_back(set.rows[place.row].slices->name(place.slice));
    }
    const std::vector<std::uint32_t> places = places_of_names(set, names);
    for (const StringId name : names) {
      keys.push_back(index(name) < places.size() ? places[index(name)] : 0);
    }
  }
  return keys;
}

bool by_begin(const MatchOrder& order) {
  return order.rank_of_line.empty();
}

std::uint64_t turned(const MatchOrder& order, std::uint64_t line) {
  const bool turns = order.sorting.descending && order.matches->ordered();
  return turns ? order.matches->count() - 1 - line : line;
}

}  // namespace

MatchOrder order_lines(std::shared_ptr<const MatchSet> matches, MatchSorting sorting,
                       const std::atomic<bool>& cancelled) {
  MatchOrder order{std::move(matches), sorting, {}, {}};
  const MatchSet& set = *order.matches;
  if (!set.ordered() || sorting.column == MatchColumn::begin || set.count() == 0) return order;
  std::vector<std::uint64_t> keys = sort_keys(set, sorting.column);
  if (cancelled) return order;
  if (sorting.descending) {
    for (std::uint64_t& key : keys) key = ~key;
  }
  struct Line {
    std::uint64_t key;
    std::uint32_t rank;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 compared with for a pointer
    auto operator<=>(const Line&) const = default;
  };
  std::vector<Line> lines(keys.size());
  for (std::uint32_t rank = 0; rank < lines.size(); ++rank) lines[rank] = {keys[rank], rank};
  std::sort(lines.begin(), lines.end());
  if (cancelled) return order;
  order.rank_of_line.resize(lines.size());
  order.line_of_rank.resize(lines.size());
  for (std::uint32_t line = 0; line < lines.size(); ++line) {
    order.rank_of_line[line] = lines[line].rank;
    order.line_of_rank[lines[line].rank] = line;
  }
  return order;
}

MatchRef match_on_line(const MatchOrder& order, std::uint64_t line) {
  if (!by_begin(order)) return match_at(*order.matches, order.rank_of_line[line]);
  return match_at(*order.matches, turned(order, line));
}

std::optional<std::uint64_t> line_of(const MatchOrder& order, const MatchRef& ref) {
  const MatchSet& set = *order.matches;
  if (!set.ordered()) {
    const MatchRow* row = matches_of(set, ref.track, ref.instant, ref.block, ref.row);
    if (row == nullptr || !row->has(ref.slice)) return std::nullopt;
    return set.before[static_cast<std::size_t>(row - set.rows.data())] +
           row->count_before(ref.slice);
  }
  const std::optional<std::uint64_t> rank = rank_of(set, ref);
  if (!rank) return std::nullopt;
  return by_begin(order) ? turned(order, *rank) : order.line_of_rank[*rank];
}

}  // namespace cinderscope
