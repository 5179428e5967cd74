#include "render/tables/value_table.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

class ValueTableTest : public testing::Test {
 protected:
  ValueTableTest() {
    table_.row_count = 4;
    table_.columns = {
        {.name = "Call", .texts = texts({"GET /a", "POST /b", "get /c", "DELETE, /d"})},
        {.name = "Duration",
         .kind = CellKind::duration,
         .numbers = {5'000'000, 20'000'000, 1, kNoNumber}},
        {.name = "Files read", .unit = "bytes", .kind = CellKind::number, .numbers = {3, 1, 2, 4}},
        {.name = "Files written",
         .unit = "bytes",
         .kind = CellKind::number,
         .numbers = {0, 0, -7, kNoNumber}}};
  }
  std::vector<StringId> texts(std::vector<std::string_view> all) {
    std::vector<StringId> ids;
    for (const std::string_view text : all) ids.push_back(table_.strings->intern(text));
    return ids;
  }
  std::vector<std::uint32_t> rows(const std::string& filter, std::size_t column = 9,
                                  bool descending = false) {
    const Result<ValueFilter> taken = value_filter(table_, filter);
    EXPECT_TRUE(taken) << filter;
    if (!taken) return {};
    return rows_in_order(table_, {.column = column, .descending = descending}, *taken);
  }
  std::string problem(const std::string& filter) {
    const Result<ValueFilter> taken = value_filter(table_, filter);
    return taken ? "" : taken.error().text;
  }

  using Rows = std::vector<std::uint32_t>;
  ValueTable table_;
};

TEST_F(ValueTableTest, SortsByNumbersAndByTexts) {
  EXPECT_EQ(rows("", 2), (Rows{1, 2, 0, 3}));
  EXPECT_EQ(rows("", 2, true), (Rows{3, 0, 2, 1}));
  EXPECT_EQ(rows("", 0), (Rows{3, 0, 1, 2}));
  EXPECT_EQ(rows("", 0, true), (Rows{2, 1, 0, 3}));
  EXPECT_EQ(rows("", 3), (Rows{3, 2, 0, 1}));  // equal ones as they come; none is the least
}

TEST_F(ValueTableTest, AClickOnAHeadSortsNumbersFromTheLargestAndTextsFromA) {
  const ValueOrder by_call = sorted_by(table_, {.column = 2}, 0);
  EXPECT_EQ(by_call, (ValueOrder{.column = 0, .descending = false}));
  const ValueOrder by_number = sorted_by(table_, by_call, 2);
  EXPECT_TRUE(by_number.descending);
  EXPECT_FALSE(sorted_by(table_, by_number, 2).descending);
}

TEST_F(ValueTableTest, ShowsRowsThatHaveAllWordsInSomeText) {
  EXPECT_EQ(rows("get"), (Rows{0, 2}));
  EXPECT_EQ(rows("GET /A"), (Rows{0}));
  EXPECT_EQ(rows("nothing"), Rows{});
}

TEST_F(ValueTableTest, ComparesValuesByTheNameOfTheirColumn) {
  EXPECT_EQ(rows("duration > 5ms"), (Rows{1}));
  EXPECT_EQ(rows("duration>=5ms"), (Rows{0, 1}));
  EXPECT_EQ(rows("dur<1us"), (Rows{2}));
  EXPECT_EQ(rows("files_read > 2"), (Rows{0, 3}));
  EXPECT_EQ(rows("filesread=2"), (Rows{2}));
  EXPECT_EQ(rows("fileswritten < 0"), (Rows{2}));  // a row without the value is not shown
  EXPECT_EQ(rows("call = get duration > 1ms"), (Rows{0}));
}

TEST_F(ValueTableTest, SaysWhatOfAFilterCannotBeMeant) {
  EXPECT_EQ(problem("files > 3"), "There is no column \"files\".");  // two begin so
  EXPECT_EQ(problem("size > 3"), "There is no column \"size\".");
  EXPECT_EQ(problem("duration > soon"), "Duration is compared with a time, e.g. 5ms");
  EXPECT_EQ(problem("filesread > x"), "Files read is compared with a number");
}

TEST_F(ValueTableTest, WhatIsStillBeingTypedFiltersNothing) {
  EXPECT_EQ(rows("duration >").size(), 4u);
  EXPECT_EQ(rows("> 3").size(), 0u);  // no name before it: words that no row has
}

TEST_F(ValueTableTest, WritesCsvWithQuotesWhereTheyMustBe) {
  EXPECT_EQ(table_text(table_, Rows{3, 0}, TableText::csv),
            "Call,Duration,Files read (bytes),Files written (bytes)\r\n"
            "\"DELETE, /d\",,4,\r\n"
            "GET /a,5000000,3,0\r\n");
}

TEST_F(ValueTableTest, AnEmptyTableHasNoRowsInAnyOrder) {
  const ValueTable empty;
  EXPECT_EQ(rows_in_order(empty, {}, {}), Rows{});
  EXPECT_EQ(table_text(empty, {}, TableText::tsv), "");
}

}  // namespace
}  // namespace cinderscope
