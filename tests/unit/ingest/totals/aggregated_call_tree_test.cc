#include "ingest/totals/aggregated_call_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/model/slice_nesting.h"
#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

struct Sums {
  std::uint64_t count = 0;
  std::int64_t total = 0, self = 0, longest = 0;
  bool operator==(const Sums&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Sums& sums) {
  return out << sums.count << "x " << sums.total << " self " << sums.self << " longest "
             << sums.longest;
}
using ByChain = std::map<std::string, Sums>;  // "a/b/c"

using test::kGoOn;

ByChain by_chain(const AggregatedCallTree& totals, const Timeline& timeline) {
  ByChain sums;
  std::vector<std::string> chains(totals.nodes.size());
  for (std::size_t i = 1; i < totals.nodes.size(); ++i) {
    const CallTreeNode& total = totals.nodes[i];
    EXPECT_LT(total.caller, i);
    chains[i] = chains[total.caller] + "/" + std::string(timeline.text(total.name));
    EXPECT_FALSE(sums.contains(chains[i])) << chains[i];
    sums[chains[i]] = {total.count, total.total_ns, total.self_ns, total.longest_ns};
    EXPECT_EQ(total.depth, totals.nodes[total.caller].depth + 1);
  }
  return sums;
}

// As parent_of(); of a call that the scope cuts, what is open where it is cut.
SliceRef caller_within(const Timeline& timeline, const SliceRef& ref, const Scope& scope) {
  if (timeline.tracks[index(ref.track)].has_overlaps) return parent_of(timeline, ref);
  const auto& rows = timeline.tracks[index(ref.track)].root().rows;
  const std::int64_t begin = rows[ref.row].begin_ns(ref.slice);
  if (begin >= scope.begin_ns) {
    const SliceRef parent = parent_of(timeline, ref);
    if (!parent || rows[parent.row].end_ns(parent.slice) > scope.begin_ns ||
        rows[parent.row].begin_ns(parent.slice) >= scope.begin_ns) {
      return parent;
    }
  }
  const std::int64_t at = std::max(begin, scope.begin_ns);
  for (std::uint32_t row = ref.row; row-- > 0;) {
    const std::uint64_t i = rows[row].last_begun(begin);
    if (i < rows[row].count() && rows[row].end_ns(i) > at) return {ref.track, BlockId{0}, row, i};
  }
  return {};
}

// Slice for slice by the functions that the rest of the program asks, and time cut by hand.
ByChain naive(const Timeline& timeline, const Scope& scope) {
  ByChain sums;
  for (std::uint32_t t = 0; t < timeline.tracks.size(); ++t) {
    if (timeline.tracks[t].kind != TrackKind::thread || !scope.has_track(TrackId{t})) continue;
    const auto& rows = timeline.tracks[t].root().rows;
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      for (std::uint64_t i = 0; i < rows[row].count(); ++i) {
        const SliceRef ref{TrackId{t}, BlockId{0}, row, i};
        const std::int64_t begin = std::max(rows[row].begin_ns(i), scope.begin_ns);
        const std::int64_t end = std::min(rows[row].end_ns(i), scope.end_ns);
        const bool zero_inside = rows[row].duration_ns(i) == 0 && begin == end &&
                                 begin >= scope.begin_ns && begin < scope.end_ns;
        if (begin >= end && !zero_inside) continue;
        std::string chain;
        for (SliceRef at = ref; at; at = caller_within(timeline, at, scope)) {
          chain = "/" + std::string(timeline.text(slice_at(timeline, at).name)) + chain;
        }
        std::int64_t self = 0;
        for (std::int64_t time = begin; time < end; ++time) {
          bool covered = false;
          for (std::uint32_t deeper = 0; deeper < rows.size() && !covered; ++deeper) {
            for (std::uint64_t k = 0; k < rows[deeper].count() && !covered; ++k) {
              covered = rows[deeper].begin_ns(k) <= time && time < rows[deeper].end_ns(k) &&
                        parent_of(timeline, {ref.track, BlockId{0}, deeper, k}) == ref;
            }
          }
          self += covered ? 0 : 1;
        }
        Sums& sum = sums[chain];
        ++sum.count;
        sum.total += end - begin;
        sum.self += self;
        sum.longest = std::max(sum.longest, end - begin);
      }
    }
  }
  return sums;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::int64_t below(std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(engine_);
  }

