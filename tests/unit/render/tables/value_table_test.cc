#include "render/tables/value_table.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

class ValueTableTest : public testing::Test {
 protected:
  ValueTableTest() {
    const auto strings = std::make_shared<StringPool>();
    table_.strings = strings;
    table_.row_count = 2;
    table_.columns = {
        {.head = {.title = "Call", .if_empty = "(no name)"},
         .texts = {strings->intern("a.B.run(), \"x\"", "B.run", 1), kEmptyString}},
        {.head = {.title = "Files read", .unit = "bytes", .kind = CellKind::number},
         .numbers = {12'345, kNoNumber}},
        {.head = {.title = "Total", .key = "total", .kind = CellKind::duration},
         .numbers = {5'000'000, 1}},
        {.head = {.title = "Share", .kind = CellKind::percent}, .numbers = {1, 3}, .whole = 8},
        {.head = {.title = "User"}, .texts = {strings->intern("x"), kEmptyString}}};
  }
  std::string cell(std::size_t column, std::uint32_t row) {
    return cell_text(table_, table_.columns[column], row, {});
  }
  ValueTable table_;
};

TEST_F(ValueTableTest, CellsAreWrittenForPeople) {
  EXPECT_EQ(cell(0, 0), "B.run");
  EXPECT_EQ(cell(0, 1), "(no name)");
  EXPECT_EQ(cell(1, 0), signed_count_text(12'345));
  EXPECT_EQ(cell(1, 1), "");
  finish_columns(table_);  // the durations of a column have one unit
  EXPECT_EQ(cell(2, 0), "5.000 ms");
  EXPECT_EQ(cell(2, 1), "0.000 001 ms");
  EXPECT_EQ(cell(3, 1), "37.5 %");
  table_.columns[2].pending = true;
  EXPECT_EQ(cell(2, 0), "…");
}

TEST_F(ValueTableTest, ColumnsAreFoundByKeyTitleOrItsBeginning) {
  EXPECT_EQ(column_named(table_, "total"), 2u);
  EXPECT_EQ(column_named(table_, "files_READ"), 1u);
  EXPECT_EQ(column_named(table_, "sh"), 3u);
  EXPECT_EQ(column_named(table_, "size"), std::nullopt);
  EXPECT_EQ(column_named(table_, ""), std::nullopt);
}

TEST_F(ValueTableTest, SharesOfNothingAreZero) {
  table_.columns[3].whole = 0;
  EXPECT_EQ(percent_in(table_.columns[3], 0), 0);
}

}  // namespace
}  // namespace cinderscope
