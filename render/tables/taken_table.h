// A table as it is taken away: what a panel shows, all rows of it, as filtered and sorted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/part/table_text.h"
#include "render/tables/value_table.h"

namespace cinderscope {

// Holds all that it needs, so it is written on any thread; of one form, since people see other
// columns than programs.
struct TakenTable {
  std::string word;  // in the names of files: "statistics"
  std::vector<TextColumn> columns = {};
  std::uint64_t row_count = 0;
  // Writes a cell for each column.
  std::function<void(std::uint64_t row, TableWriter& out)> write_row = {};
  std::uint64_t left_out = 0;  // further rows that are known of but not there
  // In place of write_row where all rows are worked out as they are written, on whatever thread
  // that is: calls `put` after each, until that returns false or `ends` is set; false then, and
  // where it fails.
  using WriteAll = std::function<bool(TableWriter& out, const std::function<bool()>& put,
                                      const std::atomic<bool>& ends)>;
  WriteAll write_all = {};
};

inline constexpr std::uint64_t kMostMarkdownRows = 1000;
inline constexpr std::uint64_t kMostCopiedBytes = 50'000'000;

// Rows that are written; a line below a longer table says how many there are.
std::uint64_t written_rows(const TakenTable& table, TableText form);

// Hands the text over piece by piece, until `take` returns false; false then. What works out all
// rows also looks at `ends`.
bool write_table(const TakenTable& table, TableForm form,
                 const std::function<bool(std::string_view)>& take, const std::atomic<bool>& ends);
bool write_table(const TakenTable& table, TableForm form,
                 const std::function<bool(std::string_view)>& take);

// The whole text, for the clipboard. An Error where that would be too much.
Result<std::string> table_to_copy(const TakenTable& table, TableForm form,
                                  std::uint64_t most_bytes = kMostCopiedBytes);

// Numbers are plain, in the axis' unit; percentages have two decimals; an empty text is no value.
// Columns for people leave out what only programs ask for.
TakenTable taken_table(std::string word, std::shared_ptr<const ValueTable> table,
                       std::vector<std::uint32_t> rows, TableText form,
                       const TimestampFormat& times = {});

}  // namespace cinderscope