 private:
  std::mt19937_64 engine_;
};

// Threads of calls with few names; `overlaps` lets them end in any order.
Timeline random_timeline(Random& random, bool overlaps) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const std::int64_t threads = 1 + random.below(3);
  for (std::int64_t t = 0; t < threads; ++t) {
    TrackWriter& slices = builder.slices(builder.thread(process, std::to_string(t)));
    const auto name = [&] {
      return builder.intern(std::string(1, static_cast<char>('a' + random.below(4))));
    };
    if (overlaps) {
      for (RecordOffset i = 0; i < 14; ++i) {
        slices.complete(random.below(60), random.below(20), name(), i);
      }
      continue;
    }
    std::int64_t now = random.below(5), depth = 0;
    for (RecordOffset i = 0; i < 40; ++i) {
      now += random.below(4);
      if (depth > 0 && random.below(2) == 0) {
        slices.end(now, kNoName, i);
        --depth;
      } else {
        slices.begin(now, name(), i);
        ++depth;
      }
    }
  }
  return builder.finish();
}

TEST(CallTotalsTest, EqualWhatIsAddedUpSliceBySlice) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    const Timeline timeline = random_timeline(random, round % 2 == 1);
    Scope scope;
    if (round % 3 != 0) {
      scope.begin_ns = random.below(50);
      scope.end_ns = scope.begin_ns + 1 + random.below(40);
    }
    if (round % 5 == 0) scope.tracks = {TrackId{0}};
    const AggregatedCallTree totals = aggregate_calls(*slice_set_of(timeline), scope, kGoOn);
    ASSERT_TRUE(totals.whole);
    ASSERT_EQ(by_chain(totals, timeline), naive(timeline, scope)) << "round " << round;
  }
}

// Where there are too many totals as well: the same ones are left out.
TEST(CallTotalsTest, AreTheSameFromAnyNumberOfThreads) {
  Random random(9);
  for (int round = 0; round < 200; ++round) {
    const Timeline timeline = random_timeline(random, round % 2 == 1);
    const auto slices = slice_set_of(timeline);
    for (const std::size_t most : {std::size_t{5}, std::size_t{20}, kMaxCallTreeNodes}) {
      const AggregatedCallTree one = aggregate_calls(*slices, {}, kGoOn, most);
      const AggregatedCallTree several = aggregate_calls(*slices, {}, kGoOn, most, 3);
      ASSERT_EQ(several.left_out, one.left_out);
      ASSERT_EQ(several.callees, one.callees);
      ASSERT_EQ(several.nodes.size(), one.nodes.size());
      for (std::size_t i = 0; i < one.nodes.size(); ++i) {
        const CallTreeNode &a = several.nodes[i], &b = one.nodes[i];
        ASSERT_EQ(a.name, b.name);
        ASSERT_EQ(a.caller, b.caller);
        ASSERT_EQ(a.count, b.count);
        ASSERT_EQ(a.total_ns, b.total_ns);
        ASSERT_EQ(a.self_ns, b.self_ns);
        ASSERT_EQ(a.longest_ns, b.longest_ns);
        ASSERT_EQ(a.longest, b.longest);
      }
    }
  }
}

TEST(CallTotalsTest, AnyTotalHoldsItsSelfTimeAndItsCallees) {
  Random random(8);
  for (int round = 0; round < 100; ++round) {
    const Timeline timeline = random_timeline(random, false);
    const AggregatedCallTree totals = aggregate_calls(*slice_set_of(timeline), {}, kGoOn);
    std::int64_t all_self = 0;
    for (std::uint32_t i = 1; i < totals.nodes.size(); ++i) {
      std::int64_t inside = totals.nodes[i].self_ns, before = INT64_MAX;
      all_self += totals.nodes[i].self_ns;
      for (const std::uint32_t callee : totals.callees_of(i)) {
        EXPECT_EQ(totals.nodes[callee].caller, i);
        EXPECT_LE(totals.nodes[callee].total_ns, before);
        before = totals.nodes[callee].total_ns;
        inside += before;
      }
      EXPECT_EQ(inside, totals.nodes[i].total_ns);
    }
    EXPECT_EQ(totals.nodes[0].total_ns, all_self);
  }
}

