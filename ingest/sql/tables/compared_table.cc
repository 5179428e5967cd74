// The table compared: the names of both sides, as a comparison shows them.
#include "ingest/sql/queried_comparison.h"
#include "ingest/sql/tables/all_tables.h"

namespace cinderscope {

namespace {

using enum ColumnKind;

class ComparedRows final : public RowList {
 public:
  explicit ComparedRows(const QueryData& data) : of_(*data.settings().compared) {}

  std::int64_t count() const override {
    return of_.sides == nullptr ? 0 : static_cast<std::int64_t>(of_.comparison.rows.size());
  }
  void cell(std::int64_t at, int column, sqlite3_context* out) const override {
    const ComparedRow& row = of_.comparison.rows[static_cast<std::size_t>(at)];
    switch (column) {
      case 0:
        return give_text(out, of_.sides->names.names[row.name].text);
      case 1:
        return give_value(out, row.value[side_a]);
      case 2:
        return give_value(out, row.value[side_b]);
      case 3:
        return give_value(out, row.difference);
      case 4:
        return row.change ? sqlite3_result_double(out, *row.change) : sqlite3_result_null(out);
      default:
        return give_lasting_text(out, word_of(row.verdict));
    }
  }

 private:
  void give_value(sqlite3_context* out, const ComparedValue& value) const {
    if (of_.comparison.whole_numbers()) return sqlite3_result_int64(out, value.whole);
    sqlite3_result_double(out, value.value);
  }

  const QueriedComparison& of_;
};

}  // namespace

void add_compared_table(QueryData& data) {
  if (data.settings().compared == nullptr) return;
  const ComparisonOptions& options = data.settings().compared->comparison.options;
  const bool lasts = is_duration(options.measure) && options.scale != Scale::share;
  const ColumnKind value = lasts ? duration : any;
  data.add(std::make_shared<const TableEntry>(TableEntry{
      .name = "compared",
      .help = "The names of both sides, as the comparison measures them",
      .columns = {{"name", text, "As compared; name_key() makes it of a call's by the usual rules"},
                  {"a", value, "The measure of A"},
                  {"b", value, "The measure of B"},
                  {"difference", value, "B minus A"},
                  {"change", real, "B / A - 1; NULL: nothing to divide by"},
                  {"verdict", text, "more, less, same, new, gone, unclear, small"}},
      .make = make_listed<ComparedRows, false>,
      .row_count = [](const QueryData& of) { return ComparedRows(of).count(); }}));
}

}  // namespace cinderscope
