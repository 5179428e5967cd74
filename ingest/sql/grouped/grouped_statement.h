// Statements that group slices, taken apart and written anew over a table that adds up natively.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sql/grouped/grouped_query.h"

namespace cinderscope {

inline constexpr std::size_t kMostConstants = 64, kMostAggregates = 32;

// Names of the columns of the table in which the answer is.
std::string aggregate_column(std::size_t aggregate);

struct GroupedStatement {
  GroupedQuery query;
  // Expressions of conditions and percentiles, without columns: SQLite works them out.
  std::vector<std::string> constants;
  // The statement over the table `function`, whose first argument is `number` and whose others are
  // the constants.
  std::string rewritten(std::string_view function, std::size_t number) const;
  std::string before_table, after_table;  // what is written around it
  bool limited = false;                   // that ends with a LIMIT
  std::size_t length = 0;                 // of the text that was read
};

// The first statement of the text if it is exactly of the form
//
//   SELECT items FROM slice|thread_slice [alias] [WHERE simple AND simple...] [GROUP BY keys]
//   [HAVING ...] [ORDER BY ...] [LIMIT ...]
//
// with items of keys, aggregates of dur, self_dur, ts and ts_end, and expressions of these;
// conditions compare one column with constants. Everything else is left to SQLite, also
// whatever it would refuse.
std::optional<GroupedStatement> grouped_statement(std::string_view sql);

// It takes slices and groups them by their name alone, in whatever form: name_stat may have the
// answer.
bool groups_slices_by_name(std::string_view sql);

}  // namespace cinderscope