TEST(CallTotalsTest, NamesTheLongestCall) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  const StringId name = builder.intern("a");
  builder.slices(thread).complete(0, 5, name, 1);
  builder.slices(thread).complete(10, 8, name, 2);
  builder.slices(thread).complete(20, 3, name, 3);
  const Timeline timeline = builder.finish();
  const AggregatedCallTree totals = aggregate_calls(*slice_set_of(timeline), {}, kGoOn);
  ASSERT_EQ(totals.nodes.size(), 2u);
  EXPECT_EQ(totals.nodes[1].longest_ns, 8);
  EXPECT_EQ(slice_at(timeline, totals.nodes[1].longest).begin_ns, 10);
}

TEST(CallTotalsTest, AMillionNestedCallsAreAChain) {
  constexpr std::uint32_t kDepth = 1'000'000;
  TimelineBuilder builder;
  const StringId name = builder.intern("again");
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  for (std::uint32_t i = 0; i < kDepth; ++i) slices.begin(i, name, i);
  for (std::uint32_t i = 0; i < kDepth; ++i) slices.end(kDepth + i, kNoName, kDepth + i);
  const Timeline timeline = builder.finish();
  const AggregatedCallTree totals = aggregate_calls(*slice_set_of(timeline), {}, kGoOn);
  ASSERT_EQ(totals.nodes.size(), kDepth + 1);
  EXPECT_EQ(totals.nodes.back().depth, kDepth);
  EXPECT_EQ(totals.nodes[1].total_ns, 2 * kDepth - 1);
  const AggregatedCallTree names = reversed(totals, kGoOn);
  EXPECT_EQ(names.nodes[1].total_ns, 2 * kDepth - 1);
  EXPECT_EQ(names.nodes.size(), kMaxCallers + 2u);
}

TEST(CallTotalsTest, WhatIsTooManyCountsAsSelfTimeOfItsCaller) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  slices.complete(0, 1000, builder.intern("all"), 0);
  for (RecordOffset i = 1; i <= 100; ++i) {
    slices.complete(static_cast<std::int64_t>(i) * 5, 2, builder.intern(std::to_string(i)), i);
  }
  const Timeline timeline = builder.finish();
  const AggregatedCallTree totals = aggregate_calls(*slice_set_of(timeline), {}, kGoOn, 11);
  EXPECT_EQ(totals.nodes.size(), 12u);
  EXPECT_EQ(totals.left_out, 90u);
  EXPECT_EQ(totals.nodes[0].count, 101u);
  EXPECT_EQ(totals.nodes[1].self_ns, 1000 - 10 * 2);
}

// Else "late" would be shown as calling "draw", which it never did.
TEST(CallTotalsTest, WhatIsInsideOfOneTooManyIsNoCalleeOfItsCaller) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  const StringId all = builder.intern("all"), draw = builder.intern("draw");
  slices.complete(0, 100, all, 0);
  slices.complete(10, 20, draw, 1);
  slices.complete(40, 50, builder.intern("late"), 2);
  slices.complete(50, 30, draw, 3);
  const Timeline timeline = builder.finish();
  const auto tree = aggregate_calls(*slice_set_of(timeline), {}, kGoOn, 2);
  EXPECT_EQ(by_chain(tree, timeline),
            (ByChain{{"/all", {1, 100, 80, 100}}, {"/all/draw", {1, 20, 20, 20}}}));
  EXPECT_EQ(tree.left_out, 2u);
}

TEST(CallTotalsTest, StopsWhenCancelled) {
  Random random(9);
  const Timeline timeline = random_timeline(random, false);
  const std::atomic<bool> cancelled = true;
  EXPECT_FALSE(aggregate_calls(*slice_set_of(timeline), {}, cancelled).whole);
}

TEST(CallTotalsTest, TimesAtTheLimitsDoNotWrap) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  TimelineBuilder builder;
  for (const char* tid : {"1", "2", "3"}) {
    TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), tid));
    slices.begin(-kFar, builder.intern("a"), 1);
    slices.end(kFar, kNoName, 2);
  }
  const Timeline timeline = builder.finish();
  const AggregatedCallTree totals = aggregate_calls(*slice_set_of(timeline), {}, kGoOn);
  EXPECT_EQ(totals.nodes[1].count, 3u);
  EXPECT_EQ(totals.nodes[1].total_ns, INT64_MAX);
  EXPECT_EQ(totals.nodes[0].total_ns, INT64_MAX);
}

