#include "formats/qubership/text/sql_text.h"

#include <gtest/gtest.h>

namespace cinderscope::qubership {
namespace {

TEST(SqlTextTest, PutsEachClauseOnALine) {
  EXPECT_EQ(formatted_sql("select a,  b from t  left join u on t.id = u.id where x = 1 and y in "
                          "(select z from v where q = 1 and r = 2) ORDER  BY a"),
            "select a, b\nfrom t\nleft join u\n  on t.id = u.id\nwhere x = 1\n  and y in "
            "(select z from v where q = 1 and r = 2)\nORDER  BY a");
}

TEST(SqlTextTest, LeavesTextsNamesAndCommentsAlone) {
  EXPECT_EQ(formatted_sql("select 'a from b' \"x where\" /* and */ from fromage, t.from_date"),
            "select 'a from b' \"x where\" /* and */\nfrom fromage, t.from_date");
  EXPECT_EQ(formatted_sql("select 'open from"), "select 'open from");
  EXPECT_EQ(formatted_sql(""), "");
  EXPECT_EQ(formatted_sql(")) from"), "))\nfrom");
}

TEST(SqlTextTest, StatementsThatDifferInTheirValuesHaveOneShape) {
  const std::string shape = sql_shape("select a from t1 where id = 7 and b = 'it''s'");
  EXPECT_EQ(shape, "select a from t1 where id = ? and b = ?");
  EXPECT_EQ(sql_shape("select a from t1 -- note\n where id = ?  and b = ?"), shape);
  EXPECT_EQ(sql_shape("f(1, 2.5e3,  'x', ?)"), "f(?)");
  EXPECT_EQ(sql_shape("f(a, 1), b"), "f(a, ?), b");
  EXPECT_EQ(sql_shape("select \"a 1\", x2 /* 3 */"), "select \"a 1\", x2");
  EXPECT_EQ(sql_shape(""), "");
  EXPECT_EQ(sql_shape("'open"), "?");
}

}  // namespace
}  // namespace cinderscope::qubership
