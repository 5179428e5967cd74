#include "formats/firefox/marker_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ingest/base/json/raw_json.h"
#include "ingest/base/number_text.h"

namespace cinderscope::firefox {
namespace {

// A value as its format writes it; empty: as it stands.
std::string formatted(std::string_view value, std::string_view format, const SharedTables& tables) {
  if (format == "unique-string" || format == "flow-id" || format == "terminating-flow-id") {
    return json::is_string(value) ? std::string() : tables.text(read_number(value));
  }
  constexpr std::pair<std::string_view, std::string_view> kUnits[] = {
      {"duration", "ms"},     {"time", "ms"},        {"milliseconds", "ms"}, {"seconds", "s"},
      {"microseconds", "us"}, {"nanoseconds", "ns"}, {"bytes", "bytes"}};
  for (const auto& [name, unit] : kUnits) {
    if (format == name) return fmt::format("{} {}", json::text_of(value), unit);
  }
  if (format == "percentage") {
    if (const auto number = json::number_of(value)) return fmt::format("{:.4g} %", *number * 100);
  }
  if (format == "hexadecimal") {
    if (const auto number = parse_number<std::int64_t>(value)) return fmt::format("{:#x}", *number);
  }
  if (format == "list" && json::is_array(value)) {
    std::string list;
    for (const std::string_view one : read_values(value)) {
      if (!list.empty()) list += ", ";
      json::append_text_of(list, one);
    }
    return list;
  }
  return {};
}

// As other durations of markers are written: milliseconds.
std::string duration_of_marker(std::int64_t duration_ns) {
  return fmt::format("{} ms", static_cast<double>(duration_ns) / 1e6);
}

// "{marker.data.KEY}", "{marker.name}" and "{marker.duration}" in a label; other expressions come
// to nothing.
template <class ValueOf>
std::string filled_label(std::string_view label, const MarkerSchemas::Marker& marker,
                         ValueOf value_of) {
  std::string out;
  constexpr int kMostExpressions = 1000;
  for (int i = 0; !label.empty() && i < kMostExpressions; ++i) {
    const std::size_t open = label.find('{');
    out += label.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = label.find('}', open);
    if (close == std::string_view::npos) break;
    std::string_view inside = json::trim_blanks(label.substr(open + 1, close - open - 1));
    label.remove_prefix(close + 1);
    constexpr std::string_view kData = "marker.data.";
    if (inside == "marker.name") {
      out += marker.name;
    } else if (inside == "marker.duration") {
      if (marker.duration_ns >= 0) out += duration_of_marker(marker.duration_ns);
    } else if (inside.starts_with(kData)) {
      inside.remove_prefix(kData.size());
      const std::size_t question = inside.find('?');
      if (question == std::string_view::npos) {
        out += value_of(inside);
        continue;
      }
      // {marker.data.KEY ? 'a' : 'b'}
      const std::string_view choices = inside.substr(question + 1);
      const std::size_t colon = choices.find(':');
      const bool there = !value_of(json::trim_blanks(inside.substr(0, question))).empty();
      std::string_view chosen = there                             ? choices.substr(0, colon)
                                : colon == std::string_view::npos ? std::string_view()
                                                                  : choices.substr(colon + 1);
      chosen = json::trim_blanks(chosen);
      if (chosen.size() >= 2 && chosen.front() == '\'')
        chosen = chosen.substr(1, chosen.size() - 2);
      out += chosen;
    }
  }
  return out;
}

std::int64_t cause_of(const Members& data) {
  const std::int64_t cause = read_number(Members(data.get("cause")).get("stack"));
  if (cause != kNoValue) return cause;
  std::int64_t stack = kNoValue;  // Gecko: a small profile with one sample
  each_row(Members(data.get("stack")).get("samples"), {"stack"},
           [&](std::span<const std::string_view> row) {
             if (stack == kNoValue) stack = read_number(row[0]);
           });
  return stack;
}

}  // namespace

MarkerSchemas::MarkerSchemas(std::string_view schemas) {
  for (const std::string_view one : read_values(schemas)) {
    const Members parts(one);
    Schema schema;
    schema.label = json::text_of(parts.any({"tooltipLabel", "chartLabel", "tableLabel"}));
    for (const std::string_view field : read_values(parts.any({"fields", "data"}))) {
      const Members facts(field);
      const std::string key = json::text_of(facts.get("key"));
      if (key.empty()) continue;
      schema.fields[key] = field_of(field);
    }
    schemas_.try_emplace(json::text_of(parts.get("name")), std::move(schema));
  }
}

// A format is a word, or an object for a table.
MarkerSchemas::Field MarkerSchemas::field_of(std::string_view facts) {
  const Members parts(facts);
  Field field{.label = json::text_of(parts.get("label"))};
  const std::string_view format = parts.get("format");
  if (!json::is_object(format)) {
    field.format = json::text_of(format);
    return field;
  }
  const Members table(format);
  field.format = json::text_of(table.get("type"));
  for (const std::string_view one : read_values(table.get("columns"))) {
    const Members column(one);
    field.columns.push_back(
        {json::text_of(column.get("label")), json::text_of(column.any({"format", "type"}))});
  }
  return field;
}

// Rows of a table become objects where the columns have labels.
void MarkerSchemas::write_value(std::string_view value, const Field& field,
                                const SharedTables& tables, JsonWriter& out) {
  if (field.format != "table" || !json::is_array(value)) {
    const std::string text = formatted(value, field.format, tables);
    if (text.empty()) {
      out.raw(value);
    } else {
      out.text(text);
    }
    return;
  }
  const bool labelled = std::ranges::any_of(
      field.columns, [](const Column& column) { return !column.label.empty(); });
  out.begin_array();
  for (const std::string_view row : read_values(value)) {
    if (!json::is_array(row)) {
      out.raw(row);
      continue;
    }
    labelled ? out.begin_object() : out.begin_array();
    const std::vector<std::string_view> cells = read_values(row);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Column column = i < field.columns.size() ? field.columns[i] : Column{};
      if (labelled) out.key(column.label.empty() ? fmt::format("{}", i + 1) : column.label);
      const std::string text = formatted(cells[i], column.format, tables);
      if (text.empty()) {
        out.raw(cells[i]);
      } else {
        out.text(text);
      }
    }
    labelled ? out.end_object() : out.end_array();
  }
  out.end_array();
}

