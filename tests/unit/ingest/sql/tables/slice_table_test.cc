#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ingest/build/timeline_builder.h"
#include "ingest/model/slice_nesting.h"
#include "ingest/sql/slice_numbers.h"
#include "tests/support/queries.h"

namespace cinderscope {
namespace {

using test::line_of;
using test::lines_of;
using Lines = std::vector<std::string>;

// Short times, so that slices often begin or end together, have no length, or partly overlap.
Timeline random_trace(unsigned seed, bool overlaps, int count) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t limit) { return static_cast<int>(random() % limit); };
  TimelineBuilder builder;
  RecordOffset record = 0;
  for (const char* pid : {"1", "2"}) {
    const ProcessId process = builder.process(pid);
    if (below(2) == 0) builder.process_facts(process).name = builder.intern("process");
    for (const char* tid : {"10", "11"}) {
      const ThreadId thread = builder.thread(process, tid);
      if (below(2) == 0) builder.thread_facts(thread).name = builder.intern("worker");
      TrackWriter& writer = builder.slices(thread);
      std::vector<std::int64_t> ends;
      std::int64_t now = below(20);
      for (int i = 0; i < count; ++i) {
        const StringId name = builder.intern("n" + std::to_string(below(6)));
        now += below(4);
        std::erase_if(ends, [&](std::int64_t end) { return end <= now; });
        std::int64_t duration = below(12);
        if (!overlaps && !ends.empty()) duration = std::min(duration, ends.back() - now);
        if (!overlaps && duration > 0) ends.push_back(now + duration);
        if (below(40) == 0 && overlaps) {
          writer.complete_unfinished(now, name, record++, kCutBegin);
        } else {
          writer.complete(now, duration, name, record++);
        }
        if (below(5) == 0) builder.instant(thread, now + below(9), name, record++);
      }
    }
    const AsyncTrackId async = builder.async_track(process, builder.intern("load"));
    for (int i = 0; i < 20; ++i) {
      const RecordOffset own = record++;
      const std::int64_t begin = below(200);
      builder.async_group(
          async,
          {{.slice = {.begin_ns = begin,
                      .duration_ns = 20,
                      .name = builder.intern("load"),
                      .record = own}}},
          {{.mark = {.begin_ns = begin + 3, .name = builder.intern("step"), .record = record++},
            .on_slice = own}});
    }
  }
  return builder.finish();
}

std::vector<QueryInput> two_traces(unsigned seed, int count = 120) {
  std::vector<QueryInput> inputs;
  inputs.push_back(test::input_of(random_trace(seed, false, count)));
  inputs.push_back(test::input_of(random_trace(seed + 1, true, count / 3)));
  return inputs;
}

// Random conditions of the forms that tables take over, and a few that they do not.
class Conditions {
 public:
  explicit Conditions(unsigned seed) : random_(seed) {}