TEST(CallTotalsTest, AnEmptyScopeHasNoCalls) {
  Random random(10);
  const Timeline timeline = random_timeline(random, false);
  const Scope after{.begin_ns = 1'000'000, .end_ns = 2'000'000};
  EXPECT_TRUE(aggregate_calls(*slice_set_of(timeline), after, kGoOn).empty());
  EXPECT_TRUE(aggregate_calls({}, {}, kGoOn).whole);
}

TEST(CallTotalsTest, ReversedSumsSelfTimesByName) {
  Random random(11);
  for (int round = 0; round < 100; ++round) {
    const Timeline timeline = random_timeline(random, round % 2 == 1);
    const AggregatedCallTree totals = aggregate_calls(*slice_set_of(timeline), {}, kGoOn);
    const AggregatedCallTree callers = reversed(totals, kGoOn);
    std::map<StringId, Sums> expected, found;
    std::map<std::pair<StringId, StringId>, std::int64_t> by_caller, found_by_caller;
    for (std::uint32_t i = 1; i < totals.nodes.size(); ++i) {
      const CallTreeNode& total = totals.nodes[i];
      expected[total.name].count += total.count;
      expected[total.name].self += total.self_ns;
      if (total.caller != 0) {
        by_caller[{total.name, totals.nodes[total.caller].name}] += total.self_ns;
      }
    }
    for (std::uint32_t i = 1; i < callers.nodes.size(); ++i) {
      const CallTreeNode& total = callers.nodes[i];
      if (total.depth == 1) found[total.name] = {total.count, 0, total.self_ns, 0};
      if (total.depth == 2) {
        found_by_caller[{callers.nodes[total.caller].name, total.name}] = total.total_ns;
      }
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(found_by_caller, by_caller);
    EXPECT_EQ(callers.nodes[0].count, totals.nodes[0].count);
  }
}

TEST(CallTotalsTest, SlicesOfAsyncTracksHaveNoCallers) {
  TimelineBuilder builder;
  const AsyncTrackId track = builder.async_track(builder.process("1"), builder.intern("requests"));
  for (std::int64_t i = 0; i < 3; ++i) {
    builder.async_group(track, {AsyncSlice{Slice{.begin_ns = i * 10,
                                                 .duration_ns = 100 - i * 20,
                                                 .name = builder.intern("request")}}});
  }
  const Timeline timeline = builder.finish();
  EXPECT_TRUE(aggregate_calls(*slice_set_of(timeline), {}, kGoOn).empty());
  const Scope scope{.tracks = {TrackId{0}}};
  const AggregatedCallTree totals = aggregate_calls(*slice_set_of(timeline), scope, kGoOn);
  EXPECT_EQ(by_chain(totals, timeline), (ByChain{{"/request", {3, 240, 240, 100}}}));
}

// main { a { b { a { c } } } c } c { a }, each [begin, end) at hand.
class FunctionTotalsTest : public testing::Test {
 protected:
  void SetUp() override {
    TrackWriter& slices = builder_.slices(builder_.thread(builder_.process("1"), "1"));
    const auto call = [&](std::int64_t begin, std::int64_t end, std::string_view name) {
      slices.complete(begin, end - begin, builder_.intern(name), record_++);
    };
    call(0, 100, "main");
    call(0, 50, "a");
    call(10, 40, "b");
    call(10, 30, "a");
    call(20, 30, "c");
    call(60, 70, "c");
    call(100, 110, "c");
    call(100, 104, "a");
    timeline_ = builder_.finish();
    totals_ = aggregate_calls(*slice_set_of(timeline_), {}, kGoOn);
  }
  const CallTreeNode& total_of(const AggregatedCallTree& totals, std::string_view chain) {
    static const CallTreeNode kNone;
    std::uint32_t at = 0;
    while (!chain.empty()) {
      const std::string_view name = chain.substr(0, chain.find('/'));
      chain.remove_prefix(std::min(chain.size(), name.size() + 1));
      std::uint32_t next = 0;
      for (const std::uint32_t callee : totals.callees_of(at)) {
        if (timeline_.text(totals.nodes[callee].name) == name) next = callee;
      }
      if (next == 0) return kNone;
      at = next;
    }
    return totals.nodes[at];
  }

  TimelineBuilder builder_;
  RecordOffset record_ = 1;
  Timeline timeline_;
  AggregatedCallTree totals_;
};

TEST_F(FunctionTotalsTest, CallsCountWithAllThatTheyCalledInTurn) {
  EXPECT_EQ(totals_.nodes[0].subtree_calls, 8u);
  EXPECT_EQ(total_of(totals_, "main").subtree_calls, 6u);
  EXPECT_EQ(total_of(totals_, "main/a").subtree_calls, 4u);
  EXPECT_EQ(total_of(totals_, "c").subtree_calls, 2u);
}

TEST_F(FunctionTotalsTest, CalleesGoByTheWeightThatIsAskedFor) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  slices.complete(0, 100, builder.intern("long"), 1);
  slices.complete(100, 10, builder.intern("many"), 2);
  slices.complete(110, 10, builder.intern("many"), 3);
  const Timeline timeline = builder.finish();
  const AggregatedCallTree totals = aggregate_calls(*slice_set_of(timeline), {}, kGoOn);
  const auto first = [&](CallWeight by) {
    return timeline.text(totals.nodes[totals.callees_of(0, by).front()].name);
  };
  EXPECT_EQ(first(CallWeight::time), "long");
  EXPECT_EQ(first(CallWeight::calls), "many");
}

