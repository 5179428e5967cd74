#include "render/tables/taken_table.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

class TakenTableTest : public testing::Test {
 protected:
  TakenTableTest() {
    const auto strings = std::make_shared<StringPool>();
    table_->strings = strings;
    table_->row_count = 2;
    table_->columns = {
        {.head = {.title = "Call", .if_empty = "(no name)"},
         .texts = {strings->intern("a.B.run(), \"x\"", "B.run", 1), kEmptyString}},
        {.head = {.title = "Files read", .unit = "bytes", .kind = CellKind::number},
         .numbers = {12'345, kNoNumber}},
        {.head = {.title = "Total", .key = "total", .kind = CellKind::duration},
         .numbers = {5'000'000, 1}},
        {.head = {.title = "Share", .kind = CellKind::percent}, .numbers = {1, 3}, .whole = 8},
        {.head = {.title = "Unfinished", .kind = CellKind::number, .hidden = true},
         .numbers = {0, 4}}};
    finish_columns(*table_);
  }
  std::string text(TableText form) {
    return *table_to_copy(taken_table("calls", table_, {1, 0}, form), {.text = form});
  }

  std::shared_ptr<ValueTable> table_ = std::make_shared<ValueTable>();
};

TakenTable numbers(std::uint64_t rows) {
  return {.word = "numbers",
          .columns = {{.key = "n"}},
          .row_count = rows,
          .write_row = [](std::uint64_t row, TableWriter& out) { out.count(row); }};
}

TEST_F(TakenTableTest, CsvHasRawNumbersInTheOrderOfTheRows) {
  EXPECT_EQ(text(TableText::csv),
            "call,files read,total,share,unfinished\n"
            "(no name),,1,37.50,4\n"
            "\"a.B.run(), \"\"x\"\"\",12345,5000000,12.50,0\n");
}

TEST_F(TakenTableTest, JsonLinesHaveTheSameColumns) {
  EXPECT_EQ(text(TableText::json_lines),
            "{\"call\":\"(no name)\",\"files read\":null,\"total\":1,\"share\":37.50,"
            "\"unfinished\":4}\n"
            "{\"call\":\"a.B.run(), \\\"x\\\"\",\"files read\":12345,\"total\":5000000,"
            "\"share\":12.50,\"unfinished\":0}\n");
}

TEST_F(TakenTableTest, MarkdownIsWhatTheScreenShows) {
  EXPECT_EQ(text(TableText::markdown),
            "| Call | Files read | Total | Share |\n"
            "|---|--:|--:|--:|\n"
            "| (no name) |  | 0.000 001 ms | 37.5 % |\n"
            "| B.run | 12 345 | 5.000 ms | 12.5 % |\n");
}

TEST_F(TakenTableTest, ATableWithoutColumnsHasNoText) {
  const TakenTable nothing =
      taken_table("calls", std::make_shared<ValueTable>(), {}, TableText::csv);
  EXPECT_EQ(*table_to_copy(nothing, {}), "");
}

TEST_F(TakenTableTest, MarkdownEndsAfterAThousandRowsAndSaysSo) {
  const TableForm form{.text = TableText::markdown};
  const std::string whole = *table_to_copy(numbers(1000), form);
  EXPECT_TRUE(whole.ends_with("| 999 |\n"));
  const std::string cut = *table_to_copy(numbers(1001), form);
  EXPECT_EQ(cut.find("| 1000 |"), std::string::npos);
  EXPECT_NE(cut.find("\nThe first 1"), std::string::npos);
}

TEST_F(TakenTableTest, TooMuchToCopyIsRefused) {
  const Result<std::string> copied = table_to_copy(numbers(1'000'000), {}, 2'000'000);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().text, "More than 2 MB cannot be copied. Save… can take all " +
                                     count_text(1'000'000) + " rows.");
  EXPECT_TRUE(table_to_copy(numbers(1'000'000), {}));
}

TEST_F(TakenTableTest, IsHandedOverInPiecesUntilNoMoreAreWanted) {
  std::size_t pieces = 0;
  EXPECT_TRUE(write_table(numbers(500'000), {}, [&](std::string_view) { return ++pieces > 0; }));
  EXPECT_GT(pieces, 2u);
  pieces = 0;
  EXPECT_FALSE(write_table(numbers(500'000), {}, [&](std::string_view) { return ++pieces < 2; }));
  EXPECT_EQ(pieces, 2u);
}

}  // namespace
}  // namespace cinderscope