  std::string select() {
    std::string text = "SELECT slice_id, ts, dur, name FROM thread_slice";
    const int count = below(4);
    for (int i = 0; i < count; ++i) text += (i == 0 ? " WHERE " : " AND ") + condition();
    return text;
  }
  std::string condition() {
    const auto number = [&](const char* column, int most) {
      return std::string(column) + comparison(most);
    };
    switch (below(20)) {
      case 0:
        return number("slice_id", 2000);
      case 1:
        return number("track_id", 8);
      case 2:
        return number("thread_id", 8);
      case 3:
        return number("process_id", 4);
      case 4:
        return number("trace_id", 3);
      case 5:
        return number("depth", 5);
      case 6:
        return number("ts", 500);
      case 7:
        return number("ts_end", 500);
      case 8:
        return number("dur", 12);
      case 9:
        return number("self_dur", 12);
      case 10:
        return number("parent_slice_id", 2000);
      case 11:
        return number("name_id", 20);
      case 12:
        return std::string(pick({"unfinished", "overlapping", "cut_begin", "cut_end"})) + " = " +
               std::to_string(below(2));
      case 13:
        return "name " + std::string(pick({"=", "<>", "IS", "<", ">="})) + " " + name();
      case 14:
        return "name IN (" + name() + ", " + name() + ", 5)";
      case 15:
        return "name " + std::string(pick({"LIKE 'N%'", "LIKE '%3'", "GLOB 'n[1-3]'", "GLOB 'N*'",
                                           "LIKE NULL", "= 3", "= NULL"}));
      case 16:
        return "thread_name = 'worker'";
      case 17:
        return "tid " + std::string(pick({"= '10'", "= 10", "IN ('11')", "<> '10'"}));
      case 18:
        return "process_name " + std::string(pick({"LIKE 'p%'", "IS NULL", "= 'process'"}));
      default:
        return "ts < 400 AND ts_end > " + std::to_string(below(400));
    }
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  const char* pick(std::initializer_list<const char*> of) {
    return of.begin()[below(static_cast<int>(of.size()))];
  }
  std::string name() { return "'n" + std::to_string(below(7)) + "'"; }
  std::string value(int most) {
    const std::string number = std::to_string(below(most));
    switch (below(12)) {
      case 0:
        return number + ".5";
      case 1:
        return "'" + number + "'";
      case 2:
        return number + ".0";
      case 3:
        return pick({"NULL", "'x'", "-1", "x''", "1e30", "-1e30", "9223372036854775807",
                     "-9223372036854775808"});
      default:
        return number;
    }
  }
  std::string comparison(int most) {
    switch (below(4)) {
      case 0:
        return " IN (" + value(most) + ", " + value(most) + ", " + value(most) + ")";
      case 1:
        return " BETWEEN " + value(most) + " AND " + value(most);
      default:
        return std::string(" ") + pick({"=", "<", "<=", ">", ">=", "<>", "=="}) + " " + value(most);
    }
  }

  std::mt19937 random_;
};

Lines sorted(Lines lines) {
  std::ranges::sort(lines);
  return lines;
}

TEST(SliceTableTest, GivesWhatSqliteWouldFindByItself) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    QueryDatabase helped(two_traces(seed)), plain(two_traces(seed), {.plain = true});
    Conditions conditions(seed);
    for (int i = 0; i < 150; ++i) {
      const std::string text = conditions.select();
      ASSERT_EQ(sorted(lines_of(helped, text)), sorted(lines_of(plain, text))) << text;
    }
  }
}

TEST(SliceTableTest, FindsNumbersAndParentsOfLists) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    QueryDatabase helped(two_traces(seed)), plain(two_traces(seed), {.plain = true});
    for (int first = -3; first < 700; first += 37) {
      std::string list;
      for (int i = first; i < first + 60; ++i) {
        if (i % 11 != 0) list += (list.empty() ? "" : ", ") + std::to_string(i);
      }
      for (const std::string column : {"slice_id", "parent_slice_id", "track_id", "ts", "dur"}) {
        const std::string text =
            "SELECT slice_id FROM slice WHERE " + column + " IN (" + list + ") ORDER BY slice_id";
        EXPECT_EQ(lines_of(helped, text), lines_of(plain, text)) << text;
      }
    }
  }
}

