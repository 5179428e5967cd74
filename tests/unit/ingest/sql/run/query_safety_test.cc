#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "ingest/build/timeline_builder.h"
#include "tests/support/queries.h"

namespace cinderscope {
namespace {

using test::line_of;
using test::LineSink;

QueryDatabase some_database() {
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  for (int i = 0; i < 20'000; ++i) {
    writer.complete(i * 2, i % 7, builder.intern("n" + std::to_string(i % 7)),
                    static_cast<RecordOffset>(i));
  }
  return QueryDatabase({test::input_of(builder.finish())});
}

class Forbidden : public testing::TestWithParam<const char*> {};

TEST_P(Forbidden, IsRefused) {
  QueryDatabase database = some_database();
  line_of(database, "CREATE TEMP TABLE own AS SELECT 1 AS a");
  LineSink sink;
  const QueryOutcome outcome = run(database, GetParam(), sink);
  EXPECT_EQ(outcome.end, QueryEnd::failed);
  EXPECT_TRUE(sink.lines.empty());
  EXPECT_EQ(line_of(database, "SELECT a FROM own"), "1");
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM slice"), "20000");
}

INSTANTIATE_TEST_SUITE_P(
    Statements, Forbidden,
    testing::Values(
        "ATTACH '/tmp/x.db' AS x", "ATTACH ':memory:' AS x", "DETACH main", "VACUUM",
        "VACUUM INTO '/tmp/x.db'", "SELECT load_extension('/tmp/x.so')",
        "SELECT load_extension('x', 'y')", "SELECT writefile('/tmp/x', 'y')",
        "SELECT readfile('/etc/passwd')", "SELECT edit('x')", "SELECT fts3_tokenizer('simple')",
        "SELECT fts3_tokenizer('x', x'00')", "CREATE VIRTUAL TABLE temp.f USING fts5(a)",
        "CREATE VIRTUAL TABLE temp.f USING fts4(a, tokenize=simple)",
        "CREATE VIRTUAL TABLE temp.r USING rtree(a, b, c)",
        "CREATE VIRTUAL TABLE temp.d USING dbstat(main)", "SELECT * FROM dbstat",
        "SELECT * FROM sqlite_stmt", "SELECT * FROM pragma_database_list",
        "SELECT * FROM pragma_compile_options", "PRAGMA journal_mode", "PRAGMA temp_store = MEMORY",
        "PRAGMA temp_store_directory = '/tmp'", "PRAGMA writable_schema = ON",
        "PRAGMA trusted_schema = ON", "PRAGMA cache_size = 1000000", "PRAGMA database_list",
        "PRAGMA mmap_size = 1000000000", "PRAGMA case_sensitive_like = ON",
        "PRAGMA hard_heap_limit = 0", "BEGIN", "COMMIT", "SAVEPOINT a", "CREATE TABLE t(a)",
        "CREATE VIEW v AS SELECT 1", "CREATE INDEX i ON own(a)", "DELETE FROM own",
        "UPDATE own SET a = 2", "DELETE FROM slice", "UPDATE slice SET dur = 0",
        "INSERT INTO slice(dur) VALUES (1)", "DROP TABLE slice", "ALTER TABLE own RENAME TO other",
        "ALTER TABLE slice RENAME TO other", "ANALYZE", "REINDEX",
        "CREATE TEMP TRIGGER t AFTER INSERT ON own BEGIN SELECT 1; END",
        "INSERT INTO sqlite_master VALUES (1, 2, 3, 4, 5)",
        "UPDATE sqlite_temp_master SET sql = 'x'", "DELETE FROM sqlite_temp_master",
        "WITH x AS (SELECT 1) DELETE FROM own", "EXPLAIN ATTACH '/tmp/x.db' AS x",
        "SELECT sqlite_log(1, 'x')", "SELECT sqlite_compileoption_get(1)",
        "CREATE TEMP TABLE t AS SELECT load_extension('x')",
        "CREATE TEMP VIEW v AS SELECT * FROM dbstat; SELECT * FROM v"));

TEST(QuerySafetyTest, SaysWhatIsNotAllowed) {
  QueryDatabase database = some_database();
  EXPECT_EQ(line_of(database, "SELECT 1;\nATTACH 'x' AS y"), "1");
  EXPECT_EQ(line_of(database, " ATTACH 'x' AS y"), "error: not allowed here: ATTACH, line 1");
  EXPECT_EQ(line_of(database, "SELECT load_extension('x')"),
            "error: not allowed here: load_extension(), line 1");
  EXPECT_EQ(line_of(database, "PRAGMA journal_mode"),
            "error: not allowed here: PRAGMA journal_mode, line 1");
}

TEST(QuerySafetyTest, AllowsWhatIsHarmless) {
  QueryDatabase database = some_database();
  for (const char* text :
       {"SELECT json_extract('{\"a\":[1]}', '$.a[0]')", "SELECT value FROM json_each('[1]')",
        "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c LIMIT 1) SELECT x FROM c",
        "SELECT row_number() OVER (ORDER BY ts) FROM slice LIMIT 1",
        "SELECT count(*) FILTER (WHERE dur > 5) > 0 FROM slice", "SELECT round(sqrt(1))  = 1",
        "SELECT '{\"a\":1}' ->> 'a'", "VALUES (1)",
        "SELECT cid + 1 FROM pragma_table_info('slice') LIMIT 1",
        "CREATE TEMP TABLE t(a); INSERT INTO t SELECT 1; CREATE TEMP VIEW v AS SELECT a FROM t; "
        "SELECT a FROM v; DROP VIEW v; DROP TABLE t"}) {
    EXPECT_EQ(line_of(database, text), "1") << text;
  }
  EXPECT_FALSE(line_of(database, "EXPLAIN QUERY PLAN SELECT * FROM slice").empty());
  EXPECT_FALSE(line_of(database, "PRAGMA table_info(slice)").empty());
  EXPECT_FALSE(line_of(database, "PRAGMA function_list").empty());
}

TEST(QuerySafetyTest, LimitsTheText) {
  QueryDatabase database = some_database();
  std::string many;
  for (int i = 0; i < 101; ++i) many += "SELECT 1;";
  EXPECT_EQ(line_of(database, many), "error: more than 100 statements");
  EXPECT_EQ(line_of(database, "SELECT '" + std::string(2 << 20, 'x') + "'"),
            "error: the text is too long, at most 1 MB");
  // SQLite 3.40 refuses deep parentheses, 3.46 keeps them on the heap.
  for (const std::size_t depth : {std::size_t{300}, std::size_t{400'000}}) {
    const std::string line =
        line_of(database, "SELECT " + std::string(depth, '(') + "1" + std::string(depth, ')'));
    EXPECT_TRUE(line == "1" || line.starts_with("error")) << line;
  }
  std::string sum = "SELECT 1";
  for (int i = 0; i < 300; ++i) sum += "+1";
  EXPECT_EQ(line_of(database, sum), "error: Expression tree is too large (maximum depth 200)");
}

// Each of them would run for hours or take all memory.
class Hostile : public testing::TestWithParam<const char*> {};

TEST_P(Hostile, EndsOnceItIsCancelled) {
  QueryDatabase database = some_database();
  LineSink sink;
  std::atomic<bool> cancelled = false;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancelled = true;
  });
  const QueryOutcome outcome = database.run({.text = GetParam()}, cancelled, sink);
  later.join();
  EXPECT_FALSE(outcome.ok()) << GetParam();
  EXPECT_NE(outcome.end, QueryEnd::time_limit);
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM slice"), "20000");
}

TEST_P(Hostile, EndsAtItsTimeOrMemory) {
  QueryDatabase database = some_database();
  LineSink sink;
  const std::atomic<bool> cancelled = false;
  const QueryOutcome outcome =
      database.run({.text = GetParam(), .limits = {.time_ms = 60, .sort_memory_bytes = 16 << 20}},
                   cancelled, sink);
  EXPECT_FALSE(outcome.ok()) << GetParam();
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM slice"), "20000");
}

INSTANTIATE_TEST_SUITE_P(
    Statements, Hostile,
    testing::Values(
        "SELECT count(*) FROM slice a, slice b, slice c",
        "SELECT count(*) FROM slice a JOIN slice b ON a.dur = b.dur JOIN slice c ON c.dur = b.dur",
        "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
        "WITH RECURSIVE c(x) AS (VALUES(1) UNION SELECT x + 1 FROM c) SELECT max(x) FROM c",
        "SELECT a.ts FROM slice a, slice b ORDER BY a.ts * b.dur DESC",
        "SELECT group_concat(a.name) FROM slice a, slice b GROUP BY a.dur, b.dur",
        "SELECT count(DISTINCT a.ts * 100000 + b.ts) FROM slice a, slice b",
        "SELECT sum(a.ts) OVER (ORDER BY b.ts) FROM slice a, slice b",
        "SELECT max(length(hex(zeroblob(20000000)))) FROM slice",
        "SELECT count(*) FROM slice a, slice b WHERE a.name || b.name LIKE '%x%y%z%'",
        "SELECT json_group_array(a.name) FROM slice a, slice b",
        "CREATE TEMP TABLE t AS SELECT a.* FROM slice a, slice b",
        "WITH a AS (SELECT 1 x UNION ALL SELECT 2), b AS (SELECT a.x FROM a, a c, a d, a e), "
        "c AS (SELECT b.x FROM b, b c, b d, b e), d AS (SELECT c.x FROM c, c e, c f, c g) "
        "SELECT count(*) FROM d",
        "SELECT replace(hex(zeroblob(3000000)), '0', hex(zeroblob(3000000))) FROM slice"));

TEST(QuerySafetyTest, NamesTheClauseThatNeedsTooMuchMemory) {
  QueryDatabase database = some_database();
  LineSink sink;
  const std::atomic<bool> cancelled = false;
  const QueryOutcome outcome = database.run(
      {.text = "SELECT a.ts, b.* FROM slice a, slice b ORDER BY a.ts * b.dur LIMIT 3000000",
       .limits = {.sort_memory_bytes = 8 << 20}},
      cancelled, sink);
  EXPECT_EQ(outcome.end, QueryEnd::memory_limit);
  EXPECT_EQ(outcome.message, "out of memory for sorting: 8 MB (ORDER BY)");
}

TEST(QuerySafetyTest, SaysThatTheTimeIsOver) {
  QueryDatabase database = some_database();
  LineSink sink;
  const std::atomic<bool> cancelled = false;
  const QueryOutcome outcome = database.run(
      {.text = "SELECT count(*) FROM slice a, slice b, slice c", .limits = {.time_ms = 20}},
      cancelled, sink);
  EXPECT_EQ(outcome.end, QueryEnd::time_limit);
  EXPECT_EQ(outcome.message, "stopped after 0.02 s");
}

// Of whatever it does then: a plan, a scan, a sort, a native grouping, statistics.
TEST(QuerySafetyTest, AnswersACancelAtAnyMoment) {
  QueryDatabase database = some_database();
  constexpr const char* kTexts[] = {
      "SELECT a.name, count(*) FROM slice a, slice b GROUP BY a.name",
      "SELECT name, covered(ts, dur), median(dur) FROM slice GROUP BY name; "
      "SELECT * FROM slice a JOIN slice b ON b.parent_slice_id = a.slice_id ORDER BY b.self_dur; "
      "SELECT count(*) FROM slice, slice",
      "SELECT sum(n.total) FROM bucket(1) b JOIN name_stat(b.ts, b.ts_end) n",
      "SELECT count(*) FROM bucket(1) b JOIN call_tree(b.ts, b.ts_end) n",
      "SELECT count(*) FROM slice a JOIN slice b ON a.name = b.name WHERE b.name LIKE '%1%'"};
  for (int moment = 0; moment < 10; ++moment) {
    for (const char* text : kTexts) {
      LineSink sink;
      std::atomic<bool> cancelled = false;
      std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(300) * (moment * moment));
        cancelled = true;
      });
      const QueryOutcome outcome = database.run({.text = text}, cancelled, sink);
      later.join();
      EXPECT_TRUE(outcome.ok() || outcome.end == QueryEnd::cancelled) << outcome.text() << text;
    }
  }
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM slice"), "20000");
}

TEST(QuerySafetyTest, IsCancelledBeforeItBegins) {
  QueryDatabase database = some_database();
  LineSink sink;
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(database.run({.text = "SELECT count(*) FROM slice a, slice b"}, cancelled, sink).end,
            QueryEnd::cancelled);
}

}  // namespace
}  // namespace cinderscope
