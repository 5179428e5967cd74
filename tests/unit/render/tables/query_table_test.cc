#include "render/tables/query_table.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "render/tables/table_order.h"
#include "render/tables/taken_table.h"

namespace cinderscope {
namespace {

using Cells = std::vector<QueryCell>;

// Two calls: "a" at 10..30, "b" inside it at 15..20.
QueryDatabase database() {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  builder.slices(thread).complete(10, 20, builder.intern("a"), 1);
  builder.slices(thread).complete(15, 5, builder.intern("b"), 2);
  return QueryDatabase({{.timeline = std::make_shared<const Timeline>(builder.finish())}});
}

std::shared_ptr<const QueryTable> table_of(const std::vector<QueryColumn>& columns,
                                           const std::vector<Cells>& rows,
                                           std::uint64_t most_rows = kMostKeptRows) {
  static const QueryDatabase kDatabase = database();
  QueryRows kept(most_rows);
  kept.begin(0, columns);
  for (const Cells& row : rows) {
    if (!kept.row(row)) break;
  }
  const auto tables = kept.take(kDatabase);
  EXPECT_EQ(tables.size(), 1U);
  return tables.front();
}

std::string cell(const QueryTable& table, std::size_t column, std::uint32_t row) {
  return cell_text(*table.values, table.values->columns[column], row, {});
}

std::string as_csv(const QueryTable& table) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < table.values->row_count; ++i) rows.push_back(i);
  return *table_to_copy(taken_table("query", table.values, rows, TableText::csv),
                        {TableText::csv, false});
}

TEST(QueryTableTest, ShowsColumnsByTypeThenByName) {
  const auto table = table_of({{"begin", ColumnKind::time},
                               {"self_dur", ColumnKind::any},
                               {"slice_id", ColumnKind::any},
                               {"dur", ColumnKind::any},
                               {"name", ColumnKind::text}},
                              {{std::int64_t{10}, 2.5, std::int64_t{2}, "long", "x"}});
  EXPECT_EQ(table->shown, (std::vector{ShownAs::time, ShownAs::duration, ShownAs::slice,
                                       ShownAs::text, ShownAs::text}));
  EXPECT_EQ(cell(*table, 2, 0), "2");
}

TEST(QueryTableTest, NullIsNoEmptyText) {
  const auto table =
      table_of({{"name"}, {"n"}, {"x"}}, {{"", std::int64_t{1}, 0.5},
                                          {std::monostate(), std::monostate(), std::monostate()},
                                          {"a,\"b\"", std::int64_t{-3}, 1e300}});
  EXPECT_EQ(as_csv(*table), "name,n,x\n\"\",1,0.5\n,,\n\"a,\"\"b\"\"\",-3,1e+300\n");
  EXPECT_TRUE(is_null(*table->values, table->values->columns[0], 1));
  EXPECT_FALSE(is_null(*table->values, table->values->columns[0], 0));
}

TEST(QueryTableTest, ATextAmongNumbersMakesAllTexts) {
  const auto table =
      table_of({{"v"}}, {{std::int64_t{7}}, {"seven"}, {std::int64_t{INT64_MIN}}, {1.5}});
  EXPECT_EQ(as_csv(*table), "v\n7\nseven\n-9223372036854775808\n1.5\n");
}

TEST(QueryTableTest, NumbersWithFractionsAreSortedAndFiltered) {
  const auto table = table_of({{"x"}}, {{1.5}, {-2.5}, {std::monostate()}, {std::int64_t{1}}});
  const auto order = [&](bool descending, std::string_view filter) {
    return rows_in_order(*table->values, {.column = 0, .descending = descending},
                         *parse_filter(*table->values, filter));
  };
  EXPECT_EQ(order(false, ""), (std::vector<std::uint32_t>{2, 1, 3, 0}));
  EXPECT_EQ(order(true, "x > 0"), (std::vector<std::uint32_t>{0, 3}));
}

TEST(QueryTableTest, CellsNameTheirSlices) {
  const auto table =
      table_of({{"slice_id"}}, {{std::int64_t{2}}, {std::int64_t{99}}, {std::monostate()}});
  ASSERT_EQ(table->places[0].size(), 3U);
  EXPECT_TRUE(table->places[0][0].slice);
  EXPECT_EQ(table->places[0][0].begin_ns, 15);
  EXPECT_FALSE(table->places[0][1]);
  EXPECT_FALSE(table->places[0][2]);
}

TEST(QueryTableTest, KeepsSoManyRows) {
  const auto table =
      table_of({{"n"}}, {{std::int64_t{1}}, {std::int64_t{2}}, {std::int64_t{3}}}, 2);
  EXPECT_EQ(table->values->row_count, 2U);
  EXPECT_TRUE(table->more);
}

TEST(QueryTableTest, AColumnCanBeShownOtherwise) {
  const auto table = table_of({{"n"}, {"t"}}, {{std::int64_t{1'500'000}, "x"}});
  EXPECT_EQ(cell(*table, 0, 0), "1 500 000");
  const auto lasts = shown_otherwise(*table, 0, ShownAs::duration);
  ASSERT_NE(lasts, nullptr);
  EXPECT_EQ(cell(*lasts, 0, 0), "1.500 ms");
  EXPECT_EQ(cell(*shown_otherwise(*table, 0, ShownAs::text), 0, 0), "1500000");
  EXPECT_EQ(shown_otherwise(*table, 1, ShownAs::number), nullptr);
  EXPECT_EQ(shown_otherwise(*table, 0, ShownAs::slice), nullptr);
}

TEST(QueryTableTest, SumsUpAColumn) {
  const auto table = table_of(
      {{"n"}}, {{std::int64_t{4}}, {std::monostate()}, {std::int64_t{1}}, {std::int64_t{3}}});
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3};
  const auto summary = summary_of(*table->values, 0, rows);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->count, 3U);
  EXPECT_EQ(summary->sum, 8);
  EXPECT_EQ(summary->median, 3);
  EXPECT_EQ(summary->p99, 4);
  EXPECT_FALSE(summary_of(*table->values, 0, {}));
}

TEST(QueryTableTest, WritesFractionsShort) {
  EXPECT_EQ(real_text(33.333333333), "33.3333");
  EXPECT_EQ(real_text(-0.5), "-0.5");
  EXPECT_EQ(real_text(123456789.4), "123456789");
  EXPECT_EQ(real_text(2), "2");
  EXPECT_EQ(real_text(1e-9), "1e-09");
  EXPECT_EQ(real_text(0), "0");
}

}  // namespace
}  // namespace cinderscope
