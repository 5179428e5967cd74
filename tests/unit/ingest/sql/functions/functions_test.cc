// Table functions, aggregates and functions, asked as users do.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "ingest/totals/slice_statistics.h"
#include "tests/support/queries.h"

namespace cinderscope {
namespace {

using test::line_of;
using test::lines_of;
using Lines = std::vector<std::string>;

// main: frame [0, 100) with paint [10, 30) with raster [12, 20), frame [120, 150); worker: task
// [5, 15) and task [10, 40), which partly overlap. A counter: 1 from 10, 3.5 from 50.
Timeline trace() {
  TimelineBuilder builder;
  const ProcessId process = builder.process("7");
  const ThreadId main = builder.thread(process, "1"), worker = builder.thread(process, "2");
  TrackWriter& writer = builder.slices(main);
  writer.complete(0, 100, builder.intern("frame"), 0);
  writer.complete(10, 20, builder.intern("paint"), 1);
  writer.complete(12, 8, builder.intern("raster"), 2);
  writer.complete(120, 30, builder.intern("frame"), 3);
  TrackWriter& tasks = builder.slices(worker);
  tasks.complete(5, 10, builder.intern("task"), 4);
  tasks.complete(10, 30, builder.intern("task"), 5);
  const CounterId counter = builder.counter(process, builder.intern("memory"));
  builder.counter_value(counter, builder.intern("used"), 10, 1);
  builder.counter_value(counter, builder.intern("used"), 50, 3.5);
  return builder.finish();
}

class FunctionsTest : public testing::Test {
 protected:
  QueryDatabase database_{{test::input_of(trace())}};
  std::string of(const std::string& text) { return line_of(database_, text); }
  Lines all(const std::string& text) { return lines_of(database_, text); }
};

TEST_F(FunctionsTest, FollowTheNestingOfSlices) {
  EXPECT_EQ(all("SELECT slice_id, name, depth FROM slice ORDER BY slice_id"),
            (Lines{"1|'frame'|1", "2|'frame'|1", "3|'paint'|2", "4|'raster'|3", "5|'task'|1",
                   "6|'task'|1"}));
  EXPECT_EQ(all("SELECT name FROM ancestor(4)"), (Lines{"'paint'", "'frame'"}));
  EXPECT_EQ(all("SELECT name FROM ancestor(1)"), Lines{});
  EXPECT_EQ(all("SELECT slice_id, name, ts, dur, self_dur, depth, parent_slice_id FROM "
                "descendant(1)"),
            (Lines{"3|'paint'|10|20|12|2|1", "4|'raster'|12|8|8|3|3"}));
  EXPECT_EQ(all("SELECT name FROM descendant(1, 1)"), Lines{"'paint'"});
  EXPECT_EQ(all("SELECT name FROM child(1)"), Lines{"'paint'"});
  EXPECT_EQ(all("SELECT name FROM child(99)"), Lines{});
  EXPECT_EQ(all("SELECT name FROM child(NULL)"), Lines{});
  EXPECT_EQ(all("SELECT name FROM child"), Lines{});
  EXPECT_EQ(of("SELECT path(4)"), "'frame;paint;raster'");
  EXPECT_EQ(of("SELECT path(99)"), "NULL");
  EXPECT_EQ(of("SELECT path(NULL)"), "NULL");
  EXPECT_EQ(of("SELECT count(*) FROM descendant(1, -1)"),
            "error: descendant(): levels is a whole number from 0 on");
}

TEST_F(FunctionsTest, TakeCorrelatedArguments) {
  EXPECT_EQ(all("SELECT f.slice_id, count(d.slice_id), sum(d.dur) FROM slice f LEFT JOIN "
                "descendant(f.slice_id) d WHERE f.name = 'frame' GROUP BY f.slice_id"),
            (Lines{"1|2|28", "2|0|NULL"}));
  EXPECT_EQ(all("SELECT s.slice_id, (SELECT name FROM ancestor(s.slice_id) LIMIT 1) FROM slice s "
                "WHERE s.depth > 1"),
            (Lines{"3|'frame'", "4|'paint'"}));
  // The same the other way round: the argument is a column that is looked for.
  EXPECT_EQ(all("SELECT d.name FROM descendant d WHERE d.of_slice_id = 1 AND d.levels = 1"),
            Lines{"'paint'"});
}

TEST_F(FunctionsTest, TellWhatGoesOnAtATime) {
  EXPECT_EQ(all("SELECT name, ts FROM overlap(12, 13) ORDER BY slice_id"),
            (Lines{"'frame'|0", "'paint'|10", "'raster'|12", "'task'|5", "'task'|10"}));
  EXPECT_EQ(of("SELECT count(*) FROM overlap(12, 13, 2)"), "2");
  EXPECT_EQ(of("SELECT count(*) FROM overlap(100, 120)"), "0");
  EXPECT_EQ(of("SELECT name FROM slice_at(1, 15)"), "'raster'");
  EXPECT_EQ(of("SELECT name FROM slice_at(1, 15, 2)"), "'paint'");
  EXPECT_EQ(all("SELECT name FROM slice_at(1, 110)"), Lines{});
  EXPECT_EQ(all("SELECT ts, dur, before_slice_id, after_slice_id FROM idle(1)"),
            Lines{"100|20|1|2"});
  EXPECT_EQ(all("SELECT ts, dur, before_slice_id, after_slice_id FROM idle(1, 110, 200)"),
            (Lines{"110|10|1|2", "150|50|2|NULL"}));
  EXPECT_EQ(of("SELECT counter_at(1, 9)"), "NULL");
  EXPECT_EQ(of("SELECT counter_at(1, 10)"), "1");
  EXPECT_EQ(of("SELECT counter_at(1, 1000)"), "3.5");
  EXPECT_EQ(of("SELECT counter_at(2, 1000)"), "NULL");
}

TEST_F(FunctionsTest, CountInSteps) {
  EXPECT_EQ(all("SELECT ts, ts_end FROM bucket(60)"), (Lines{"0|60", "60|120", "120|180"}));
  EXPECT_EQ(all("SELECT ts FROM bucket(5, 10, 20)"), (Lines{"10", "15"}));
  EXPECT_EQ(all("SELECT b.ts, count(s.slice_id) FROM bucket(100) b LEFT JOIN slice s ON s.ts >= "
                "b.ts AND s.ts < b.ts_end GROUP BY b.ts"),
            (Lines{"0|5", "100|1"}));
  EXPECT_EQ(of("SELECT count(*) FROM bucket(0)"),
            "error: bucket(): the step is a whole number from 1 on");
  EXPECT_EQ(all("SELECT value FROM series(3, 7, 2)"), (Lines{"3", "5", "7"}));
  EXPECT_EQ(all("SELECT value FROM series(2, 1, -1)"), (Lines{"2", "1"}));
  EXPECT_EQ(all("SELECT value FROM series(9223372036854775806, 9223372036854775807)"),
            (Lines{"9223372036854775806", "9223372036854775807"}));
  EXPECT_EQ(of("SELECT count(*) FROM series(1, 2, 0)"),
            "error: series(): from, to and step are whole numbers, the step not 0");
}

TEST_F(FunctionsTest, StatisticsAreATable) {
  const auto expected = slice_statistics(*slice_set_of(trace()), {});
  Lines lines;
  for (const NameStatistics& name : expected.names) {
    lines.push_back("'" + std::string(trace().text(name.name)) + "'|" + std::to_string(name.count) +
                    "|" + std::to_string(name.total_ns) + "|" + std::to_string(name.self_ns) + "|" +
                    std::to_string(name.mean_ns()) + "|" + std::to_string(name.median_ns) + "|" +
                    std::to_string(name.p90_ns) + "|" + std::to_string(name.p99_ns) + "|" +
                    std::to_string(name.min_ns) + "|" + std::to_string(name.max_ns));
  }
  EXPECT_EQ(all("SELECT name, count, total, self, mean, median, p90, p99, min, max FROM name_stat"),
            lines);
  EXPECT_EQ(of("SELECT longest_slice_id, trace_id, share FROM name_stat WHERE name = 'frame'"),
            "1|1|86.66666666666667");
  EXPECT_EQ(all("SELECT name, total FROM name_stat(0, 12) ORDER BY name"),
            (Lines{"'frame'|12", "'paint'|2", "'task'|7"}));
  EXPECT_EQ(all("SELECT name, total FROM name_stat WHERE from_ts = 0 AND to_ts = 12 AND whole = 1 "
                "ORDER BY name"),
            (Lines{"'frame'|100", "'paint'|20", "'task'|35"}));
  EXPECT_EQ(all("SELECT name FROM name_stat WHERE in_thread = 2"), Lines{"'task'"});
  EXPECT_EQ(all("SELECT name FROM name_stat WHERE in_thread = 9"), Lines{});
  EXPECT_EQ(of("SELECT name, count, total, mean FROM name_stat WHERE weight = 'calls' AND name = "
               "'task'"),
            "'task'|2|2|1");
  EXPECT_EQ(of("SELECT * FROM name_stat WHERE weight = 'bytes'"),
            "error: weight is 'time', 'calls', or what the trace was opened by (--weight)");
  EXPECT_EQ(of("SELECT * FROM name_stat WHERE slices = 'x'"),
            "error: slices is 'calls', 'samples' or 'both'");
  // Again and again, as joins ask.
  EXPECT_EQ(all("SELECT b.ts, n.total FROM bucket(40) b JOIN name_stat(b.ts, b.ts_end) n WHERE "
                "n.name = 'frame'"),
            (Lines{"0|40", "40|40", "80|20", "120|30"}));
}

TEST_F(FunctionsTest, TheFlameGraphIsATable) {
  EXPECT_EQ(
      all("SELECT node_id, parent_node_id, depth, name, count, total, self, "
          "longest_slice_id, path FROM call_tree"),
      (Lines{"1|NULL|1|'frame'|2|130|110|1|'frame'", "2|1|2|'paint'|1|20|12|3|'frame;paint'",
             "3|2|3|'raster'|1|8|8|4|'frame;paint;raster'", "4|NULL|1|'task'|2|40|40|6|'task'"}));
  EXPECT_EQ(all("SELECT name, total FROM call_tree(0, 11)"),
            (Lines{"'frame'|11", "'paint'|1", "'task'|7"}));
  EXPECT_EQ(of("SELECT total, self FROM call_tree WHERE weight = 'calls' AND name = 'frame'"),
            "4|2");
}

TEST_F(FunctionsTest, AggregatesGiveValuesThatOccur) {
  EXPECT_EQ(of("SELECT percentile(dur, 50), median(dur), percentile(dur, 0), percentile(dur, 100) "
               "FROM slice WHERE depth > 0 OR depth < 0"),
            "20|20|8|100");
  EXPECT_EQ(of("SELECT percentile(value, 50) FROM (SELECT 1 AS value UNION ALL SELECT 2.5 UNION "
               "ALL SELECT NULL UNION ALL SELECT 9)"),
            "2.5");
  EXPECT_EQ(of("SELECT percentile(value, 50) FROM series(1, 0)"), "NULL");
  EXPECT_EQ(of("SELECT percentile(value, NULL) FROM series(1, 5)"), "NULL");
  EXPECT_EQ(of("SELECT percentile(value, 101) FROM series(1, 5)"),
            "error: percentile(): the second argument is a number from 0 to 100");
  EXPECT_EQ(of("SELECT percentile(dur, 101) FROM slice"),
            "error: percentile(): the second argument is a number from 0 to 100");
  EXPECT_EQ(of("SELECT percentile(value, value) FROM series(1, 5)"),
            "error: percentile(): the second argument is the same for all rows");
  EXPECT_EQ(of("SELECT covered(ts, dur) FROM slice WHERE track_id + 0 = 2"), "35");
  EXPECT_EQ(of("SELECT covered(value, 3) FROM series(1, 0)"), "0");
  EXPECT_EQ(of("SELECT stddev(value) FROM series(1, 5)"), "1.5811388300841898");
  EXPECT_EQ(of("SELECT stddev(value) FROM series(1, 1)"), "NULL");
  // Exact where a part of the sum is beyond 64 bits.
  EXPECT_EQ(of("SELECT sum(v) FROM (SELECT 9223372036854775807 AS v UNION ALL SELECT 5 UNION ALL "
               "SELECT -9)"),
            "9223372036854775803");
  EXPECT_EQ(of("SELECT sum(9223372036854775807) FROM series(1, 2)"), "error: integer overflow");
  EXPECT_EQ(of("SELECT avg(value), total(value), sum(value + 0.5) FROM series(1, 4)"), "2.5|10|12");
  EXPECT_EQ(of("SELECT sum(NULL), total(NULL), avg(NULL) FROM series(1, 4)"), "NULL|0|NULL");
  // Over windows.
  EXPECT_EQ(all("SELECT sum(value) OVER w, median(value) OVER w FROM series(1, 4) WINDOW w AS "
                "(ORDER BY value ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"),
            (Lines{"1|1", "3|1", "5|2", "7|3"}));
}

TEST_F(FunctionsTest, AllNamesAreMatchedByExpressions) {
  EXPECT_EQ(all("SELECT DISTINCT name FROM slice WHERE name REGEXP '^.a' ORDER BY name"),
            (Lines{"'paint'", "'raster'", "'task'"}));
  EXPECT_EQ(of("SELECT 'abc' REGEXP 'B', 'abc' REGEXP '(?i)B', NULL REGEXP 'a'"), "0|1|NULL");
  EXPECT_EQ(of("SELECT count(*) FROM slice WHERE name REGEXP '^f'"), "2");
  EXPECT_TRUE(of("SELECT 'a' REGEXP '('").starts_with("error: REGEXP: "));
  EXPECT_TRUE(of("SELECT count(*) FROM slice WHERE name REGEXP '('").starts_with("error: REGEXP"));
  EXPECT_EQ(of("SELECT name_key('f(int)::{lambda(int)#2} 0x7f12ab')"),
            "'f(int)::{lambda(int)#} 0x\xe2\x80\xa6'");
}

TEST_F(FunctionsTest, TheWindowIsAsked) {
  EXPECT_EQ(of("SELECT view_begin(), range_end(), selected_slice(), show_time(5)"),
            "NULL|NULL|NULL|5");
  QueryRequest request{.text = "SELECT view_begin(), range_end(), selected_slice()"};
  request.window.view_begin = 10;
  request.window.range_end = 20;
  request.window.selected = {0, SliceRef{TrackId{0}, BlockId{0}, 1, 0}};
  test::LineSink sink;
  const std::atomic<bool> cancelled = false;
  const QueryOutcome outcome = database_.run(request, cancelled, sink);
  EXPECT_TRUE(outcome.uses_window);
  EXPECT_EQ(sink.lines, Lines{"10|20|3"});
  request.text = "SELECT name, count(*) FROM slice WHERE ts < range_end() GROUP BY name";
  sink.lines.clear();
  const QueryOutcome grouped = database_.run(request, cancelled, sink);
  EXPECT_TRUE(grouped.uses_window);
  EXPECT_TRUE(grouped.rewritten);
  EXPECT_EQ(sink.lines, (Lines{"'frame'|1", "'paint'|1", "'raster'|1", "'task'|2"}));
}

TEST_F(FunctionsTest, ATempTableHidesTheTraces) {
  EXPECT_EQ(all("CREATE TEMP TABLE slice AS SELECT 1 AS dur; SELECT sum(dur) FROM slice"),
            Lines{"1"});
}

TEST_F(FunctionsTest, GroupsTakeAsMuchMemoryAsSorting) {
  QueryRequest request{.text = "SELECT name, sum(dur) FROM slice GROUP BY name"};
  request.limits.sort_memory_bytes = 1;
  test::LineSink sink;
  const std::atomic<bool> cancelled = false;
  EXPECT_FALSE(database_.run(request, cancelled, sink).ok());
  request.limits.sort_memory_bytes = 1 << 20;
  EXPECT_TRUE(database_.run(request, cancelled, sink).ok());
  EXPECT_EQ(sink.lines.size(), 4u);
}

TEST_F(FunctionsTest, ParametersOfGroupingsAreBound) {
  QueryRequest request{.text =
                           "SELECT name, count(*) AS n FROM slice WHERE dur > :least GROUP BY "
                           "name HAVING n >= :n ORDER BY name LIMIT :most"};
  request.parameters = {{"least", "9"}, {"n", "1"}, {"most", "2"}};
  test::LineSink sink;
  const std::atomic<bool> cancelled = false;
  const QueryOutcome outcome = database_.run(request, cancelled, sink);
  EXPECT_TRUE(outcome.ok()) << outcome.text();
  EXPECT_TRUE(outcome.rewritten);
  EXPECT_EQ(sink.lines, (Lines{"'frame'|2", "'paint'|1"}));
}

}  // namespace
}  // namespace cinderscope
