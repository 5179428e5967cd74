#include "app/cli/bench/question_bench.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// One call of "once" in the middle of 100 of "often".
Timeline calls() {
  TimelineBuilder builder;
  const StringId often = builder.intern("often \"quoted\""), once = builder.intern("once");
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  for (std::int64_t i = 0; i < 101; ++i) {
    writer.complete(i * 1000, 900, i == 50 ? once : often, static_cast<RecordOffset>(i));
  }
  return builder.finish();
}

TEST(QuestionBenchTest, AsksForAFrequentARareAndAnAbsentName) {
  const std::vector<SearchCost> costs = measure_searches(calls(), 2, 1);
  ASSERT_EQ(costs.size(), 3u);
  EXPECT_EQ(costs[0].name, "frequent");
  EXPECT_EQ(costs[0].matches, 100u);
  EXPECT_EQ(costs[1].matches, 1u);
  EXPECT_EQ(costs[2].matches, 0u);
  for (const SearchCost& cost : costs) {
    EXPECT_GE(cost.first_ms, 0);
    EXPECT_GE(cost.count_ms, cost.first_ms);
  }
}

TEST(QuestionBenchTest, MeasuresTheWholeTraceAndItsMiddle) {
  const std::vector<StatisticsCost> costs = measure_statistics(calls(), 1, 1).parts;
  ASSERT_EQ(costs.size(), 3u);
  EXPECT_EQ(costs[0].calls, 101u);
  EXPECT_EQ(costs[0].names, 2u);
  EXPECT_NEAR(static_cast<double>(costs[1].calls), 51, 1);
  EXPECT_NEAR(static_cast<double>(costs[2].calls), 11, 1);
}

TEST(QuestionBenchTest, AnEmptyTraceCostsNothing) {
  EXPECT_TRUE(measure_searches(Timeline{}, 1, 1).empty());
  EXPECT_TRUE(measure_statistics(Timeline{}, 1, 1).parts.empty());
}

TEST(QuestionBenchTest, TakesTheMiddleOfTheRuns) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 3);
  EXPECT_EQ(median({}), 0);
}

}  // namespace
}  // namespace cinderscope
