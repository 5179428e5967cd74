#include "ingest/sql/grouped/grouped_subqueries.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope {
namespace {

std::string rewritten_subqueries(std::string_view sql) {
  return with_subqueries(sql, grouped_subqueries(sql), "f", 3);
}

TEST(GroupedSubqueriesTest, SubQueriesBecomeColumns) {
  EXPECT_EQ(rewritten_subqueries("SELECT * FROM (SELECT count(*) AS n FROM slice) WHERE n > 5;"),
            "SELECT * FROM (SELECT (+g.a0) AS \"n\" FROM f(3) AS g LIMIT -1) WHERE n > 5;");
  EXPECT_EQ(rewritten_subqueries(
                "WITH a(x) AS (SELECT max(ts) FROM slice), b AS NOT MATERIALIZED (SELECT "
                "min(ts) m FROM slice LIMIT 1) SELECT * FROM a, b"),
            "WITH a(x) AS (SELECT (+g.a0) AS \"max(ts)\" FROM f(3) AS g LIMIT -1), b AS NOT "
            "MATERIALIZED (SELECT (+g.a0) AS \"m\" FROM f(4) AS g LIMIT 1) SELECT * FROM a, b");
  EXPECT_EQ(
      rewritten_subqueries("EXPLAIN SELECT 1 FROM t JOIN (SELECT name FROM slice GROUP BY 1) u"),
      "EXPLAIN SELECT 1 FROM t JOIN (SELECT g.\"name\" FROM f(3) AS g LIMIT -1) u");
  // One within another that has no such form.
  EXPECT_EQ(rewritten_subqueries("SELECT * FROM (SELECT n, 1 FROM (SELECT count(*) n FROM slice))"),
            "SELECT * FROM (SELECT n, 1 FROM (SELECT (+g.a0) AS \"n\" FROM f(3) AS g LIMIT -1))");
}

TEST(GroupedSubqueriesTest, LeaveEverythingElse) {
  for (const char* text :
       {"SELECT * FROM (SELECT count(*) FROM slice UNION ALL SELECT 1)",
        "SELECT * FROM (SELECT count(*) FROM slice",
        "WITH slice AS (SELECT 1 AS dur) SELECT * FROM (SELECT sum(dur) FROM slice)",
        "WITH \"thread_slice\"(dur) AS (VALUES (1)) SELECT * FROM (SELECT sum(dur) FROM slice)",
        "WITH slice AS MATERIALIZED (SELECT 1) SELECT * FROM (SELECT count(*) FROM slice)",
        "CREATE TEMP VIEW v AS SELECT * FROM (SELECT count(*) FROM slice)",
        "CREATE TEMP TABLE v AS SELECT * FROM (SELECT count(*) FROM slice)",
        "SELECT (SELECT count(*) FROM slice)", "SELECT 1 WHERE EXISTS (SELECT count(*) FROM slice)",
        "SELECT ?, * FROM (SELECT count(*) FROM slice)",
        "SELECT 'open, * FROM (SELECT count(*) FROM slice)"}) {
    EXPECT_TRUE(grouped_subqueries(text).empty()) << text;
  }
}

}  // namespace
}  // namespace cinderscope
