// Asking a QueryDatabase in a test: answers as texts.
#pragma once

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ingest/sql/query_run.h"

namespace cinderscope {

struct QueryAnswer {
  QueryOutcome outcome;
  std::vector<QueryColumn> columns;            // of the last statement with rows
  std::vector<std::vector<std::string>> rows;  // of all statements; NULL is "NULL"
};

inline std::string cell_text(const QueryCell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  if (const auto* text = std::get_if<std::string_view>(&cell))
    return "'" + std::string(*text) + "'";
  if (const auto* real = std::get_if<double>(&cell)) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%.17gr", *real);
    return digits;
  }
  return "NULL";
}

class AnswerSink final : public QuerySink {
 public:
  explicit AnswerSink(QueryAnswer& answer) : answer_(answer) {}
  void begin(std::size_t, std::span<const QueryColumn> columns) override {
    answer_.columns.assign(columns.begin(), columns.end());
  }
  bool row(std::span<const QueryCell> cells) override {
    std::vector<std::string>& row = answer_.rows.emplace_back();
    for (const QueryCell& cell : cells) row.push_back(cell_text(cell));
    return true;
  }

 private:
  QueryAnswer& answer_;
};

inline QueryAnswer ask(QueryDatabase& database, QueryRequest request) {
  QueryAnswer answer;
  AnswerSink sink(answer);
  const std::atomic<bool> cancelled = false;
  answer.outcome = database.run(request, cancelled, sink);
  return answer;
}
inline QueryAnswer ask(QueryDatabase& database, std::string text) {
  QueryRequest request;
  request.text = std::move(text);
  return ask(database, std::move(request));
}

inline QueryInput query_input(Timeline timeline, std::string name = "a") {
  QueryInput input;
  input.timeline = std::make_shared<const Timeline>(std::move(timeline));
  input.name = input.path = std::move(name);
  input.format = "test";
  return input;
}

}  // namespace cinderscope
