#include "formats/firefox/marker_schema.h"

#include <fmt/format.h>

#include <utility>

#include "ingest/base/json/json_writer.h"
#include "ingest/base/json/raw_json.h"

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
  return {};
}

// "{marker.data.KEY}" and "{marker.name}" in a label; other expressions come to nothing.
template <class ValueOf>
std::string filled_label(std::string_view label, std::string_view name, ValueOf value_of) {
  std::string out;
  while (!label.empty()) {
    const std::size_t open = label.find('{');
    out += label.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = label.find('}', open);
    if (close == std::string_view::npos) break;
    std::string_view inside = json::trim_blanks(label.substr(open + 1, close - open - 1));
    label.remove_prefix(close + 1);
    constexpr std::string_view kData = "marker.data.";
    if (inside == "marker.name") {
      out += name;
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
      schema.fields[key] = {json::text_of(facts.get("label")), json::text_of(facts.get("format"))};
    }
    schemas_.try_emplace(json::text_of(parts.get("name")), std::move(schema));
  }
}

void MarkerSchemas::describe(std::string_view name, std::string_view data,
                             std::string_view end_data, const SharedTables& tables,
                             const FirefoxCalls& calls, RecordText& out) const {
  const Members begin(data), end(end_data);
  const std::string type = json::text_of((begin.get("type").empty() ? end : begin).get("type"));
  const auto found = schemas_.find(type);
  static const Schema kNoSchema;
  const Schema& schema = found == schemas_.end() ? kNoSchema : found->second;
  std::vector<std::pair<std::string_view, std::string_view>> values = begin.all();
  for (const auto& [key, value] : end.all()) {
    bool known = false;
    for (auto& one : values) {
      if (one.first == key) one.second = value, known = true;
    }
    if (!known) values.emplace_back(key, value);
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
      const std::string text = shown(plain_key, value);
      if (text.empty()) {
        args.raw(value);
      } else {
        args.text(text);
      }
    }
    args.end_object();
    out.args = parse_args(args.str());
  }
  const std::string label = filled_label(schema.label, name, [&](std::string_view key) {
    for (const auto& [of, value] : values) {
      if (of != key) continue;
      const std::string text = shown(key, value);
      return text.empty() ? json::text_of(value) : text;
    }
    return std::string();
  });
  if (!label.empty() && label != name) out.facts.emplace_back("Label", label);
  const std::int64_t stack = cause_of(begin);
  if (stack >= 0 && static_cast<std::uint64_t>(stack) < tables.call_of_stack.size()) {
    out.stack = calls.stack_of(tables.call_of_stack[static_cast<std::size_t>(stack)]);
  }
}

}  // namespace cinderscope::firefox