void MarkerSchemas::describe(const Marker& marker, const SharedTables& tables,
                             const KeptCalls& calls, RecordText& out) const {
  const Members begin(marker.data), end(marker.end_data);
  const std::string type = json::text_of((begin.get("type").empty() ? end : begin).get("type"));
  const auto found = schemas_.find(type);
  static const Schema kNoSchema;
  const Schema& schema = found == schemas_.end() ? kNoSchema : found->second;
  std::vector<std::pair<std::string_view, std::string_view>> values = begin.all();
  std::unordered_map<std::string_view, std::size_t> place_of_key;
  if (!end.all().empty()) {
    for (std::size_t i = 0; i < values.size(); ++i) place_of_key[values[i].first] = i;
  }
  for (const auto& [key, value] : end.all()) {
    const auto [known, is_new] = place_of_key.try_emplace(key, values.size());
    if (is_new) {
      values.emplace_back(key, value);
    } else {
      values[known->second].second = value;
    }
  }
  const auto shown = [&](std::string_view key, std::string_view value) {
    const auto field = schema.fields.find(key);
    return field == schema.fields.end() ? std::string()
                                        : formatted(value, field->second.format, tables);
  };
  if (!values.empty()) {
    JsonWriter args;
    args.begin_object();
    for (const auto& [key, value] : values) {
      if (key == "cause" || (key == "stack" && json::is_object(value))) continue;
      const std::string plain_key = json::text_of(key);
      const auto field = schema.fields.find(plain_key);
      const bool labelled = field != schema.fields.end() && !field->second.label.empty();
      args.key(labelled ? field->second.label : plain_key);
      static const Field kNoField;
      write_value(value, field == schema.fields.end() ? kNoField : field->second, tables, args);
    }
    args.end_object();
    out.args = parse_args(args.str());
  }
  const std::string label = filled_label(schema.label, marker, [&](std::string_view key) {
    for (const auto& [of, value] : values) {
      if (of != key) continue;
      const std::string text = shown(key, value);
      return text.empty() ? json::text_of(value) : text;
    }
    return std::string();
  });
  if (!label.empty() && label != marker.name) out.facts.emplace_back("Label", label);
  const std::int64_t stack = cause_of(begin);
  if (stack >= 0 && static_cast<std::uint64_t>(stack) < tables.stacks.call.size()) {
    out.stack = calls.stack_of(tables.stacks.call[static_cast<std::size_t>(stack)]);
  }
}

}  // namespace cinderscope::firefox
