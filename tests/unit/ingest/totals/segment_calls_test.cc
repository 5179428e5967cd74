#include "ingest/totals/segment_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>

#include "ingest/build/timeline_builder.h"
#include "ingest/model/call_walk.h"
#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

// Count, total, self and longest of each chain.
using SegmentSums = std::tuple<std::uint64_t, std::int64_t, std::int64_t, std::int64_t>;
using SegmentsByChain = std::map<std::string, SegmentSums>;

using test::kGoOn;

SegmentsByChain segments_by_chain(const AggregatedCallTree& tree, const Timeline& timeline) {
  SegmentsByChain sums;
  std::vector<std::string> chains(tree.nodes.size());
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const CallTreeNode& node = tree.nodes[i];
    chains[i] = chains[node.caller] + "/" + std::string(timeline.text(node.name));
    sums[chains[i]] = {node.count, node.total_ns, node.self_ns, node.longest_ns};
  }
  return sums;
}

SegmentsByChain walked(const Timeline& timeline, const Scope& scope) {
  SegmentsByChain sums;
  const auto set = slice_set_of(timeline);
  for (const TrackSlices& track : set->tracks) {
    if (!is_measured(track, scope)) continue;
    walk_call_tree<std::string>(
        track, scope, kGoOn,
        [&](const WalkedCall& call, const std::string* caller) {
          const std::string chain = (caller == nullptr ? std::string() : *caller) + "/" +
                                    std::string(timeline.text(call.name));
          auto& [count, total, self, longest] = sums[chain];
          ++count;
          longest = std::max(longest, call.duration_ns());
          total += call.duration_ns();
          return chain;
        },
        [&](const std::string& chain, std::int64_t ns) { std::get<2>(sums[chain]) += ns; });
  }
  return sums;
}

AggregatedCallTree added(const Timeline& timeline, const Scope& scope, const SegmentSize& size,
                         std::size_t most = kMaxCallTreeNodes) {
  AggregatedCallTree tree;
  NodeFinder finder(tree.nodes, most);
  std::atomic<bool> stop = false;
  SegmentCalls calls(tree, finder, scope, false, stop, size);
  const auto set = slice_set_of(timeline);
  for (const TrackSlices& track : set->tracks) {
    if (!is_measured(track, scope)) continue;
    EXPECT_TRUE(SegmentCalls::can_add(track));
    calls.add(track, kGoOn);
  }
  return tree;
}

// Calls that nest, many of them without length, also at the ends of others.
Timeline random_calls(std::mt19937_64& random, int calls) {
  const auto below = [&](std::uint64_t limit) {
    return static_cast<std::int64_t>(random() % limit);
  };
  TimelineBuilder builder;
  for (const char* tid : {"1", "2"}) {
    TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), tid));
    std::int64_t now = below(5), depth = 0;
    for (int i = 0; i < calls; ++i) {
      now += below(3);
      if (depth > 0 && below(2) == 0) {
        slices.end(now, kNoName, static_cast<RecordOffset>(i));
        --depth;
      } else {
        slices.begin(now, builder.intern(std::string(1, static_cast<char>('a' + below(4)))),
                     static_cast<RecordOffset>(i));
        ++depth;
      }
    }
  }
  return builder.finish();
}

TEST(SegmentCalls, AddUpToWhatTheWalkDoes) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    const Timeline timeline = random_calls(random, 200);
    Scope scope;
    if (round % 2 == 1) {
      scope.begin_ns = static_cast<std::int64_t>(random() % 100);
      scope.end_ns = scope.begin_ns + 1 + static_cast<std::int64_t>(random() % 100);
    }
    const SegmentsByChain expected = walked(timeline, scope);
    for (const SegmentSize& size : {SegmentSize{}, SegmentSize{8, 1}, SegmentSize{1, 1}}) {
      const SegmentsByChain found = segments_by_chain(added(timeline, scope, size), timeline);
      ASSERT_EQ(found.size(), expected.size());
      for (const auto& [chain, sums] : expected) {
        ASSERT_TRUE(found.contains(chain)) << chain;
        ASSERT_EQ(found.at(chain), sums) << chain << ", round " << round << ", " << size.slices;
      }
    }
  }
}

TEST(SegmentCalls, WhatIsTooManyIsCounted) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 50; ++round) {
    const Timeline timeline = random_calls(random, 200);
    const SegmentsByChain all = walked(timeline, {});
    for (const std::size_t most : {1u, 4u, 20u}) {
      const AggregatedCallTree tree = added(timeline, {}, {8, 1}, most);
      std::uint64_t count = tree.left_out, expected = 0;
      for (const auto& [chain, sums] : all) expected += std::get<0>(sums);
      for (const CallTreeNode& node : tree.nodes) count += node.count;
      EXPECT_EQ(count, expected);
      EXPECT_LE(tree.nodes.size(), most + 1);
      // What has a node has all of its calls but those inside of callers without one.
      for (const auto& [chain, sums] : segments_by_chain(tree, timeline)) {
        ASSERT_TRUE(all.contains(chain)) << chain;
        EXPECT_LE(std::get<0>(sums), std::get<0>(all.at(chain)));
      }
    }
  }
}

TEST(SegmentCalls, ACallWithoutLengthIsNotInsideOfWhatEndsThere) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  slices.begin(0, builder.intern("all"), 0);
  slices.begin(0, builder.intern("first"), 1);
  slices.begin(10, builder.intern("mark"), 2);
  slices.end(10, kNoName, 3);
  slices.end(10, kNoName, 4);
  slices.begin(10, builder.intern("second"), 5);
  slices.end(20, kNoName, 6);
  slices.end(30, kNoName, 7);
  const Timeline timeline = builder.finish();
  const SegmentsByChain expected = walked(timeline, {});
  EXPECT_EQ(segments_by_chain(added(timeline, {}, {}), timeline), expected);
  EXPECT_FALSE(expected.contains("/all/first/mark"));
}

TEST(SegmentCalls, OthersAreWalked) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  slices.complete(0, 10, builder.intern("a"), 0);
  slices.complete(5, 10, builder.intern("b"), 1);
  const Timeline timeline = builder.finish();
  EXPECT_FALSE(SegmentCalls::can_add(slice_set_of(timeline)->tracks.front()));
}

TEST(SegmentCalls, EndOnceCancelled) {
  std::mt19937_64 random(5);
  const Timeline timeline = random_calls(random, 50);
  AggregatedCallTree tree;
  NodeFinder finder(tree.nodes, kMaxCallTreeNodes);
  std::atomic<bool> stop = false;
  const Scope scope;
  SegmentCalls calls(tree, finder, scope, false, stop);
  const std::atomic<bool> cancelled = true;
  const auto set = slice_set_of(timeline);
  calls.add(set->tracks.front(), cancelled);
  EXPECT_TRUE(stop);
  EXPECT_EQ(tree.nodes.size(), 1u);
}

}  // namespace
}  // namespace cinderscope
