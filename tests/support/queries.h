// Running SQL in tests: answers as lines of text.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ingest/sql/query_run.h"

namespace cinderscope::test {

inline std::string text_of(const QueryCell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::to_string(*whole);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string_view>(&cell))
    return "'" + std::string(*text) + "'";
  return "NULL";
}

struct LineSink final : QuerySink {
  std::vector<QueryColumn> columns;  // of the last statement
  std::vector<std::string> lines;    // "1|'a'|NULL"
  std::size_t answers = 0;

  void begin(std::size_t, std::span<const QueryColumn> of) override {
    columns.assign(of.begin(), of.end());
    ++answers;
  }
  bool row(std::span<const QueryCell> cells) override {
    std::string line;
    for (const QueryCell& cell : cells) line += (line.empty() ? "" : "|") + text_of(cell);
    lines.push_back(std::move(line));
    return true;
  }
};

inline QueryInput input_of(Timeline timeline) {
  QueryInput input{.name = "a.json", .path = "/tmp/a.json", .format = "test"};
  input.timeline = std::make_shared<const Timeline>(std::move(timeline));
  return input;
}

inline QueryOutcome run(QueryDatabase& database, std::string text, LineSink& sink) {
  const std::atomic<bool> cancelled = false;
  return database.run({.text = std::move(text)}, cancelled, sink);
}

// The lines of all answers, or the error's text.
inline std::vector<std::string> lines_of(QueryDatabase& database, std::string text) {
  LineSink sink;
  const QueryOutcome outcome = run(database, std::move(text), sink);
  if (!outcome.ok()) sink.lines.push_back("error: " + outcome.text());
  return sink.lines;
}
inline std::string line_of(QueryDatabase& database, std::string text) {
  const std::vector<std::string> lines = lines_of(database, std::move(text));
  return lines.empty() ? "" : lines.front();
}

}  // namespace cinderscope::test
