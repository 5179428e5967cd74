#include "formats/firefox/json_tables.h"

#include <algorithm>

#include "ingest/base/decimal_time.h"
#include "ingest/base/json/json_walk.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/number_text.h"

namespace cinderscope::firefox {

Members::Members(std::string_view object) {
  json::JsonWalk walk(object);
  if (walk.kind() != '{') return;
  walk.enter('{');
  while (walk.next_key()) {
    const std::string_view key = walk.key();
    members_.emplace_back(key, walk.value());
  }
  cut_ = walk.cut();
}

std::string_view Members::get(std::string_view key) const {
  const auto at = std::ranges::find(members_, key, [](const auto& one) { return one.first; });
  return at == members_.end() || at->second == "null" ? std::string_view() : at->second;
}

bool Members::has(std::string_view key) const {
  return std::ranges::any_of(members_, [&](const auto& one) { return one.first == key; });
}

std::string_view Members::any(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys) {
    if (const std::string_view value = get(key); !value.empty()) return value;
  }
  return {};
}

std::int64_t read_number(std::string_view value, int power) {
  if (value == "true") return 1;
  if (value == "false") return 0;
  if (power == 0) {
    if (const auto whole = parse_number<std::int64_t>(value)) return *whole;
  }
  const auto number = time_from_decimal(value, power);
  return number ? number->ns : kNoValue;
}

std::vector<std::int64_t> read_column(std::string_view array, int power) {
  std::vector<std::int64_t> out;
  json::JsonWalk walk(array);
  if (!json::is_array(array) || !walk.enter('[')) return out;
  while (walk.next_item()) {
    const std::string_view value = walk.value();
    if (walk.cut()) break;
    out.push_back(read_number(value, power));
  }
  return out;
}

std::vector<std::string_view> read_values(std::string_view array) {
  std::vector<std::string_view> out;
  json::JsonWalk walk(array);
  if (!json::is_array(array) || !walk.enter('[')) return out;
  while (walk.next_item()) {
    const std::string_view value = walk.value();
    if (walk.cut()) break;
    out.push_back(value);
  }
  return out;
}

std::size_t row_count(const Members& table, std::initializer_list<std::size_t> sizes,
                      std::uint64_t& left_over) {
  const auto length = read_number(table.get("length"));
  std::size_t shortest = std::min(sizes), longest = std::max(sizes);
  if (length >= 0) {
    shortest = std::min(shortest, static_cast<std::size_t>(length));
    longest = std::min(longest, static_cast<std::size_t>(length));
  }
  left_over += longest - shortest;
  return shortest;
}

void each_row(std::string_view table, std::initializer_list<std::string_view> columns,
              const std::function<void(std::span<const std::string_view>)>& row) {
  const Members parts(table);
  const Members schema(parts.get("schema"));
  // Where each place of a row goes to.
  std::vector<std::size_t> column_of_place;
  for (const auto& [key, place] : schema.all()) {
    const std::int64_t at = read_number(place);
    const auto* const column = std::ranges::find(columns, key);
    constexpr std::int64_t kMostPlaces = 1000;
    if (column == columns.end() || at < 0 || at >= kMostPlaces) continue;
    const auto index = static_cast<std::size_t>(at);
    if (index >= column_of_place.size()) column_of_place.resize(index + 1, columns.size());
    column_of_place[index] = static_cast<std::size_t>(column - columns.begin());
  }
  json::JsonWalk walk(parts.get("data"));
  if (!json::is_array(parts.get("data")) || !walk.enter('[')) return;
  std::vector<std::string_view> values(columns.size());
  while (walk.next_item()) {
    std::ranges::fill(values, std::string_view());
    if (walk.kind() == '[' && walk.enter('[')) {
      for (std::size_t place = 0; walk.next_item(); ++place) {
        const std::string_view value = walk.value();
        if (walk.cut()) return;
        if (place < column_of_place.size() && column_of_place[place] < values.size() &&
            value != "null") {
          values[column_of_place[place]] = value;
        }
      }
    } else {
      walk.skip();
    }
    if (walk.cut()) return;
    row(values);
  }
}

}  // namespace cinderscope::firefox
