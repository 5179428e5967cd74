#include "ingest/totals/picked_slices_walk.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"
#include "ingest/model/flow_links.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

using test::kGoOn;

// cpu: op [0, 100) with launch [10, 30) and helper [40, 45), other [200, 300); gpu: kernel
// [50, 150) with inner [60, 80), idle [160, 170). A flow leads from launch to kernel.
class PickedSlicesWalkTest : public testing::Test {
 protected:
  PickedSlicesWalkTest() {
    TimelineBuilder builder;
    const ProcessId process = builder.process("1");
    const ThreadId cpu = builder.thread(process, "1"), gpu = builder.thread(process, "2");
    TrackWriter& on_cpu = builder.slices(cpu);
    on_cpu.complete(0, 100, builder.intern("op"), 0);
    on_cpu.complete(10, 20, builder.intern("launch"), 0);
    on_cpu.complete(40, 5, builder.intern("helper"), 0);
    on_cpu.complete(200, 100, builder.intern("other"), 0);
    TrackWriter& on_gpu = builder.slices(gpu);
    on_gpu.complete(50, 100, builder.intern("kernel"), 0);
    on_gpu.complete(60, 20, builder.intern("inner"), 0);
    on_gpu.complete(160, 10, builder.intern("idle"), 0);
    builder.flow(builder.intern("f"), false,
                 {{cpu, 15, FlowBinding::enclosing}, {gpu, 50, FlowBinding::enclosing}});
    timeline_ = builder.finish();
    slices_ = slice_set_of(timeline_);
  }
  static Scope connected(std::uint32_t row, std::int64_t begin_ns = INT64_MIN,
                         std::int64_t end_ns = INT64_MAX) {
    return {.begin_ns = begin_ns,
            .end_ns = end_ns,
            .set = std::string(kConnectedSet),
            .connected_with = {TrackId{0}, BlockId{}, row, 0}};
  }
  // "name count total self" of each.
  std::vector<std::string> measured(const StatisticsQuery& query) const {
    std::vector<std::string> lines;
    const SliceStatistics statistics = slice_statistics(*slices_, query);
    EXPECT_TRUE(statistics.ranks_known);
    EXPECT_EQ(statistics.call_count, call_count(*slices_, query));
    for (const NameStatistics& name : statistics.names) {
      lines.push_back(std::string(timeline_.text(name.name)) + " " + std::to_string(name.count) +
                      " " + std::to_string(name.total_ns) + " " + std::to_string(name.self_ns));
      EXPECT_EQ(name.max_ns, name.median_ns);
      EXPECT_TRUE(name.longest);
    }
    return lines;
  }
  using Lines = std::vector<std::string>;

  Timeline timeline_;
  std::shared_ptr<const SliceSet> slices_;
};

TEST_F(PickedSlicesWalkTest, StatisticsMeasureTheSetWithItsOwnSelfTimes) {
  // The time of calls inside is not their own, though those are not in the set.
  EXPECT_EQ(measured({.scope = connected(1)}), (Lines{"kernel 1 100 80", "launch 1 20 20"}));
  EXPECT_EQ(measured({.scope = connected(0)}),
            (Lines{"op 1 100 75", "kernel 1 100 80", "launch 1 20 20"}));
  const SliceStatistics all = slice_statistics(*slices_, {.scope = connected(1)});
  EXPECT_EQ(all.begin_ns, 10);
  EXPECT_EQ(all.end_ns, 150);
  EXPECT_EQ(all.track_count, 2u);
}

TEST_F(PickedSlicesWalkTest, RangeAndThreadsLimitASetAsTheyLimitAllCalls) {
  EXPECT_EQ(measured({.scope = connected(1, 20, 70)}), (Lines{"kernel 1 20 10", "launch 1 10 10"}));
  EXPECT_EQ(measured({.scope = connected(1, 20, 70), .whole_calls = true}),
            (Lines{"kernel 1 100 80", "launch 1 20 20"}));
  EXPECT_EQ(measured({.scope = connected(1, 140, 500)}), (Lines{"kernel 1 10 10"}));
  Scope gpu = connected(1);
  gpu.tracks = {TrackId{1}};
  EXPECT_EQ(measured({.scope = gpu}), (Lines{"kernel 1 100 80"}));
  Scope nothing = connected(1);
  nothing.connected_with = {};
  EXPECT_TRUE(measured({.scope = nothing}).empty());
}

TEST_F(PickedSlicesWalkTest, TheFlameGraphPutsTheSetBelowCallersOfTheSet) {
  const AggregatedCallTree tree = aggregate_calls(*slices_, connected(0), kGoOn);
  std::vector<std::string> lines;
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const CallTreeNode& node = tree.nodes[i];
    lines.push_back(std::to_string(node.depth) + " " + std::string(timeline_.text(node.name)) +
                    " " + std::to_string(node.total_ns));
  }
  EXPECT_EQ(lines, (Lines{"1 op 100", "2 launch 20", "1 kernel 100"}));
  EXPECT_EQ(tree.nodes.front().total_ns, 200);
  const AggregatedCallTree launch = aggregate_calls(*slices_, connected(1), kGoOn);
  ASSERT_EQ(launch.nodes.size(), 3u);
  EXPECT_EQ(launch.nodes[1].depth, 1u);  // op, its caller, is not in the set
}

TEST_F(PickedSlicesWalkTest, StretchesAreJoinedWhereSlicesTouchOrContainEachOther) {
  const PickedSlices picked = picked_slices({{TrackId{0}, BlockId{}, 0, 0},
                                             {TrackId{0}, BlockId{}, 1, 0},
                                             {TrackId{0}, BlockId{}, 0, 1}});
  const std::vector<PickedStretch> stretches = picked_stretches(slices_->tracks[0], picked, {});
  ASSERT_EQ(stretches.size(), 2u);
  EXPECT_EQ(stretches[0].begin_ns, 0);
  EXPECT_EQ(stretches[0].end_ns, 100);
  EXPECT_EQ(stretches[1].begin_ns, 200);
}

}  // namespace
}  // namespace cinderscope
