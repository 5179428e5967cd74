#include "formats/qubership/text/filled_sql.h"

#include <gtest/gtest.h>

namespace cinderscope::qubership {
namespace {

std::string filled(std::string_view sql, std::string_view binds) {
  return filled_sql(sql, binds).text;
}

TEST(FilledSqlTest, PutsValuesInOneByOne) {
  EXPECT_EQ(filled("select '?' from t where a = ? and b = ? and c = ? -- ?",
                   "INT: a: 7\nTEXT: b: it's: 1\nINT: c: null\n"),
            "select '?' from t where a = 7 and b = 'it''s: 1' and c = NULL -- ?");
}

TEST(FilledSqlTest, QuotesAllThatIsNoNumber) {
  EXPECT_EQ(filled("?, ?, ?, ?",
                   "TEXT: a: 12\nDOUBLE: b: -1.5E10\nDATE: c: 2024-01-02\n"
                   "BOOLEAN: d: true\n"),
            "'12', -1.5E10, '2024-01-02', true");
  EXPECT_EQ(filled("?, ?", "nvarchar2: a: 1\nINET: b: 10.0.0.1"), "'1', '10.0.0.1'");
}

TEST(FilledSqlTest, AValueMayHaveSeveralLines) {
  EXPECT_EQ(filled("a = ? and b = ?", "TEXT: a: one\ntwo\n\nINT: b: 2\n"),
            "a = 'one\ntwo\n' and b = 2");
}

TEST(FilledSqlTest, NumbersSayWhichValue) {
  EXPECT_EQ(filled("$2::text, $1, x$1, $2", "INT: a: 1\nINT: b: 2"), "2::text, 1, x$1, 2");
  EXPECT_EQ(filled(":1 ':2' :10", "INT: a: 1\nINT: b: 2\n"), "");
}

TEST(FilledSqlTest, NamesSayWhichValue) {
  EXPECT_EQ(filled("a = :Id and b = :kind or :id > 0", "TEXT: kind: x\nINT: id: 7\n"),
            "a = 7 and b = 'x' or 7 > 0");
  EXPECT_EQ(filled("a = :id", "INT: other: 7"), "");
  EXPECT_EQ(filled("a = :id or b = :id", "INT: id: 7\nINT: id: 8"), "");
}

TEST(FilledSqlTest, CastsAndPartsOfArraysAreNoPlaceholders) {
  EXPECT_EQ(filled("a::int, b[1:3], c := 1, ?", "INT: a: 7"), "a::int, b[1:3], c := 1, 7");
}

TEST(FilledSqlTest, AStatementThatBecomesVeryLongIsNotCut) {
  std::string sql;
  for (int i = 0; i < 20; ++i) sql += ":1, ";
  const std::string value(std::size_t{1} << 20, 'x');
  EXPECT_EQ(filled(sql.substr(0, 4), "TEXT: a: " + value), "'" + value + "', ");
  EXPECT_FALSE(filled_sql(sql, "TEXT: a: " + value).fits());
}

TEST(FilledSqlTest, NothingIsPutInWhereCountsDiffer) {
  const FilledSql few = filled_sql("a = ? and b = ?", "INT: a: 7\n");
  EXPECT_FALSE(few.fits());
  EXPECT_EQ(few.placeholders, 2u);
  EXPECT_EQ(few.values, 1u);
  EXPECT_FALSE(filled_sql("a = ?", "INT: a: 7\nINT: b: 8\n").fits());
  EXPECT_FALSE(filled_sql("a = $1", "INT: a: 7\nINT: b: 8\n").fits());
  EXPECT_FALSE(filled_sql("a = $1 and b = ?", "INT: a: 7\nINT: b: 8\n").fits());
  EXPECT_FALSE(filled_sql("a = :0", "INT: a: 7\n").fits());
  EXPECT_FALSE(filled_sql("a = ?", "nothing of that kind").fits());
  EXPECT_FALSE(filled_sql("a = 1", "").fits());
  EXPECT_FALSE(filled_sql("", "INT: a: 7").fits());
}

}  // namespace
}  // namespace cinderscope::qubership
