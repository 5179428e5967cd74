// What the last run of a query gave: its tables, and how the rows of the one that is shown stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/questions/latest.h"
#include "app/questions/query_answer.h"
#include "app/window/panels/panel.h"
#include "ingest/base/json/json_writer.h"
#include "render/tables/query_table.h"
#include "render/tables/table_order.h"

namespace cinderscope {

// Rows are sorted and filtered on another thread. UI thread only.
class SqlRows {
 public:
  SqlRows();
  // `as_before`: the query is the one whose rows are here, so order and filter stay.
  void take(std::shared_ptr<const QueryAnswer> answer, bool as_before);
  bool poll();                                   // true: something changed
  bool busy() const { return ordered_.busy(); }  // rows are being sorted

  // Null: nothing was given yet.
  const QueryAnswer* answer() const { return answer_.get(); }
  // Of which some columns may be shown otherwise.
  const std::vector<std::shared_ptr<const QueryTable>>& tables() const { return tables_; }
  const QueryTable* table() const {
    return which_ < tables_.size() ? tables_[which_].get() : nullptr;
  }
  std::size_t which() const { return which_; }
  void choose(std::size_t which) { which_ = which; }
  std::string title() const;  // its name, else its first comment or words

  // The table's rows as they are shown; null until that is known.
  const std::vector<std::uint32_t>* ordered() const;
  std::optional<TableOrder> order() const;  // as somebody chose, else as the query says
  const std::string& filter() const { return filter_; }
  bool filter_open() const { return filter_open_; }
  Status sort(std::string_view column);
  Status filter_by(std::string_view text);
  Status show_column(std::string_view column, std::string_view as);
  std::vector<std::string> column_words() const;

  // "query" as a file, in that form: all rows, where more were given than are shown.
  Result<TakenTable> take_table(const QueriedTraces& traces, const TimestampFormat& times,
                                TableText form) const;
  // The first rows, each an array.
  void write_first(JsonWriter& out) const;

 private:
  struct Asked {
    std::shared_ptr<const ValueTable> table;
    std::optional<TableOrder> order;
    std::string filter;
    bool operator==(const Asked&) const = default;
  };

  std::shared_ptr<const QueryAnswer> answer_;
  std::vector<std::shared_ptr<const QueryTable>> tables_;
  std::size_t which_ = 0;
  std::optional<TableOrder> order_;
  std::string filter_;
  bool filter_open_ = false;
  Latest<Asked, std::vector<std::uint32_t>> ordered_;
};

}  // namespace cinderscope
