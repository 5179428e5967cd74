// The table call: whole calls as their recorder summed them up, with a column a fact.
#include <algorithm>
#include <span>

#include "ingest/format/capabilities.h"
#include "ingest/format/trace_source.h"
#include "ingest/sql/tables/all_tables.h"
#include "ingest/sql/tables/row_facts.h"

namespace cinderscope {

namespace {

using enum ColumnKind;

constexpr int kPlainColumns = 8;

const CallFacts* facts_of_input(const QueryData& data, std::uint32_t input) {
  const TraceSource* source = data.inputs()[input].source.get();
  return source == nullptr ? nullptr : source->call_facts();
}

// The facts of the first trace that has some; others have to have the same.
std::span<const CallFacts::Column> fact_columns(const QueryData& data) {
  for (std::uint32_t i = 0; i < data.inputs().size(); ++i) {
    if (const CallFacts* facts = facts_of_input(data, i)) return facts->columns();
  }
  return {};
}

class Calls final : public RowList {
 public:
  explicit Calls(const QueryData& data) : data_(data), firsts_{0} {
    for (const NumberedRow& row : data.slice_numbers().rows()) {
      if (row.kind != TrackKind::calls) continue;
      rows_.push_back(&row);
      firsts_.push_back(firsts_.back() + static_cast<std::int64_t>(row.count()));
    }
  }

  std::int64_t count() const override { return firsts_.back(); }
  void cell(std::int64_t number, int column, sqlite3_context* out) const override {
    const auto at =
        static_cast<std::size_t>(std::ranges::upper_bound(firsts_, number) - firsts_.begin() - 1);
    const NumberedRow& row = *rows_[at];
    const auto i = static_cast<std::uint64_t>(number - firsts_[at]);
    switch (column) {
      case 0:
        return sqlite3_result_int64(out, number + 1);
      case 1:
        return sqlite3_result_int64(out, static_cast<std::int64_t>(row.first_number + i));
      case 2:
        return sqlite3_result_int64(out, keys_of(data_, row).trace);
      case 3:
        return give_key(out, keys_of(data_, row).thread);
      case 4:
        return sqlite3_result_int64(out, row.slices->begin_ns(i));
      case 5:
        return sqlite3_result_int64(out, row.slices->duration_ns(i));
      case 6:
        return sqlite3_result_int64(out, row.slices->end_ns(i));
      case 7:
        return give_lasting_text(out, data_.text(row.input, row.slices->name(i)));
      default:
        break;
    }
    if (number != read_) {
      const CallFacts* facts = facts_of_input(data_, row.input);
      values_ = facts == nullptr || facts->columns().data() != fact_columns(data_).data()
                    ? std::vector<std::int64_t>()
                    : facts->facts_of(row.slices->chunk_of(i).record(SliceRow::in_chunk(i)));
      read_ = number;
    }
    const auto fact = static_cast<std::size_t>(column - kPlainColumns);
    fact < values_.size() ? sqlite3_result_int64(out, values_[fact]) : sqlite3_result_null(out);
  }

 private:
  const QueryData& data_;
  std::vector<const NumberedRow*> rows_;
  std::vector<std::int64_t> firsts_;  // calls before each row, then all
  mutable std::int64_t read_ = -1;    // whose facts these are
  mutable std::vector<std::int64_t> values_;
};

}  // namespace

void add_call_table(QueryData& data) {
  const std::span<const CallFacts::Column> facts = fact_columns(data);
  if (facts.empty()) return;
  auto entry = std::make_shared<TableEntry>(
      TableEntry{.name = "call",
                 .help = "Whole calls as their recorder summed them up",
                 .columns = {{"call_id", integer},
                             {"slice_id", slice},
                             {"trace_id", integer},
                             {"thread_id", integer},
                             {"ts", time},
                             {"dur", duration},
                             {"ts_end", time},
                             {"name", text}},
                 .make = make_listed<Calls, true>,
                 .row_count = [](const QueryData& of) { return Calls(of).count(); }});
  for (const CallFacts::Column& fact : facts) {
    entry->columns.push_back({fact.name, fact.is_duration ? duration : integer, fact.help});
  }
  data.add(std::move(entry));
}

}  // namespace cinderscope