TEST(SliceTableTest, KeepsTheOrdersThatItTakesOver) {
  QueryDatabase helped(two_traces(7)), plain(two_traces(7), {.plain = true});
  Conditions conditions(7);
  for (int i = 0; i < 40; ++i) {
    const std::string where = " FROM thread_slice WHERE " + conditions.condition();
    const std::string limit =
        " LIMIT " + std::to_string(i % 9) + " OFFSET " + std::to_string(i % 4);
    for (const std::string& text :
         {"SELECT ts" + where + " ORDER BY ts", "SELECT ts" + where + " ORDER BY ts DESC",
          "SELECT slice_id" + where + " ORDER BY slice_id",
          "SELECT dur" + where + " ORDER BY dur DESC" + limit,
          "SELECT dur" + where + " ORDER BY dur" + limit,
          "SELECT ts" + where + " ORDER BY ts" + limit}) {
      ASSERT_EQ(lines_of(helped, text), lines_of(plain, text)) << text;
    }
    for (const char* columns : {"name", "thread_id", "track_id", "depth", "trace_id"}) {
      const std::string text = "SELECT DISTINCT " + std::string(columns) + where;
      ASSERT_EQ(sorted(lines_of(helped, text)), sorted(lines_of(plain, text))) << text;
      const std::string group = "SELECT " + std::string(columns) + ", count(*), sum(dur)" + where +
                                " GROUP BY " + columns;
      ASSERT_EQ(sorted(lines_of(helped, group)), sorted(lines_of(plain, group))) << group;
    }
  }
}

TEST(SliceTableTest, JoinsAsSqliteWould) {
  QueryDatabase helped(two_traces(11, 60)), plain(two_traces(11, 60), {.plain = true});
  Conditions conditions(11);
  for (int i = 0; i < 30; ++i) {
    const std::string where = " WHERE a.slice_id IN (SELECT slice_id FROM thread_slice WHERE " +
                              conditions.condition() + ")";
    for (const std::string& text :
         {"SELECT a.slice_id, b.slice_id FROM slice a JOIN slice b ON b.parent_slice_id = "
          "a.slice_id" +
              where,
          "SELECT a.slice_id, b.name FROM slice a LEFT JOIN slice b ON b.slice_id = "
          "a.parent_slice_id" +
              where,
          "SELECT a.slice_id, count(*) FROM slice a JOIN slice b ON b.ts < a.ts_end AND b.ts_end > "
          "a.ts AND b.track_id = a.track_id" +
              where + " GROUP BY a.slice_id",
          "SELECT a.slice_id, (SELECT c.slice_id FROM slice c WHERE c.parent_slice_id = a.slice_id "
          "ORDER BY c.ts, c.slice_id LIMIT 1) FROM slice a" +
              where}) {
      ASSERT_EQ(sorted(lines_of(helped, text)), sorted(lines_of(plain, text))) << text;
    }
  }
}

TEST(SliceTableTest, NestsAsTheWindowDoes) {
  for (const bool overlaps : {false, true}) {
    Timeline timeline = random_trace(3, overlaps, 400);
    QueryDatabase database({test::input_of(timeline)});
    const SliceNumbers& numbers = database.slice_numbers();
    const Lines lines = lines_of(database,
                                 "SELECT slice_id, ifnull(parent_slice_id, 0), depth, self_dur "
                                 "FROM slice ORDER BY slice_id");
    std::size_t at = 0;
    for (const NumberedRow& row : numbers.rows()) {
      for (std::uint64_t i = 0; row.kind == TrackKind::thread && i < row.count(); ++i) {
        const SliceRef slice{row.track, row.block, row.row, i};
        EXPECT_EQ(lines.at(at++),
                  fmt::format("{}|{}|{}|{}", row.first_number + i,
                              numbers.number_of(0, parent_of(timeline, slice)),
                              depth_of(timeline, slice) + 1, self_ns(timeline, slice)));
      }
    }
    EXPECT_EQ(at, lines.size());
  }
}

