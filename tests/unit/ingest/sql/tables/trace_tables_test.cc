#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"
#include "ingest/format/trace_source.h"
#include "ingest/model/merge_timelines.h"
#include "tests/support/queries.h"

namespace cinderscope {
namespace {

using test::line_of;
using test::lines_of;
using Lines = std::vector<std::string>;

TEST(TraceTablesTest, TellTheAxisAndTheTimes) {
  TimelineBuilder builder;
  builder.slices(builder.thread(builder.process("1"), "1"))
      .complete(100, 50, builder.intern("a"), 0);
  QueryDatabase database({test::input_of(builder.finish())});
  EXPECT_EQ(line_of(database,
                    "SELECT trace_name, path, format, axis, unit, scale, clock, begin_ts, "
                    "end_ts, lazy, complete FROM trace"),
            "'a.json'|'/tmp/a.json'|'test'|'ns'|'ns'|1|'file'|100|150|0|1");
  TimelineBuilder events(TimeAxis::events);
  QueryDatabase empty({test::input_of(events.finish())});
  EXPECT_EQ(line_of(empty, "SELECT axis, clock, begin_ts, slices FROM trace"),
            "'events'|'none'|NULL|0");
}

TEST(TraceTablesTest, TellProcessesThreadsAndTracks) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("7");
  builder.process_facts(process).name = builder.intern("shop");
  builder.process_facts(process).sort_index = -2;
  const ThreadId thread = builder.thread(process, "8");
  builder.thread(process, "silent");
  builder.slices(thread).complete(0, 9, builder.intern("a"), 0);
  builder.slices(thread).complete(1, 2, builder.intern("b"), 1);
  builder.sample_slices(thread, builder.intern("cpu")).complete(3, 4, builder.intern("s"), 2);
  QueryDatabase database({test::input_of(builder.finish())});
  EXPECT_EQ(line_of(database, "SELECT * FROM process"), "1|1|'7'|'shop'|NULL|0|-2");
  EXPECT_EQ(lines_of(database,
                     "SELECT thread_id, process_id, track_id, tid, thread_name FROM "
                     "thread"),
            (Lines{"1|1|1|'8'|NULL", "2|1|NULL|'silent'|NULL"}));
  EXPECT_EQ(lines_of(database,
                     "SELECT kind, thread_id, track_name, max_depth, slices, begin_ts, "
                     "end_ts FROM track"),
            (Lines{"'thread'|1|NULL|2|2|0|9", "'samples'|1|'cpu'|1|1|3|7"}));
  EXPECT_EQ(line_of(database, "SELECT count(*), min(slice_id), min(thread_id) FROM sample"),
            "1|3|1");
  EXPECT_EQ(line_of(database, "SELECT tid FROM thread WHERE thread_id = 2"), "'silent'");
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM thread WHERE thread_id IN (2, 3, 2, NULL)"),
            "1");
}

TEST(TraceTablesTest, TellCountersAndHowLongValuesHold) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  builder.slices(builder.thread(process, "1")).complete(0, 100, builder.intern("a"), 0);
  const CounterId counter = builder.counter(process, builder.intern("memory"));
  builder.counter_value(counter, builder.intern("rss"), 10, 1.5);
  builder.counter_value(counter, builder.intern("rss"), 40, 2.5);
  builder.counter_value(counter, builder.intern("swap"), 20, -1);
  QueryDatabase database({test::input_of(builder.finish())});
  EXPECT_EQ(lines_of(database,
                     "SELECT counter_id, process_id, counter_name, series, samples, min, "
                     "max FROM counter"),
            (Lines{"1|1|'memory'|'rss'|2|1.5|2.5", "2|1|'memory'|'swap'|1|-1|-1"}));
  EXPECT_EQ(lines_of(database, "SELECT * FROM counter_sample"),
            (Lines{"1|1|10|30|1.5", "1|1|40|60|2.5", "1|2|20|80|-1"}));
  EXPECT_EQ(lines_of(database, "SELECT ts FROM counter_sample WHERE counter_id = 1 AND ts > 10"),
            (Lines{"40"}));
  EXPECT_EQ(lines_of(database, "SELECT ts FROM counter_sample WHERE ts IN (20, 40, 41)"),
            (Lines{"40", "20"}));
}