TEST_F(FunctionTotalsTest, OneFunctionHasItsCalleesAndItsCallers) {
  const FunctionTotals a = function_totals(totals_, builder_.intern("a"), kGoOn);
  ASSERT_TRUE(a.callees.whole);
  // The call within b is one of the callees, not one more of its own.
  EXPECT_EQ(a.callees.nodes[0].count, 2u);
  EXPECT_EQ(a.callees.nodes[0].total_ns, 54);
  EXPECT_EQ(a.callees.nodes[0].self_ns, 24);
  EXPECT_EQ(total_of(a.callees, "b/a/c").count, 1u);
  EXPECT_EQ(total_of(a.callees, "b/a").total_ns, 20);
  EXPECT_EQ(a.callers.nodes[0].total_ns, 54);
  EXPECT_EQ(total_of(a.callers, "main").total_ns, 50);
  EXPECT_EQ(total_of(a.callers, "c").total_ns, 4);
  EXPECT_EQ(total_of(a.callers, "c").subtree_calls, 1u);
}

TEST_F(FunctionTotalsTest, AFunctionThatWasNeverCalledHasNothing) {
  const FunctionTotals none = function_totals(totals_, builder_.intern("none"), kGoOn);
  EXPECT_TRUE(none.callees.empty());
  EXPECT_EQ(none.callees.nodes[0].count, 0u);
  EXPECT_TRUE(function_totals({}, builder_.intern("a"), kGoOn).callees.empty());
}

TEST_F(FunctionTotalsTest, AMillionCallsDeepIsNoTrouble) {
  TimelineBuilder builder;
  TrackWriter& slices = builder.slices(builder.thread(builder.process("1"), "1"));
  constexpr int kDepth = 300'000;
  const StringId f = builder.intern("f");
  for (int i = 0; i < kDepth; ++i) slices.begin(i, f, static_cast<RecordOffset>(i));
  for (int i = 0; i < kDepth; ++i) slices.end(kDepth + i, kNoName, 0);
  const Timeline timeline = builder.finish();
  const AggregatedCallTree totals = aggregate_calls(*slice_set_of(timeline), {}, kGoOn);
  EXPECT_EQ(totals.nodes[0].subtree_calls, static_cast<std::uint64_t>(kDepth));
  const FunctionTotals one = function_totals(totals, f, kGoOn);
  EXPECT_EQ(one.callees.nodes[0].count, 1u);
  EXPECT_EQ(one.callees.nodes[0].subtree_calls, static_cast<std::uint64_t>(kDepth));
}

}  // namespace
}  // namespace cinderscope
