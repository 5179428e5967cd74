// name_stat and call_tree: what their parameters choose, and totals that somebody else worked out.
#include "ingest/sql/functions/statistics_parts.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/model/slice_set.h"
#include "ingest/totals/precomputed/precompute.h"
#include "tests/support/queries.h"

namespace cinderscope {
namespace {

using Lines = std::vector<std::string>;

// Nested calls of a few names on three threads, the last of which also has calls that overlap.
Timeline many_calls() {
  TimelineBuilder builder;
  std::mt19937 random(7);
  const ProcessId process = builder.process("1");
  RecordOffset record = 0;
  for (const char* tid : {"1", "2", "3"}) {
    TrackWriter& writer = builder.slices(builder.thread(process, tid));
    for (int i = 0; i < 400; ++i) {
      const std::int64_t begin_ns = i * 1000, length_ns = 300 + random() % 700;
      writer.complete(begin_ns, length_ns, builder.intern("call " + std::to_string(random() % 5)),
                      ++record);
      writer.complete(begin_ns + 50, length_ns / 2,
                      builder.intern("call " + std::to_string(random() % 5)), ++record);
      if (*tid == '3' && i % 7 == 0) {
        writer.complete(begin_ns + length_ns - 20, 60, builder.intern("odd"), ++record);
      }
    }
  }
  return builder.finish();
}

class StatisticsPartsTest : public testing::Test {
 protected:
  Lines asked(const std::string& text, std::shared_ptr<const PrecomputedTotals> totals) {
    test::LineSink sink;
    const std::atomic<bool> cancelled = false;
    const QueryOutcome outcome =
        database_.run({.text = text, .totals = {std::move(totals)}}, cancelled, sink);
    if (!outcome.ok()) sink.lines.push_back("error: " + outcome.text());
    return sink.lines;
  }

  QueryInput input_ = test::input_of(many_calls());
  QueryDatabase database_{{input_}};
};

TEST_F(StatisticsPartsTest, AnswersAreTheSameWithTotalsThatAreKnown) {
  const auto totals = precomputed_totals_of(*slice_set_of(*input_.timeline), 2, nullptr,
                                            kMostPrecomputedBytes, {.slices = 64});
  ASSERT_NE(totals, nullptr);
  for (const char* where :
       {"", "WHERE from_ts = 100000 AND to_ts = 300000", "WHERE from_ts = 12345",
        "WHERE from_ts = 100000 AND to_ts = 300000 AND whole = 1", "WHERE in_thread = 3",
        "WHERE in_thread = 2 AND to_ts = 4000", "WHERE slices = 'both'",
        "WHERE weight = 'calls'"}) {
    const std::string text = std::string("SELECT * FROM name_stat ") + where + " ORDER BY name";
    QueryDatabase plain({input_});  // answers are kept
    const Lines wanted = test::lines_of(plain, text);
    EXPECT_GT(wanted.size(), 3U) << where;
    EXPECT_EQ(asked(text, totals), wanted) << where;
  }
}

// So nothing is added up again.
TEST_F(StatisticsPartsTest, TotalsOfARunAreTaken) {
  const auto totals = precomputed_totals_of(*slice_set_of(*input_.timeline), 1, nullptr);
  ASSERT_NE(totals, nullptr);
  auto others = std::make_shared<PrecomputedTotals>(*totals);
  for (auto& segments : others->of_track) {
    for (PrecomputedSegment& segment : segments) {
      for (auto& [name, sums] : segment.sums) sums.self_ns = 1;
    }
  }
  EXPECT_EQ(asked("SELECT DISTINCT self FROM name_stat WHERE in_thread = 1", others), Lines{"1"});
  EXPECT_EQ(asked("SELECT count(*) FROM name_stat WHERE in_thread = 2", nullptr), Lines{"5"});
}

TEST_F(StatisticsPartsTest, CallTreeCutsCallsAtTheEndsOfARange) {
  EXPECT_EQ(asked("SELECT * FROM call_tree WHERE from_ts = 0 AND to_ts = 1000 AND whole = 1", {}),
            Lines{"error: call_tree cuts calls at the ends of a range: whole is 0"});
  EXPECT_EQ(asked("SELECT * FROM call_tree WHERE from_ts = 5 AND whole = 1", {}),
            Lines{"error: call_tree cuts calls at the ends of a range: whole is 0"});
  // Without a range there are no ends.
  const Lines all = asked("SELECT * FROM call_tree", {});
  EXPECT_GT(all.size(), 20U);
  EXPECT_EQ(asked("SELECT * FROM call_tree WHERE whole = 1", {}), all);
  EXPECT_EQ(asked("SELECT sum(self) FROM call_tree(0, 2000)", {}),
            asked("SELECT sum(self) FROM name_stat(0, 2000)", {}));
}

}  // namespace
}  // namespace cinderscope
