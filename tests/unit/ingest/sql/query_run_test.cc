#include "ingest/sql/query_run.h"

#include <gtest/gtest.h>

#include <thread>

#include "ingest/build/timeline_builder.h"
#include "ingest/sql/slice_numbers.h"
#include "tests/support/queries.h"

namespace cinderscope {
namespace {

using test::line_of;
using test::lines_of;
using test::LineSink;
using Lines = std::vector<std::string>;

// main: frame [0, 100) with paint [10, 30) and an unfinished one; worker: task [5, 6).
Timeline small_trace() {
  TimelineBuilder builder;
  const ProcessId process = builder.process("7");
  builder.process_facts(process).name = builder.intern("browser");
  const ThreadId main = builder.thread(process, "1"), worker = builder.thread(process, "2");
  builder.thread_facts(main).name = builder.intern("main");
  TrackWriter& writer = builder.slices(main);
  writer.complete(0, 100, builder.intern("frame"), 0);
  writer.complete(10, 20, builder.intern("paint"), 1);
  writer.complete_unfinished(40, builder.intern("paint"), 2);
  builder.slices(worker).complete(5, 1, builder.intern("task"), 3);
  builder.instant(main, 15, builder.intern("mark"), 4);
  return builder.finish();
}

QueryDatabase small_database() {
  return QueryDatabase({test::input_of(small_trace())});
}

TEST(QueryRunTest, ReadsTheColumnsOfSlices) {
  QueryDatabase database = small_database();
  EXPECT_EQ(
      lines_of(database,
               "SELECT slice_id, track_id, thread_id, process_id, ts, dur, ts_end, self_dur, "
               "depth, parent_slice_id, name, category, unfinished FROM slice"),
      (Lines{"1|1|1|1|0|100|100|20|1|NULL|'frame'|NULL|0", "2|1|1|1|10|20|30|20|2|1|'paint'|NULL|0",
             "3|1|1|1|40|60|100|60|2|1|'paint'|NULL|1", "4|2|2|1|5|1|6|1|1|NULL|'task'|NULL|0"}));
}

TEST(QueryRunTest, NumbersNamesByTheirTextsInWhateverOrderTheyWereMet) {
  const auto ids_of = [](std::initializer_list<const char*> met) {
    TimelineBuilder builder;
    const ThreadId thread = builder.thread(builder.process("7"), "1");
    for (const char* name : met) builder.intern(name);
    std::int64_t begin_ns = 0;
    for (const char* name : {"paint", "frame", "task"}) {
      builder.slices(thread).complete(begin_ns += 10, 1, builder.intern(name), 0);
    }
    QueryDatabase database({test::input_of(builder.finish())});
    return lines_of(database, "SELECT name_id, name FROM slice ORDER BY ts");
  };
  EXPECT_EQ(ids_of({"frame", "paint", "task"}), ids_of({"task", "paint", "frame"}));
}

TEST(QueryRunTest, NamesThreadsAndProcessesWhereJoinsAreTooMuch) {
  QueryDatabase database = small_database();
  EXPECT_EQ(lines_of(database,
                     "SELECT process_name, pid, thread_name, tid, trace_name, name FROM "
                     "thread_slice WHERE depth = 1"),
            (Lines{"'browser'|'7'|'main'|'1'|'a.json'|'frame'",
                   "'browser'|'7'|NULL|'2'|'a.json'|'task'"}));
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM thread_slice WHERE thread_name = 'main'"), "3");
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM thread_slice WHERE thread_name <> 'x'"), "3");
}

TEST(QueryRunTest, JoinsTablesByTheirKeys) {
  QueryDatabase database = small_database();
  EXPECT_EQ(lines_of(database,
                     "SELECT p.name, s.name FROM slice s JOIN slice p ON p.slice_id = "
                     "s.parent_slice_id JOIN thread USING (thread_id) ORDER BY s.slice_id"),
            (Lines{"'frame'|'paint'", "'frame'|'paint'"}));
  EXPECT_EQ(line_of(database, "SELECT slice_id FROM instant"), "2");
}

TEST(QueryRunTest, TellsWhatColumnsAreThroughViewsAndAliases) {
  QueryDatabase database = small_database();
  LineSink sink;
  ASSERT_TRUE(run(database,
                  "CREATE TEMP VIEW v AS SELECT ts AS begun, dur AS lasts, slice_id AS id FROM "
                  "slice; SELECT begun, lasts, id, dur_sum FROM v, (SELECT sum(dur) AS dur_sum "
                  "FROM slice)",
                  sink)
                  .ok());
  EXPECT_EQ(sink.columns, (std::vector<QueryColumn>{{"begun", ColumnKind::time},
                                                    {"lasts", ColumnKind::duration},
                                                    {"id", ColumnKind::slice},
                                                    {"dur_sum", ColumnKind::any}}));
  EXPECT_EQ(shown_kind(ColumnKind::any, "to_ts"), ColumnKind::time);
  EXPECT_EQ(shown_kind(ColumnKind::any, "busy_dur"), ColumnKind::duration);
  EXPECT_EQ(shown_kind(ColumnKind::any, "longest_slice_id"), ColumnKind::slice);
  EXPECT_EQ(shown_kind(ColumnKind::integer, "dur"), ColumnKind::integer);
  EXPECT_EQ(shown_kind(ColumnKind::any, "count"), ColumnKind::any);
}

TEST(QueryRunTest, RunsStatementsOneAfterTheOther) {
  QueryDatabase database = small_database();
  LineSink sink;
  const QueryOutcome outcome = run(database,
                                   "CREATE TEMP TABLE t AS SELECT name FROM slice; -- kept\n"
                                   "INSERT INTO t VALUES ('x;y'); SELECT count(*) FROM t;;\n"
                                   "SELECT name FROM t WHERE name LIKE 'x%'; DROP TABLE t;",
                                   sink);
  EXPECT_TRUE(outcome.ok()) << outcome.text();
  EXPECT_EQ(sink.lines, (Lines{"5", "'x;y'"}));
  EXPECT_EQ(sink.answers, 2u);
  EXPECT_EQ(outcome.rows, 2u);
  EXPECT_EQ(line_of(database, "SELECT * FROM t"), "error: no such table: t, line 1, near \"t\"");
}

TEST(QueryRunTest, CountsTheSlicesThatItLooksAt) {
  QueryDatabase database = small_database();
  const auto looked_at = [&](const char* text) {
    LineSink sink;
    return run(database, text, sink).slices_looked_at;
  };
  EXPECT_EQ(looked_at("SELECT * FROM slice"), 4u);
  EXPECT_EQ(looked_at("SELECT dur FROM slice WHERE name = 'paint' AND dur + 0 > 30"), 2u);
  EXPECT_EQ(looked_at("SELECT name, sum(dur) FROM slice GROUP BY name"), 4u);
  EXPECT_EQ(looked_at("SELECT name, count(*) FROM slice WHERE dur < 50 GROUP BY name"), 2u);
  EXPECT_EQ(looked_at("SELECT dur FROM slice ORDER BY dur DESC LIMIT 1"), 1u);
  EXPECT_EQ(looked_at("SELECT * FROM name_stat"), 4u);
  EXPECT_EQ(looked_at("SELECT * FROM call_tree"), 4u);
  EXPECT_EQ(looked_at("SELECT * FROM thread"), 0u);
  // Who waits for the answer may look meanwhile.
  const QueryRequest request{.text = "SELECT * FROM slice; SELECT * FROM slice",
                             .parameters = {},
                             .window = {},
                             .limits = {},
                             .looked_at = std::make_shared<std::atomic<std::uint64_t>>(0)};
  LineSink sink;
  const std::atomic<bool> cancelled = false;
  EXPECT_EQ(database.run(request, cancelled, sink).slices_looked_at, 8u);
  EXPECT_EQ(*request.looked_at, 8u);
}

TEST(QueryRunTest, KeepsTemporaryTablesForTheNextRun) {
  QueryDatabase database = small_database();
  lines_of(database, "CREATE TEMP TABLE t AS SELECT 1 AS a");
  EXPECT_EQ(line_of(database, "SELECT a FROM t"), "1");
}

TEST(QueryRunTest, BindsParametersByName) {
  QueryDatabase database = small_database();
  LineSink sink;
  const std::atomic<bool> cancelled = false;
  QueryRequest request{.text = "SELECT name FROM slice WHERE name = :name AND dur > :least",
                       .parameters = {{"name", "paint"}, {"least", "30"}}};
  EXPECT_TRUE(database.run(request, cancelled, sink).ok());
  EXPECT_EQ(sink.lines, (Lines{"'paint'"}));
  EXPECT_EQ(line_of(database, "SELECT :x"), "error: no value is given for :x");
}

TEST(QueryRunTest, SaysWhereAnErrorIsAndWhatMayBeMeant) {
  QueryDatabase database = small_database();
  LineSink sink;
  const QueryOutcome outcome = run(database, "SELECT 1;\n\nSELECT ä, durr FROM slice", sink);
  EXPECT_EQ(outcome.end, QueryEnd::failed);
  EXPECT_EQ(outcome.statement, 1u);
  EXPECT_EQ(line_of(database, "SELECT\n dur,\n  durr FROM slice"),
            "error: no such column: durr, line 3, near \"durr\". Did you mean dur?");
  EXPECT_EQ(line_of(database, "SELECT * FROM slyce"),
            "error: no such table: slyce, line 1, near \"slyce\". Did you mean slice?");
  EXPECT_EQ(line_of(database, "SELECT cuont(1)"),
            "error: no such function: cuont, line 1, near \"cuont\". Did you mean count?");
  EXPECT_EQ(line_of(database, "SELECT dur FRM slice"),
            "error: syntax error, line 1, near \"slice\"");
  const QueryOutcome second = run(database, "SELECT 'ä€', durr FROM slice", sink);
  EXPECT_EQ(second.column, 14u);
  EXPECT_EQ(second.length, 4u);
}

TEST(QueryRunTest, GivesNoMoreRowsThanAreWanted) {
  QueryDatabase database = small_database();
  struct OneRow final : QuerySink {
    int rows = 0, ends = 0;
    void begin(std::size_t, std::span<const QueryColumn>) override {}
    bool row(std::span<const QueryCell>) override { return ++rows % 2 == 0; }
    void end() override { ++ends; }
  } sink;
  const std::atomic<bool> cancelled = false;
  EXPECT_TRUE(
      database.run({.text = "SELECT 1 FROM slice; SELECT 2 FROM slice"}, cancelled, sink).ok());
  EXPECT_EQ(sink.rows, 3);
  EXPECT_EQ(sink.ends, 2);
}

TEST(QueryRunTest, CountsOnOverSeveralTraces) {
  QueryDatabase database({test::input_of(small_trace()), test::input_of(small_trace())});
  EXPECT_EQ(lines_of(database, "SELECT trace_id, slices, instants FROM trace"),
            (Lines{"1|4|1", "2|4|1"}));
  EXPECT_EQ(
      lines_of(database, "SELECT slice_id, trace_id, thread_id FROM slice WHERE name = 'task'"),
      (Lines{"4|1|2", "8|2|4"}));
  EXPECT_EQ(line_of(database,
                    "SELECT count(*) FROM slice JOIN trace USING (trace_id) WHERE "
                    "trace_id = 2"),
            "4");
  const auto place = database.slice_numbers().place_of(8);
  EXPECT_EQ(place->row->input, 1u);
}

TEST(QueryRunTest, MendsTextThatIsNoUtf8AndKeepsEmptyNames) {
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  writer.complete(0, 1, builder.intern("a\xff!"), 0);
  writer.complete(2, 1, kEmptyString, 1);
  writer.complete(4, 1, builder.intern("a\xfe!"), 2);
  QueryDatabase database({test::input_of(builder.finish())});
  EXPECT_EQ(lines_of(database, "SELECT name FROM slice"), (Lines{"'a�!'", "''", "'a�!'"}));
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM slice WHERE name = 'a�!'"), "2");
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM slice WHERE name = ''"), "1");
  EXPECT_EQ(lines_of(database, "SELECT DISTINCT name FROM slice").size(), 2u);
}

TEST(QueryRunTest, EstimatesByThePlan) {
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  for (int i = 0; i < 5000; ++i) {
    writer.complete(i * 2, 1, builder.intern("n" + std::to_string(i % 7)),
                    static_cast<RecordOffset>(i));
  }
  QueryDatabase database({test::input_of(builder.finish())});
  const auto seconds = [&](std::string text) {
    const auto estimates = database.estimate({.text = std::move(text)});
    return estimates.empty() ? -1.0 : estimates.front().seconds;
  };
  EXPECT_LT(seconds("SELECT * FROM slice WHERE slice_id = 7"), 1e-5);
  EXPECT_GT(seconds("SELECT dur, count(*) FROM slice GROUP BY dur"), 1e-3);
  EXPECT_GT(seconds("SELECT count(*) FROM slice a JOIN slice b ON b.dur = a.dur"), 0.1);
  const auto pairs =
      database.estimate({.text = "SELECT 1; SELECT count(*) FROM slice a, slice b, slice c"});
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_TRUE(pairs[0].text.empty());
  EXPECT_NE(pairs[1].text.find("125 000 000 000 rows"), std::string::npos) << pairs[1].text;
  EXPECT_TRUE(database.estimate({.text = "SELECT nothing"}).empty());
}

TEST(QueryRunTest, HelpDescribesWhatThereIs) {
  QueryDatabase database = small_database();
  EXPECT_EQ(line_of(database, "SELECT what FROM help WHERE name = 'slice.ts'"), "'column'");
  EXPECT_EQ(line_of(database,
                    "SELECT count(*) FROM help h WHERE what = 'table' AND NOT EXISTS "
                    "(SELECT 1 FROM sqlite_master m WHERE m.name = h.name)"),
            "0");
  for (const SchemaTable& table : database.schema().tables) {
    if (table.is_function || !table.rows_known) continue;
    EXPECT_EQ(line_of(database, "SELECT count(*) FROM " + table.name), std::to_string(table.rows))
        << table.name;
  }
}

TEST(QueryRunTest, OfNoTraceIsEmpty) {
  QueryDatabase database({});
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM slice"), "0");
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM arg"), "0");
}

}  // namespace
}  // namespace cinderscope
