#include "ingest/part/table_text.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

// A row of a text, a number and nothing.
std::string row(TableForm form, std::string_view text) {
  std::string out;
  TableWriter writer(out, form, {{.key = "name"}, {.key = "n", .numbers = true}, {.key = "no"}});
  writer.text(text);
  writer.number(-7);
  writer.null();
  return out;
}

TEST(TableTextTest, CsvIsQuotedWhereItMustBe) {
  const auto csv = [](std::string_view text) { return row({}, text); };
  EXPECT_EQ(csv("plain text"), "plain text,-7,\n");
  EXPECT_EQ(csv("a,b"), "\"a,b\",-7,\n");
  EXPECT_EQ(csv("say \"x\""), "\"say \"\"x\"\"\",-7,\n");
  EXPECT_EQ(csv("two\nlines\r"), "\"two\nlines\r\",-7,\n");
  EXPECT_EQ(csv("back\\slash\t"), "back\\slash\t,-7,\n");
  EXPECT_EQ(csv("ä\xff"), "ä\xEF\xBF\xBD,-7,\n");
}

TEST(TableTextTest, AnEmptyTextOfACsvIsNotTheSameAsNoValue) {
  EXPECT_EQ(row({}, ""), "\"\",-7,\n");
}

TEST(TableTextTest, InTsvTabsAndLineBreaksBecomeBlanks) {
  EXPECT_EQ(row({.text = TableText::tsv}, "a\tb\r\nc\"d,"), "a b  c\"d,\t-7\t\n");
}

TEST(TableTextTest, NoTextBecomesAFormulaInASpreadsheet) {
  for (const std::string text : {"=1+1", "+1", "-1", "@x"}) {
    EXPECT_EQ(row({.spreadsheet = true}, text), "'" + text + ",-7,\n");
    EXPECT_EQ(row({.text = TableText::tsv, .spreadsheet = true}, text), "'" + text + "\t-7\t\n");
    EXPECT_EQ(row({}, text), text + ",-7,\n");
  }
  EXPECT_EQ(row({.spreadsheet = true}, "\t=1"), "'\t=1,-7,\n");
  EXPECT_EQ(row({.spreadsheet = true}, "\r=1"), "\"'\r=1\",-7,\n");
  EXPECT_EQ(row({.spreadsheet = true}, "=a,b"), "\"'=a,b\",-7,\n");
  EXPECT_EQ(row({.text = TableText::json_lines, .spreadsheet = true}, "=1"),
            "{\"name\":\"=1\",\"n\":-7,\"no\":null}\n");
}

TEST(TableTextTest, HeadsAreTextsToo) {
  std::string out;
  TableWriter writer(out, {.spreadsheet = true}, {{.key = "=1,2"}, {.key = "b"}});
  writer.head();
  EXPECT_EQ(out, "\"'=1,2\",b\n");
}

TEST(TableTextTest, JsonLinesAreObjectsOfARow) {
  const TableForm form{.text = TableText::json_lines};
  EXPECT_EQ(row(form, "a,b"), "{\"name\":\"a,b\",\"n\":-7,\"no\":null}\n");
  EXPECT_EQ(row(form, "\"\\\n"), "{\"name\":\"\\\"\\\\\\n\",\"n\":-7,\"no\":null}\n");
  EXPECT_EQ(row(form, ""), "{\"name\":\"\",\"n\":-7,\"no\":null}\n");
  std::string out;
  TableWriter writer(out, form, {{.key = "big"}, {.key = "part"}});
  writer.head();
  writer.count(UINT64_MAX);
  writer.decimal("0.25");
  EXPECT_EQ(out, "{\"big\":18446744073709551615,\"part\":0.25}\n");
}

TEST(TableTextTest, MarkdownIsAPipeTableWithNumbersToTheRight) {
  std::string out;
  TableWriter writer(
      out, {.text = TableText::markdown},
      {{.key = "name", .title = "Name"}, {.key = "n", .title = "N", .numbers = true}});
  writer.head();
  writer.shown("a|b\n<c> *d*");
  writer.shown("5.000 ms");
  EXPECT_EQ(out,
            "| Name | N |\n"
            "|---|--:|\n"
            "| a\\|b \\<c\\> \\*d\\* | 5.000 ms |\n");
}

TEST(TableTextTest, TheEndingOfAPathSaysTheForm) {
  EXPECT_EQ(table_text_of("a.csv"), TableText::csv);
  EXPECT_EQ(table_text_of("a.tsv"), TableText::tsv);
  EXPECT_EQ(table_text_of("a.md"), TableText::markdown);
  EXPECT_EQ(table_text_of("a.jsonl"), TableText::json_lines);
  EXPECT_EQ(table_text_of("a.txt"), std::nullopt);
}

}  // namespace
}  // namespace cinderscope
