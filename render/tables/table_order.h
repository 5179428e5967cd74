// Which rows of a table are shown, and in which order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "render/tables/value_table.h"

namespace cinderscope {

struct TableOrder {
  std::size_t column = 0;
  bool descending = false;
  std::string filter;  // as typed
  bool operator==(const TableOrder&) const = default;
};
// What a click on a column's head asks for: texts from A, numbers from the largest; the same column
// again turns round.
TableOrder sorted_by(const TableOrder& order, std::size_t column, CellKind kind);

// A filter, taken apart: words that some text of the row contains, and `name > value` with <, <=,
// >, >= or =. Values of durations may have units (5ms); a row without the value is not shown.
struct TableFilter {
  struct Bound {
    std::size_t column = 0;
    double low = 0, high = 0;
    bool low_open = false, high_open = false;
    std::string text;  // of text columns: is in it
  };
  std::vector<std::string> words;  // in lower case; looked for in texts and their labels
  std::vector<Bound> bounds;
};
// An Error says which part cannot be meant.
Result<TableFilter> parse_filter(const ValueTable& table, std::string_view text);
// The whole text as one word.
TableFilter filter_by_text(std::string_view text);

// Rows that the filter lets through. Equal ones are sorted by the first column if that is a text,
// then by their number. Any thread.
std::vector<std::uint32_t> rows_in_order(const ValueTable& table, const TableOrder& order,
                                         const TableFilter& filter,
                                         const std::atomic<bool>* cancelled = nullptr);

}  // namespace cinderscope
