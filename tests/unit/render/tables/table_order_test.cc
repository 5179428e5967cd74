#include "render/tables/table_order.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

class TableOrderTest : public testing::Test {
 protected:
  TableOrderTest() {
    table_.strings = strings_;
    table_.row_count = 4;
    table_.columns = {
        {.head = {.title = "Call"}, .texts = texts({"GET /a", "POST /b", "get /c", "DELETE, /d"})},
        {.head = {.title = "Duration", .kind = CellKind::duration},
         .numbers = {5'000'000, 20'000'000, 1, kNoNumber}},
        {.head = {.title = "Files read", .unit = "bytes", .kind = CellKind::number},
         .numbers = {3, 1, 2, 4}},
        {.head = {.title = "Files written", .unit = "bytes", .kind = CellKind::number},
         .numbers = {0, 0, -7, kNoNumber}}};
  }
  std::vector<StringId> texts(std::vector<std::string_view> all) {
    std::vector<StringId> ids;
    for (const std::string_view text : all) ids.push_back(strings_->intern(text));
    return ids;
  }
  std::vector<std::uint32_t> rows(const std::string& filter, std::size_t column = 9,
                                  bool descending = false) {
    const Result<TableFilter> taken = parse_filter(table_, filter);
    EXPECT_TRUE(taken) << filter;
    if (!taken) return {};
    return rows_in_order(table_, {.column = column, .descending = descending}, *taken);
  }
  std::string problem(const std::string& filter) {
    const Result<TableFilter> taken = parse_filter(table_, filter);
    return taken ? "" : taken.error().text;
  }

  using Rows = std::vector<std::uint32_t>;
  std::shared_ptr<StringPool> strings_ = std::make_shared<StringPool>();
  ValueTable table_;
};

TEST_F(TableOrderTest, SortsByNumbersAndByTexts) {
  EXPECT_EQ(rows("", 2), (Rows{1, 2, 0, 3}));
  EXPECT_EQ(rows("", 2, true), (Rows{3, 0, 2, 1}));
  EXPECT_EQ(rows("", 0), (Rows{3, 0, 1, 2}));
  EXPECT_EQ(rows("", 0, true), (Rows{2, 1, 0, 3}));
  EXPECT_EQ(rows("", 3), (Rows{3, 2, 0, 1}));  // none is the least
}

TEST_F(TableOrderTest, AClickOnAHeadSortsNumbersFromTheLargestAndTextsFromA) {
  const TableOrder by_call = sorted_by({.column = 2}, 0, CellKind::text);
  EXPECT_EQ(by_call, (TableOrder{.column = 0, .descending = false}));
  const TableOrder by_number = sorted_by(by_call, 2, CellKind::number);
  EXPECT_TRUE(by_number.descending);
  EXPECT_FALSE(sorted_by(by_number, 2, CellKind::number).descending);
}

TEST_F(TableOrderTest, ShowsRowsThatHaveAllWordsInSomeText) {
  EXPECT_EQ(rows("get"), (Rows{0, 2}));
  EXPECT_EQ(rows("GET /A"), (Rows{0}));
  EXPECT_EQ(rows("nothing"), Rows{});
}

TEST_F(TableOrderTest, ComparesValuesByTheNameOfTheirColumn) {
  EXPECT_EQ(rows("duration > 5ms"), (Rows{1}));
  EXPECT_EQ(rows("duration>=5ms"), (Rows{0, 1}));
  EXPECT_EQ(rows("dur<1us"), (Rows{2}));
  EXPECT_EQ(rows("files_read > 2"), (Rows{0, 3}));
  EXPECT_EQ(rows("filesread=2"), (Rows{2}));
  EXPECT_EQ(rows("fileswritten < 0"), (Rows{2}));  // a row without the value is not shown
  EXPECT_EQ(rows("call = get duration > 1ms"), (Rows{0}));
}

TEST_F(TableOrderTest, SaysWhatOfAFilterCannotBeMeant) {
  EXPECT_EQ(problem("files > 3"), "There is no column \"files\".");  // two begin so
  EXPECT_EQ(problem("size > 3"), "There is no column \"size\".");
  EXPECT_EQ(problem("duration > soon"), "Duration is compared with a time, e.g. 5ms");
  EXPECT_EQ(problem("filesread > x"), "Files read is compared with a number");
}

TEST_F(TableOrderTest, WhatIsStillBeingTypedFiltersNothing) {
  EXPECT_EQ(rows("duration >").size(), 4u);
  EXPECT_EQ(rows("> 3").size(), 0u);  // no name before it: words that no row has
}

TEST_F(TableOrderTest, AFilterThatIsOneTextComparesNothing) {
  EXPECT_EQ(rows_in_order(table_, {.column = 9}, filter_by_text("GET /")), (Rows{0, 2}));
  EXPECT_EQ(rows_in_order(table_, {.column = 9}, filter_by_text("duration > 5ms")), Rows{});
  EXPECT_EQ(rows_in_order(table_, {.column = 9}, filter_by_text("")).size(), 4u);
}

TEST_F(TableOrderTest, LooksForWordsInLabelsToo) {
  table_.columns[0].texts[3] = strings_->intern("a.b.C.run()", "C.run", 1);
  EXPECT_EQ(rows("a.b.c"), Rows{3});
  EXPECT_EQ(rows("c.run"), Rows{3});
}

TEST_F(TableOrderTest, EqualNumbersAreSortedByTheFirstText) {
  table_.columns[2].numbers = {1, 1, 1, 1};
  EXPECT_EQ(rows("", 2), (Rows{3, 0, 1, 2}));
  EXPECT_EQ(rows("", 2, true), (Rows{3, 0, 1, 2}));
}

TEST_F(TableOrderTest, AnEmptyTableHasNoRowsInAnyOrder) {
  EXPECT_EQ(rows_in_order(ValueTable{}, {}, {}), Rows{});
}

}  // namespace
}  // namespace cinderscope
