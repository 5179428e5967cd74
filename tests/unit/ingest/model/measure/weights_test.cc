#include "ingest/model/measure/weights.h"

#include <gtest/gtest.h>

#include "ingest/model/measure/time_axis.h"

namespace cinderscope {
namespace {

TEST(Weights, AreFoundByNameAndByNumber) {
  const std::vector<Weight> weights = {{"1", "x"}, {"cpu", "nanoseconds"}};
  EXPECT_EQ(find_weight(weights, "cpu"), 1u);
  EXPECT_EQ(find_weight(weights, "1"), 0u);
  EXPECT_EQ(find_weight(weights, "0"), 0u);
  EXPECT_EQ(find_weight(weights, "2"), std::nullopt);
  EXPECT_EQ(find_weight(weights, ""), std::nullopt);
  EXPECT_EQ(weight_names(weights), "1, cpu");
}

TEST(TimeAxis, ComparesByKindAndByAll) {
  const TimeAxis bytes("bytes", 1), samples("samples", 1000);
  EXPECT_TRUE(bytes == TimeAxis::events);
  EXPECT_FALSE(bytes == TimeAxis::nanoseconds);
  EXPECT_FALSE(bytes == samples);
  EXPECT_EQ(bytes.word(), "bytes");
  EXPECT_EQ(TimeAxis(TimeAxis::events).word(), "events");
  EXPECT_EQ(TimeAxis("2345678901234567890123ü", 1).word(), "2345678901234567890123");
}

}  // namespace
}  // namespace cinderscope