// Calls that were read after the load, the later ones first.
Timeline trace_with_blocks() {
  TimelineBuilder builder;
  const StringId outer = builder.intern("outer"), inner = builder.intern("inner");
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  for (const std::int64_t begin_ns : {0, 200}) {
    writer.complete(begin_ns, 100, outer, static_cast<RecordOffset>(begin_ns));
  }
  Timeline timeline = builder.finish();
  const auto row_of = [&](const std::vector<Slice>& slices) {
    SliceRow row;
    row.chunks.push_back(SliceChunk::seal(slices, timeline.strings.get()));
    return row;
  };
  for (const std::uint64_t parent : {1u, 0u}) {
    const auto begin_ns = static_cast<std::int64_t>(parent) * 200;
    auto block = std::make_shared<SliceBlock>();
    block->base_depth = 1;
    block->parent_slice = parent;
    block->rows.push_back(row_of({{begin_ns + 10, 20, inner}, {begin_ns + 40, 30, inner}}));
    block->rows.push_back(row_of({{begin_ns + 45, 5, outer}}));
    timeline.tracks[0].blocks.push_back(std::move(block));
  }
  timeline.tracks[0].blocks.push_back(nullptr);  // one that was evicted
  return timeline;
}

TEST(SliceTableTest, HasCallsThatWereReadLater) {
  QueryDatabase helped({test::input_of(trace_with_blocks())});
  QueryDatabase plain({test::input_of(trace_with_blocks())}, {.plain = true});
  EXPECT_EQ(lines_of(helped, "SELECT slice_id, ts, depth, parent_slice_id, self_dur FROM slice"),
            (Lines{"1|0|1|NULL|50", "2|200|1|NULL|50", "3|210|2|2|20", "4|240|2|2|25",
                   "5|245|3|4|5", "6|10|2|1|20", "7|40|2|1|25", "8|45|3|7|5"}));
  EXPECT_EQ(lines_of(helped, "SELECT slice_id FROM slice ORDER BY ts"),
            (Lines{"1", "6", "7", "8", "2", "3", "4", "5"}));
  Conditions conditions(3);
  for (int i = 0; i < 200; ++i) {
    const std::string text = conditions.select();
    ASSERT_EQ(sorted(lines_of(helped, text)), sorted(lines_of(plain, text))) << text;
  }
  const std::string children =
      "SELECT a.slice_id, b.slice_id FROM slice a JOIN slice b ON b.parent_slice_id = a.slice_id";
  EXPECT_EQ(sorted(lines_of(helped, children)), sorted(lines_of(plain, children)));
}

TEST(SliceTableTest, PutsWhatIsNoCallIntoTablesOfItsOwn) {
  QueryDatabase database(two_traces(5, 30));
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM async_slice"), "80");
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM async_step"), "80");
  EXPECT_EQ(line_of(database,
                    "SELECT count(*) FROM async_step JOIN async_slice s USING (slice_id) "
                    "WHERE async_step.ts = s.ts + 3"),
            "80");
  EXPECT_EQ(line_of(database,
                    "SELECT count(*) FROM slice JOIN track USING (track_id) WHERE "
                    "kind <> 'thread'"),
            "0");
  EXPECT_EQ(line_of(database,
                    "SELECT max(slice_id) = count(*) FROM (SELECT slice_id FROM slice "
                    "UNION ALL SELECT slice_id FROM async_slice)"),
            "1");
}

TEST(SliceTableTest, FindsTheInnermostCallAroundAnInstant) {
  QueryDatabase database(two_traces(9));
  EXPECT_EQ(line_of(database,
                    "SELECT count(*) FROM instant i WHERE slice_id IS NOT (SELECT s.slice_id FROM "
                    "slice s WHERE s.track_id = i.track_id AND s.ts <= i.ts AND s.ts_end > i.ts "
                    "ORDER BY s.ts DESC, s.ts_end, s.slice_id DESC LIMIT 1)"),
            "0");
  EXPECT_NE(line_of(database, "SELECT count(slice_id) FROM instant"), "0");
}

TEST(SliceTableTest, RefusesBadPatterns) {
  QueryDatabase database(two_traces(5, 30));
  EXPECT_EQ(line_of(database, "SELECT count(*) FROM slice WHERE name LIKE '" +
                                  std::string(20'000, 'x') + "'"),
            "error: LIKE or GLOB pattern too complex");
}

}  // namespace
}  // namespace cinderscope
