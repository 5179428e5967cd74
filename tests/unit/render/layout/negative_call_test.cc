#include <gtest/gtest.h>

#include <atomic>

#include "ingest/build/timeline_builder.h"
#include "ingest/model/slice_set.h"
#include "render/layout/flame_graph_layout.h"

namespace cinderscope {
namespace {

const std::atomic<bool> kNotCancelled = false;

// The calls of the tree that are below zero, by name, of two threads with the same calls.
std::string negative_names(const std::vector<Weight>& weights, int threads) {
  TimelineBuilder builder;
  for (int i = 0; i < threads; ++i) {
    TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), std::to_string(i)));
    slices.complete(0, 100, builder.intern("all"), 1);
    slices.complete(0, 60, builder.intern("more"), 2);
    slices.complete(60, 40, builder.intern("less"), 3, kNegative);
  }
  if (!weights.empty()) builder.use_weights(weights, 0);
  const Timeline timeline = builder.finish();
  const AggregatedCallTree tree = aggregate_calls(*slice_set_of(timeline), {}, kNotCancelled);
  std::string names;
  for (const CallTreeNode& node : tree.nodes) {
    if (is_negative(timeline, node)) names += std::string(timeline.text(node.name)) + ";";
  }
  return names;
}

TEST(NegativeCallTest, IsTheSliceOfNegativeWeight) {
  EXPECT_EQ(negative_names({{"samples", "samples"}}, 1), "less;");
}

TEST(NegativeCallTest, OfSeveralSlicesTheSignOfOneSaysNothing) {
  EXPECT_EQ(negative_names({{"samples", "samples"}}, 2), "");
}

TEST(NegativeCallTest, OnlyWeightsHaveSigns) {
  EXPECT_EQ(negative_names({}, 1), "");
}

}  // namespace
}  // namespace cinderscope
