#include "ingest/sql/grouped/slice_groups_table.h"

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "ingest/sql/functions/percent.h"
#include "ingest/sql/functions/table_function.h"
#include "ingest/sql/grouped/grouped_answer.h"
#include "ingest/sql/grouped/grouped_statement.h"
#include "ingest/sql/number_type.h"
#include "ingest/sql/tables/name_tests.h"

namespace cinderscope {

namespace {

constexpr int kFirstAggregate = static_cast<int>(kGroupKeys);

GroupedConstant constant_of(sqlite3_value* value) {
  using ConstantType = GroupedConstant::Type;
  GroupedConstant constant;
  if (value == nullptr) return constant;
  const bool is_blob = sqlite3_value_type(value) == SQLITE_BLOB;
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  if (text != nullptr) constant.text.assign(text, size);
  constant.as_text = is_blob ? ConstantType::blob : ConstantType::text;
  switch (is_blob ? SQLITE_BLOB : number_type(value)) {
    case SQLITE_INTEGER:
      constant.as_number = ConstantType::integer;
      constant.integer = sqlite3_value_int64(value);
      break;
    case SQLITE_FLOAT:
      constant.as_number = ConstantType::real;
      constant.real = sqlite3_value_double(value);
      break;
    case SQLITE_BLOB:
      constant.as_number = ConstantType::blob;
      break;
    default:
      constant.as_number = ConstantType::text;
  }
  return constant;
}

int operator_of(TestKind kind) {
  return kind == TestKind::like   ? SQLITE_INDEX_CONSTRAINT_LIKE
         : kind == TestKind::glob ? SQLITE_INDEX_CONSTRAINT_GLOB
                                  : SQLITE_INDEX_CONSTRAINT_REGEXP;
}

class GroupsCursor final : public FunctionCursor {
 public:
  GroupsCursor(QueryData& data, int first, std::size_t arguments)
      : FunctionCursor(first, arguments), data_(data) {}

  bool eof() const override { return at_ >= answer_.group_count; }

 protected:
  int begin() override {
    at_ = 0;
    answer_ = {};
    const auto number = arguments().integer(0);
    if (!number || *number < 0 || static_cast<std::uint64_t>(*number) >= data_.groupings().size()) {
      return SQLITE_OK;
    }
    query_ = data_.groupings()[static_cast<std::size_t>(*number)];
    std::vector<GroupedConstant> constants;
    for (std::size_t i = 0; i < kMostConstants; ++i) {
      constants.push_back(constant_of(arguments().value(i + 1)));
    }
    std::string wrong;
    const auto filter =
        grouped_filter(query_.tests, constants, [&](TestKind kind, std::uint32_t constant) {
          const auto test = std::make_shared<TextTest>();
          wrong = test->set({.op = operator_of(kind)}, arguments().value(constant + 1), data_);
          if (!wrong.empty()) return GroupedFilter::TextTest();
          return GroupedFilter::TextTest(
              [test](std::string_view text) { return test->holds(text); });
        });
    if (!filter) return fail(std::move(wrong));
    std::vector<double> shares;
    bool is_share = true;
    for (const GroupedAggregate& aggregate : query_.aggregates) {
      shares.push_back(std::numeric_limits<double>::quiet_NaN());
      sqlite3_value* share = arguments().value(aggregate.constant + 1);
      if (aggregate.kind != AggregateKind::percentile || share == nullptr) continue;
      const auto percent = percent_of(share);
      is_share &= percent.has_value();
      shares.back() = percent.value_or(shares.back());
    }
    Result<GroupedAnswer> answer = group_slices(data_, query_, *filter, shares, data_.jobs(),
                                                data_.run().memory_bytes, data_.stop_flag());
    if (data_.stopped()) return SQLITE_INTERRUPT;
    if (!answer) return fail(answer.error().text);
    // Nobody asks for the percentile of nothing.
    if (!is_share && answer->any_slices) return fail(std::string(kNoPercent));
    answer_ = std::move(*answer);
    return SQLITE_OK;
  }

  int advance() override {
    ++at_;
    return SQLITE_OK;
  }

  void cell(sqlite3_context* out, int column) override {
    if (column >= kFirstAggregate) {
      const auto aggregate = static_cast<std::size_t>(column - kFirstAggregate);
      if (aggregate < answer_.aggregates.size()) give_cell(out, answer_.aggregates[aggregate][at_]);
      return;
    }
    for (std::size_t key = 0; key < query_.keys.size(); ++key) {
      if (static_cast<int>(query_.keys[key]) == column) give_cell(out, answer_.keys[key][at_]);
    }
  }

 private:
  static void give_cell(sqlite3_context* out, const QueryCell& cell) {
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
      sqlite3_result_int64(out, *integer);
    } else if (const auto* real = std::get_if<double>(&cell)) {
      sqlite3_result_double(out, *real);
    } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
      give_text(out, *text);
    }
  }

  QueryData& data_;
  GroupedQuery query_;
  GroupedAnswer answer_;
  std::size_t at_ = 0;
};

std::unique_ptr<SqlTable> make_groups(QueryData& data) {
  double slices = 0;
  for (const QueryInput& input : data.inputs()) {
    slices += static_cast<double>(input.timeline->slice_count);
  }
  return std::make_unique<FunctionTable>(
      slice_groups_table(), static_cast<double>(data.name_count()), 100 + slices * kWalkedRowCost,
      [&data](int first, std::size_t arguments) {
        return std::make_unique<GroupsCursor>(data, first, arguments);
      });
}

// Names of the columns that are numbered; they stay as long as the program.
template <std::size_t kCount>
std::span<const std::string> numbered_names(std::string_view letter) {
  static const auto names = [letter] {
    std::array<std::string, kCount> all;
    for (std::size_t i = 0; i < kCount; ++i) all[i] = std::string(letter) + std::to_string(i);
    return all;
  }();
  return names;
}

std::vector<SqlColumn> columns() {
  std::vector<SqlColumn> all;
  for (std::size_t i = 0; i < kGroupKeys; ++i) {
    const auto key = static_cast<GroupKey>(i);
    all.push_back({column_of(key), is_text(key) ? ColumnKind::text : ColumnKind::integer});
  }
  for (const std::string& name : numbered_names<kMostAggregates>("a")) all.push_back({name});
  all.push_back({"number", ColumnKind::any, {}, true});
  for (const std::string& name : numbered_names<kMostConstants>("c")) {
    all.push_back({name, ColumnKind::any, {}, true});
  }
  return all;
}

}  // namespace

const TableEntry& slice_groups_table() {
  static const TableEntry entry = {.name = kSliceGroups,
                                   .help = "What statements that group slices are rewritten to",
                                   .columns = columns(),
                                   .make = make_groups,
                                   .is_function = true};

  return entry;
}

}  // namespace cinderscope