TEST(TraceTablesTest, TellArrowsOfFlowsStepByStep) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const ThreadId a = builder.thread(process, "1"), b = builder.thread(process, "2");
  RecordOffset record = 0;
  for (const std::int64_t begin : {0, 100, 200}) {
    builder.slices(a).complete(begin, 10, builder.intern("a"), record++);
    builder.slices(b).complete(begin + 50, 10, builder.intern("b"), record++);
  }
  const auto end = [](ThreadId thread, std::int64_t time_ns) {
    return FlowEnd{.owner = thread, .time_ns = time_ns};
  };
  builder.flow(builder.intern("f"), false, {end(a, 5), end(b, 55), end(a, 105)});
  builder.flow(builder.intern("g"), false, {end(a, 205), end(b, 255)});
  QueryDatabase database({test::input_of(builder.finish())});
  const Lines all = {"1|'f'|1|1|4|5|55", "1|'f'|2|4|2|55|105", "2|'g'|1|3|6|205|255"};
  EXPECT_EQ(lines_of(database,
                     "SELECT flow_id, name, step, from_slice_id, to_slice_id, from_ts, "
                     "to_ts FROM flow"),
            all);
  EXPECT_EQ(line_of(database, "SELECT step FROM flow WHERE flow_id = 2"), "1");
  EXPECT_EQ(lines_of(database, "SELECT step FROM flow WHERE from_slice_id = 4"), (Lines{"2"}));
  EXPECT_EQ(lines_of(database, "SELECT flow_id FROM flow WHERE to_slice_id IN (2, 6, 99)"),
            (Lines{"1", "2"}));
  EXPECT_EQ(lines_of(database,
                     "SELECT f.step, s.name FROM slice s JOIN flow f ON f.from_slice_id "
                     "= s.slice_id ORDER BY f.flow_id, f.step"),
            (Lines{"1|'a'", "2|'b'", "1|'a'"}));
}

TEST(TraceTablesTest, TellDiagnosticsAndBookmarks) {
  TimelineBuilder builder;
  builder.slices(builder.thread(builder.process("1"), "1")).end(5, kNoName, 0);
  builder.diagnostics().count(diagnostic::kBadTime, 12);
  QueryInput input = test::input_of(builder.finish());
  input.bookmarks = {{.time_ns = 3, .begin_ns = 1, .end_ns = 9, .note = "here"}};
  QueryDatabase database({std::move(input)});
  EXPECT_EQ(lines_of(database,
                     "SELECT trace_id, code, severity, count, first_offset FROM "
                     "diagnostic ORDER BY code"),
            (Lines{"1|'bad_time'|'damage'|1|12", "1|'stray_end'|'odd'|1|0"}));
  EXPECT_EQ(line_of(database, "SELECT * FROM bookmark"), "1|1|3|1|9|'here'");
}

TEST(TraceTablesTest, TellPauses) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  builder.slices(builder.thread(process, "1")).complete(0, 100, builder.intern("a"), 0);
  builder.pauses(process, {{10, 20}, {40, 45}});
  QueryDatabase database({test::input_of(builder.finish())});
  EXPECT_EQ(lines_of(database, "SELECT * FROM pause"), (Lines{"1|1|1|10|10", "2|1|1|40|5"}));
}

