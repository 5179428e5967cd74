#include "ingest/totals/call_tree_outline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/totals/call_tree_edits.h"
#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

using test::kGoOn;

std::string chain_of(const AggregatedCallTree& tree, const Timeline& timeline, std::uint32_t node) {
  std::string chain;
  for (; node != 0; node = tree.nodes[node].caller) {
    chain = "/" + std::string(timeline.text(tree.nodes[node].name)) + chain;
  }
  return chain;
}

struct ChainSums {
  std::uint64_t count = 0;
  std::int64_t total_ns = 0;
  bool operator==(const ChainSums&) const = default;
};
std::map<std::string, ChainSums> sums_by_chain(const AggregatedCallTree& tree,
                                               const Timeline& timeline) {
  std::map<std::string, ChainSums> sums;
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    sums[chain_of(tree, timeline, i)] = {tree.nodes[i].count, tree.nodes[i].total_ns};
  }
  EXPECT_EQ(sums.size() + 1, tree.nodes.size());
  return sums;
}

// Deep calls that a random walk makes, as tests/bench/make_flow does: the stack is hardly ever
// empty, and chains are all but endless.
Timeline deep_calls(std::uint64_t seed, int events, unsigned depth, bool overlaps = false) {
  std::mt19937_64 random(seed);
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  std::vector<unsigned> open;
  for (int time = 0; time < events; ++time) {
    const auto dice = random();
    const bool enters = open.empty() || dice % (2 * depth) >= open.size();
    if (enters) {
      const unsigned caller = open.empty() ? 0 : open.back();
      const auto few = static_cast<unsigned>(dice >> 20) % 8;
      open.push_back((caller * 31 + (few < 6 ? few % 2 : few) * 79 + 1) % 126);
      slices.begin(time, builder.intern("f" + std::to_string(open.back())), 1);
    } else {
      slices.end(time, kNoName, 1);
      open.pop_back();
    }
  }
  while (!open.empty()) {
    slices.end(events, kNoName, 1);
    open.pop_back();
  }
  if (overlaps) {
    slices.complete(10, 20, builder.intern("a"), 1);
    slices.complete(15, 20, builder.intern("b"), 1);
  }
  return builder.finish();
}

