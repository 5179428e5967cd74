// What Tab completes in SQL: tables, columns of the tables in FROM, functions, names of calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "render/editing/edited_text.h"

namespace cinderscope {

struct SqlWords {
  struct Column {
    std::string name, type;  // type as people read it: "duration"
  };
  struct Table {
    std::string name;
    std::vector<Column> columns;
    bool takes_arguments = false;  // as in FROM: overlap(from_ts, to_ts)
  };
  struct Function {
    std::string name, form;  // "percentile(x, p)"
  };
  std::vector<Table> tables;
  std::vector<Function> functions;
  // Names of calls that begin with a text, or have it in them; at most `most`. May be empty.
  std::function<std::vector<std::string>(std::string_view part, std::size_t most)> names;
};

enum class SqlCompletionKind : std::uint8_t { column, table, function, keyword, call_name };

struct SqlCompletion {
  std::string text;    // in place of what was typed
  std::string detail;  // beside it: type, form
  SqlCompletionKind kind = SqlCompletionKind::column;
};

struct SqlCompletions {
  TextSpan replaced;
  std::vector<SqlCompletion> items;  // the likeliest first; at most kMostCompletions
};
inline constexpr std::size_t kMostCompletions = 200;

// Of what stands before `caret`. With nothing typed there, all that can follow, but no keywords.
SqlCompletions sql_completions(std::string_view text, std::size_t caret, const SqlWords& words);

}  // namespace cinderscope