TEST(TraceTablesTest, TellTheFilesOfOneTimelineApart) {
  const auto part = [](const char* name, int count) {
    TimelineBuilder builder;
    const ProcessId process = builder.process("1");
    for (int i = 0; i < count; ++i) {
      builder.slices(builder.thread(process, "1"))
          .complete(i * 10, 5, builder.intern(name), static_cast<RecordOffset>(i));
    }
    builder.counter_value(builder.counter(process, builder.intern("c")), kEmptyString, 3, 1);
    return TimelinePart{
        .timeline = builder.finish(), .label = name, .file = {name, "/tmp/" + std::string(name)}};
  };
  std::vector<TimelinePart> parts;
  parts.push_back(part("a", 2));
  parts.push_back(part("b", 3));
  QueryDatabase database({test::input_of(merge_timelines(std::move(parts), 1)),
                          test::input_of(part("c", 1).timeline)});
  EXPECT_EQ(lines_of(database, "SELECT trace_id, trace_name, path, slices FROM trace"),
            (Lines{"1|'a'|'/tmp/a'|2", "2|'b'|'/tmp/b'|3", "3|'a.json'|'/tmp/a.json'|1"}));
  EXPECT_EQ(lines_of(database, "SELECT trace_id, count(*), min(name) FROM slice GROUP BY trace_id"),
            (Lines{"1|2|'a'", "2|3|'b'", "3|1|'c'"}));
  EXPECT_EQ(lines_of(database,
                     "SELECT trace_id, trace_name FROM thread_slice WHERE trace_name = "
                     "'b' AND ts = 0"),
            (Lines{"2|'b'"}));
  EXPECT_EQ(line_of(database, "SELECT group_concat(trace_id) FROM counter_sample"), "'1,2,3'");
}

// What a record says is made of its number.
class SpeakingSource final : public TraceSource {
 public:
  Status load(TimelineBuilder&, LoadContext&) override { return ok(); }
  const Input& input() const override { return input_; }
  RecordOffset record_end() const override { return 1 << 20; }
  bool records_stay() const override { return true; }

 protected:
  RecordText read_record(RecordOffset record, RecordOffset) const override {
    const std::string number = std::to_string(record);
    return {.category = record % 2 == 0 ? "even" : "",
            .args = parse_args(R"({"n":)" + number + R"(,"data":{"url":"u)" + number +
                               R"(","list":[true,null,{"x":1.5}],"none":{}},"e":""})")};
  }

 private:
  Input input_ = Input::from_memory("speaking", {});
};

QueryInput speaking_input() {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  for (RecordOffset i = 0; i < 3000; ++i) {
    builder.slices(thread).complete(static_cast<std::int64_t>(i), 1, builder.intern("a"), i);
  }
  builder.instant(thread, 5, builder.intern("i"), 3000);
  QueryInput input = test::input_of(builder.finish());
  input.source = std::make_shared<SpeakingSource>();
  return input;
}

TEST(TraceTablesTest, ReadArgumentsAgain) {
  QueryDatabase database({speaking_input()});
  EXPECT_EQ(lines_of(database, "SELECT key, value, number, type FROM arg WHERE slice_id = 8"),
            (Lines{"'n'|'7'|7|'number'", "'data.url'|'u7'|NULL|'text'",
                   "'data.list[0]'|'true'|NULL|'bool'", "'data.list[1]'|NULL|NULL|'null'",
                   "'data.list[2].x'|'1.5'|1.5|'number'", "'e'|''|NULL|'text'"}));
  EXPECT_EQ(line_of(database, "SELECT count(*), count(slice_id), count(instant_id) FROM arg"),
            "18006|18000|6");
  EXPECT_EQ(line_of(database, "SELECT value FROM arg WHERE instant_id = 1 AND key = 'data.url'"),
            "'u3000'");
  EXPECT_EQ(line_of(database,
                    "SELECT sum(a.number) FROM slice s JOIN arg a USING (trace_id, "
                    "slice_id) WHERE s.ts BETWEEN 10 AND 19 AND a.key = 'n'"),
            "145");
  EXPECT_EQ(line_of(database,
                    "SELECT count(*) FROM arg WHERE slice_id IN (1, 2, 99999) AND key "
                    "LIKE 'data.%'"),
            "8");
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM arg WHERE slice_id = 1 AND instant_id = 1"),
            "0");
}

TEST(TraceTablesTest, ReadCategoriesAgain) {
  QueryDatabase database({speaking_input()});
  EXPECT_EQ(line_of(database, "SELECT count(*), count(category) FROM slice"), "3000|1500");
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM slice WHERE category = 'even' AND ts < 100"),
            "50");
  EXPECT_EQ(lines_of(database, "SELECT category FROM slice WHERE slice_id IN (1, 2, 2001)"),
            (Lines{"'even'", "NULL", "'even'"}));
}

}  // namespace
}  // namespace cinderscope