// A thread whose first part has more chains than there may be nodes, and then works evenly.
TEST(CallTreeOutlineTest, WhatComesLateHasNodesToo) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  std::int64_t now = 0;
  slices.begin(now, builder.intern("main"), 1);
  for (int i = 0; i < 3000; ++i) {
    slices.complete(now, 1, builder.intern("start" + std::to_string(i)), 1);
    now += 2;
  }
  for (int i = 0; i < 3000; ++i) {
    slices.begin(now, builder.intern("frame"), 1);
    slices.complete(now, 60, builder.intern("draw"), 1);
    slices.end(now + 90, kNoName, 1);
    now += 100;
  }
  slices.end(now, kNoName, 1);
  const Timeline timeline = builder.finish();
  const AggregatedCallTree tree = aggregate_calls(*slice_set_of(timeline), {}, kGoOn, 1000);
  const auto sums = sums_by_chain(tree, timeline);
  ASSERT_TRUE(sums.contains("/main/frame/draw"));
  EXPECT_EQ(sums.at("/main/frame"), (ChainSums{3000, 270'000}));
  EXPECT_EQ(sums.at("/main/frame/draw"), (ChainSums{3000, 180'000}));
  EXPECT_EQ(tree.nodes.size(), 1001u);
  EXPECT_EQ(tree.left_out, 9001u - 3000 - 3000 - 1 - 997);
}

TEST(CallTreeOutlineTest, ChainsThatHaveNodesHaveAllOfTheirCalls) {
  for (const bool overlaps : {false, true}) {
    const Timeline timeline = deep_calls(5, 100'000, 12, overlaps);
    const auto slices = slice_set_of(timeline);
    Scope scopes[2];
    scopes[1].begin_ns = 20'001;
    scopes[1].end_ns = 90'003;
    for (const Scope& scope : scopes) {
      const auto all = sums_by_chain(aggregate_calls(*slices, scope, kGoOn), timeline);
      const AggregatedCallTree tree = aggregate_calls(*slices, scope, kGoOn, 2000);
      ASSERT_GT(all.size(), 4000u);
      EXPECT_GT(tree.left_out, 0u);
      std::uint64_t count = tree.left_out, expected = 0;
      for (const auto& [chain, sums] : sums_by_chain(tree, timeline)) {
        ASSERT_TRUE(all.contains(chain)) << chain;
        EXPECT_EQ(sums, all.at(chain)) << chain;
        count += sums.count;
      }
      for (const auto& [chain, sums] : all) expected += sums.count;
      EXPECT_EQ(count, expected);
    }
  }
}

// The flame graph of such a trace was nearly empty: what goes on in its middle had no boxes.
TEST(CallTreeOutlineTest, AGraphOfDeepCallsIsFullInItsUpperLines) {
  const Timeline timeline = deep_calls(6, 400'000, 30);
  const AggregatedCallTree tree = aggregate_calls(*slice_set_of(timeline), {}, kGoOn, 4000);
  std::vector<std::int64_t> of_line(20);
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    const CallTreeNode& node = tree.nodes[i];
    if (node.depth < of_line.size()) of_line[node.depth] += node.total_ns;
  }
  const std::int64_t whole = tree.nodes[0].total_ns;
  EXPECT_GT(of_line[12], whole * 99 / 100);
  EXPECT_GT(of_line[16], whole * 9 / 10);
}

// By calls, as a trace without a clock is drawn, boxes had the width of those few that have nodes.
TEST(CallTreeOutlineTest, CallsWithoutNodesCountInsideTheirCallers) {
  const Timeline timeline = deep_calls(6, 400'000, 30);
  const auto slices = slice_set_of(timeline);
  AggregatedCallTree whole = aggregate_calls(*slices, {}, kGoOn);
  std::map<std::string, std::uint64_t> calls;
  for (std::uint32_t i = 1; i < whole.nodes.size(); ++i) {
    calls[chain_of(whole, timeline, i)] = whole.nodes[i].subtree_calls;
  }
  AggregatedCallTree tree = aggregate_calls(*slices, {}, kGoOn, 4000);
  ASSERT_GT(tree.left_out, tree.nodes.front().count / 2);
  for (int round = 0; round < 2; ++round) {
    std::uint64_t left_out = 0;
    for (const std::uint64_t below : left_out_below(tree)) left_out += below;
    EXPECT_EQ(left_out, tree.left_out);
    EXPECT_EQ(tree.nodes[0].subtree_calls, whole.nodes[0].subtree_calls);
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
      ASSERT_EQ(tree.nodes[i].subtree_calls, calls.at(chain_of(tree, timeline, i)));
    }
    tree = edited(tree, {}, kGoOn, 2000);  // fewer nodes once more
  }
}

TEST(CallTreeOutlineTest, IsTheSameFromAnyNumberOfThreads) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 20; ++round) {
    TimelineBuilder builder;
    const ProcessId process = builder.process("1");
    for (int t = 0; t < 4; ++t) {
      TrackWriter& slices = builder.slices(builder.thread(process, std::to_string(t)));
      int depth = 0;
      for (int i = 0; i < 2000; ++i) {
        if (depth > 0 && random() % 2 == 0) {
          slices.end(i, kNoName, 1);
          --depth;
        } else {
          slices.begin(i, builder.intern(std::to_string(random() % 6)), 1);
          ++depth;
        }
      }
    }
    const Timeline timeline = builder.finish();
    const auto slices = slice_set_of(timeline);
    const std::size_t most = 200 + 300 * static_cast<std::size_t>(round);
    const AggregatedCallTree one = aggregate_calls(*slices, {}, kGoOn, most);
    const AggregatedCallTree several = aggregate_calls(*slices, {}, kGoOn, most, 3);
    EXPECT_EQ(several.left_out, one.left_out);
    EXPECT_EQ(several.callees, one.callees);
    EXPECT_EQ(sums_by_chain(several, timeline), sums_by_chain(one, timeline));
  }
}

}  // namespace
}  // namespace cinderscope
