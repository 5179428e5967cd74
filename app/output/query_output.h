// Answers of queries as text: for people, spreadsheets and programs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/sql/query_run.h"
#include "render/text/time_text.h"

namespace cinderscope {

enum class QueryForm : std::uint8_t { table, csv, tsv, json, json_lines, markdown };
std::optional<QueryForm> query_form_of(std::string_view word);  // "table", "jsonl", ...
inline constexpr std::string_view kQueryForms = "table, csv, tsv, json, jsonl, markdown";

struct QueryOutputOptions {
  QueryForm form = QueryForm::csv;
  bool raw = false;                             // times are numbers for people, too
  bool several = false;                         // of JSON: an array for each statement
  std::uint64_t most_rows = 0;                  // of each statement; 0: all
  TimestampFormat times;                        // for people
  std::function<bool(std::string_view)> write;  // false: nobody reads it any more
};

// A sink that writes what comes. finish() once the run is over.
class QueryOutput : public QuerySink {
 public:
  virtual void finish() = 0;
};
std::unique_ptr<QueryOutput> query_output(QueryOutputOptions options);

}  // namespace cinderscope
