#include "ingest/sql/grouped/grouped_statement.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cinderscope {
namespace {

std::string rewritten(std::string_view sql) {
  const auto statement = grouped_statement(sql);
  return statement ? statement->rewritten("groups", 7) : "as it is";
}

TEST(GroupedStatementTest, KeysAndAggregatesBecomeColumns) {
  EXPECT_EQ(rewritten("SELECT name, count(*), sum(dur) FROM slice GROUP BY name"),
            "SELECT g.\"name\", (+g.a0) AS \"count(*)\", (+g.a1) AS \"sum(dur)\" "
            "FROM groups(7) AS g");
  EXPECT_EQ(
      rewritten("select NAME, round(total(s.dur)/1e6, 2) ms from slice AS s group by 1 -- by name\n"
                "having count() >= 10 order by ms desc, name limit 20 offset :n;"),
      "SELECT g.\"name\", round ( (+g.a0) / 1e6 , 2 ) AS \"ms\" FROM groups(7) AS g "
      "WHERE (+g.a1) >= 10 ORDER BY 2 desc, g.\"name\" LIMIT 20 offset :n");
}

TEST(GroupedStatementTest, ConditionsAreComparisonsWithConstants) {
  const auto statement = grouped_statement(
      "SELECT count(*) FROM thread_slice t WHERE (dur > 16*1000000 AND t.name LIKE '%x''y%') AND "
      "ts BETWEEN range_begin() AND :to AND depth IN (1, 2) AND 5 <= self_dur AND thread_name <> "
      "'a'");
  ASSERT_TRUE(statement);
  EXPECT_EQ(statement->constants,
            (std::vector<std::string>{"16 * 1000000", "'%x''y%'", "range_begin ( )", ":to", "1",
                                      "2", "5", "'a'"}));
  const std::vector<GroupedTest> tests = {
      {SliceColumn::dur, TestKind::greater, false, {0}},
      {SliceColumn::name, TestKind::like, false, {1}},
      {SliceColumn::ts, TestKind::between, false, {2, 3}},
      {SliceColumn::depth, TestKind::in, false, {4, 5}},
      {SliceColumn::self_dur, TestKind::greater_equal, false, {6}},
      {SliceColumn::thread_name, TestKind::equal, true, {7}},
  };
  EXPECT_EQ(statement->query.tests, tests);
  EXPECT_EQ(
      statement->rewritten("f", 0),
      "SELECT (+g.a0) AS \"count(*)\" FROM f(0, 16 * 1000000, '%x''y%', range_begin ( ), :to, "
      "1, 2, 5, 'a') AS g");
}

TEST(GroupedStatementTest, NamesMeanColumnsBeforeResults) {
  // Alone in ORDER BY a result comes first.
  EXPECT_EQ(rewritten("SELECT name, sum(dur) AS dur FROM slice GROUP BY name ORDER BY dur DESC"),
            "SELECT g.\"name\", (+g.a0) AS \"dur\" FROM groups(7) AS g ORDER BY 2 DESC");
  EXPECT_EQ(rewritten("SELECT name, sum(dur) AS dur FROM slice GROUP BY name ORDER BY -dur"),
            "as it is");
  EXPECT_EQ(rewritten("SELECT name, sum(dur) AS all_of FROM slice GROUP BY name HAVING all_of > 5"),
            "SELECT g.\"name\", (+g.a0) AS \"all_of\" FROM groups(7) AS g WHERE ((+g.a0)) > 5");
  EXPECT_EQ(rewritten("SELECT upper(name) AS name, count(*) FROM slice GROUP BY name"),
            "SELECT upper ( g.\"name\" ) AS \"name\", (+g.a0) AS \"count(*)\" "
            "FROM groups(7) AS g");
  EXPECT_EQ(rewritten("SELECT thread_id AS t, count(*) FROM slice GROUP BY t"),
            "SELECT g.\"thread_id\" AS \"t\", (+g.a0) AS \"count(*)\" FROM groups(7) AS g");
}

TEST(GroupedStatementTest, IsExplainedAsItIsWrittenAnew) {
  EXPECT_EQ(rewritten("EXPLAIN QUERY PLAN SELECT count(*) FROM slice"),
            "EXPLAIN QUERY PLAN SELECT (+g.a0) AS \"count(*)\" FROM groups(7) AS g");
  EXPECT_EQ(rewritten("explain SELECT count(*) n FROM slice"),
            "explain SELECT (+g.a0) AS \"n\" FROM groups(7) AS g");
}

TEST(GroupedStatementTest, ReadsTheFirstStatement) {
  const std::string_view text = "SELECT count(*) FROM slice ; SELECT 'no end";
  const auto statement = grouped_statement(text);
  ASSERT_TRUE(statement);
  EXPECT_EQ(text.substr(0, statement->length), "SELECT count(*) FROM slice ;");
}

TEST(GroupedStatementTest, LeavesEverythingElseToSqlite) {
  for (const std::string_view sql : {
           "",
           ";",
           "SELECT name FROM slice",
           "SELECT * FROM slice GROUP BY name",
           "SELECT DISTINCT name, count(*) FROM slice GROUP BY name",
           "SELECT name, dur, count(*) FROM slice GROUP BY name",
           "SELECT name, max(dur, 5) FROM slice GROUP BY name",
           "SELECT thread_name, count(*) FROM slice GROUP BY thread_name",
           "SELECT name, group_concat(name) FROM slice GROUP BY name",
           "SELECT name, stddev(depth) FROM slice GROUP BY name, depth",
           "SELECT count(*) FILTER (WHERE dur > 5) FROM slice",
           "SELECT count(*) OVER () FROM slice",
           "SELECT count(DISTINCT name) FROM slice",
           "SELECT count(*) FROM slice, thread",
           "SELECT count(*) FROM slice JOIN thread USING (thread_id)",
           "SELECT count(*) FROM async_slice",
           "SELECT count(*) FROM main.slice",
           "SELECT count(*) FROM slice WHERE dur > 5 OR dur < 2",
           "SELECT count(*) FROM slice WHERE dur > ts",
           "SELECT count(*) FROM slice WHERE dur > (SELECT 5)",
           "SELECT count(*) FROM slice WHERE dur > CAST('5' AS TEXT)",
           "SELECT count(*) FROM slice WHERE name = 'a' COLLATE NOCASE",
           "SELECT count(*) FROM slice WHERE name = \"a\"",
           "SELECT count(*) FROM slice WHERE dur LIKE '5%'",
           "SELECT count(*) FROM slice WHERE dur IN ()",
           "SELECT count(*) FROM slice WHERE dur > ?",
           "SELECT count(*) FROM slice WHERE x.dur > 5",
           "SELECT count(*) FROM slice HAVING count(*) > 5",
           "SELECT count(*) FROM slice UNION SELECT 5",
           "SELECT name, count(*) FROM slice GROUP BY name, upper(name)",
           "SELECT name, count(*) FROM slice GROUP BY 3",
           "SELECT name, random() FROM slice GROUP BY name",
           "SELECT name, (SELECT 5) FROM slice GROUP BY name",
           "SELECT sum(dur * 2) FROM slice",
           "SELECT covered(ts, self_dur) FROM slice",
           "WITH a AS (SELECT 5) SELECT count(*) FROM slice",
           "EXPLAIN",
           "EXPLAIN SELECT name FROM slice",
           "SELECT count(*) FROM slice WHERE name = 'a",
           "SELECT count(*)) FROM slice",
           "SELECT count((*) FROM slice",
           "SELECT count(*), FROM slice",
       }) {
    EXPECT_EQ(rewritten(sql), "as it is") << sql;
  }
}

TEST(GroupedStatementTest, KnowsWhatStatisticsAnswer) {
  EXPECT_TRUE(groups_slices_by_name("SELECT name, group_concat(dur) FROM slice GROUP BY name"));
  EXPECT_TRUE(
      groups_slices_by_name("SELECT s.name, sum(dur*2) FROM thread t JOIN slice s USING "
                            "(thread_id) GROUP BY s.name LIMIT 5"));
  EXPECT_FALSE(groups_slices_by_name("SELECT name FROM slice GROUP BY name, depth"));
  EXPECT_FALSE(groups_slices_by_name("SELECT name FROM flow GROUP BY name"));
  EXPECT_FALSE(groups_slices_by_name("SELECT name FROM slice GROUP BY"));
}

// A text that ends anywhere is read without trouble.
TEST(GroupedStatementTest, ReadsAnyBeginning) {
  const std::string sql =
      "SELECT name AS \"a\", covered(ts, dur), percentile(dur, 50), median(ts_end) FROM slice s "
      "WHERE s.name NOT IN ('a', x'41', 0x1f) AND ts NOT BETWEEN 1 AND 2.5e-3 /* so */ GROUP BY "
      "name, [depth], `track_id` HAVING min(a, 5) ORDER BY 1 COLLATE nocase, a NULLS LAST LIMIT 5";
  EXPECT_TRUE(grouped_statement(sql));
  for (std::size_t size = 0; size < sql.size(); ++size) {
    (void)grouped_statement(std::string_view(sql).substr(0, size));
    (void)grouped_statement(std::string_view(sql).substr(size));
  }
}

}  // namespace
}  // namespace cinderscope
