#include "ingest/model/slice_nesting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/model/slice_set.h"
#include "ingest/totals/aggregated_call_tree.h"
#include "ingest/totals/slice_statistics.h"

namespace cinderscope {
namespace {

struct Call {
  std::string name;
  std::int64_t begin_ns, end_ns;
};

Timeline trace_of(const std::vector<Call>& calls, std::int64_t tolerance_ns = 0) {
  TimelineBuilder builder;
  builder.set_nesting_tolerance(tolerance_ns);
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  RecordOffset record = 0;
  for (const Call& call : calls) {
    writer.complete(call.begin_ns, call.end_ns - call.begin_ns, builder.intern(call.name),
                    record++);
  }
  return builder.finish();
}

std::vector<SliceRef> all_slices(const Timeline& timeline) {
  std::vector<SliceRef> all;
  const auto& rows = timeline.tracks.at(0).root().rows;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    for (std::uint64_t i = 0; i < rows[row].count(); ++i) all.push_back({TrackId{0}, {}, row, i});
  }
  return all;
}

SliceRef slice_named(const Timeline& timeline, std::string_view name) {
  for (const SliceRef& ref : all_slices(timeline)) {
    if (timeline.text(slice_at(timeline, ref).name) == name) return ref;
  }
  return {};
}

std::string parent_name(const Timeline& timeline, std::string_view name) {
  const SliceRef parent = parent_of(timeline, slice_named(timeline, name));
  return parent ? std::string(timeline.text(slice_at(timeline, parent).name)) : "";
}

// What the slices of the busy row cover together.
std::int64_t busy_ns(const Timeline& timeline) {
  std::int64_t sum_ns = 0;
  const SliceRow& row = *timeline.tracks.at(0).busy_row();
  for (std::uint64_t i = 0; i < row.count(); ++i) sum_ns += row.duration_ns(i);
  return sum_ns;
}

TEST(SliceNestingTest, SlicesThatPartlyOverlapAreSiblings) {
  const Timeline timeline = trace_of({{"A", 0, 100}, {"B", 50, 150}, {"C", 80, 280}});
  const Track& track = timeline.tracks.at(0);
  EXPECT_TRUE(track.has_overlaps);
  EXPECT_EQ(track.row_count, 3u);
  EXPECT_EQ(track.depth, 1u);
  EXPECT_EQ(busy_ns(timeline), 280);
  const std::vector<std::int64_t> self = {100, 100, 200};
  for (std::size_t i = 0; i < 3; ++i) {
    const SliceRef ref = slice_named(timeline, std::string(1, static_cast<char>('A' + i)));
    EXPECT_FALSE(parent_of(timeline, ref));
    EXPECT_FALSE(first_child_of(timeline, ref));
    EXPECT_EQ(depth_of(timeline, ref), 0u);
    EXPECT_EQ(self_ns(timeline, ref), self[i]);
  }
  const auto slices = slice_set_of(timeline);
  const SliceStatistics statistics = slice_statistics(*slices, {});
  ASSERT_EQ(statistics.names.size(), 3u);
  for (const NameStatistics& name : statistics.names) EXPECT_EQ(name.self_ns, name.total_ns);
  EXPECT_EQ(statistics.self_ns, 400);
}

TEST(SliceNestingTest, AFlameGraphHasThemSideBySide) {
  const Timeline timeline = trace_of({{"A", 0, 100}, {"B", 50, 150}, {"C", 80, 280}});
  const std::atomic<bool> go_on = false;
  const AggregatedCallTree tree = aggregate_calls(*slice_set_of(timeline), {}, go_on);
  ASSERT_EQ(tree.nodes.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(tree.nodes[i].caller, 0u);
    EXPECT_EQ(tree.nodes[i].self_ns, tree.nodes[i].total_ns);
  }
}

TEST(SliceNestingTest, TheInnermostOfTwoContainersIsTheParent) {
  // D lies in A and in B; B begins later.
  const Timeline timeline =
      trace_of({{"A", 0, 100}, {"B", 50, 150}, {"D", 60, 90}, {"E", 110, 120}});
  EXPECT_EQ(parent_name(timeline, "D"), "B");
  EXPECT_EQ(parent_name(timeline, "E"), "B");
  EXPECT_EQ(self_ns(timeline, slice_named(timeline, "A")), 100);
  EXPECT_EQ(self_ns(timeline, slice_named(timeline, "B")), 60);
  EXPECT_EQ(depth_of(timeline, slice_named(timeline, "D")), 1u);
  EXPECT_EQ(timeline.tracks.at(0).depth, 2u);
  EXPECT_EQ(first_child_of(timeline, slice_named(timeline, "B")), slice_named(timeline, "D"));
  EXPECT_FALSE(first_child_of(timeline, slice_named(timeline, "A")));
}

TEST(SliceNestingTest, OverlappingChildrenCoverTheirParentOnce) {
  const Timeline timeline = trace_of({{"P", 0, 200}, {"A", 10, 100}, {"B", 50, 150}});
  EXPECT_EQ(self_ns(timeline, slice_named(timeline, "P")), 60);
  std::vector<SliceRef> children;
  for_children_of(timeline, slice_named(timeline, "P"), [&](const SliceRef& child, const Slice&) {
    children.push_back(child);
    return true;
  });
  EXPECT_EQ(children, (std::vector{slice_named(timeline, "A"), slice_named(timeline, "B")}));
}

TEST(SliceNestingTest, WhatSticksOutByTheLastDecimalIsContained) {
  const std::vector<Call> calls = {{"X", 0, 50}, {"P", 40, 200}, {"A", 100, 201}};
  EXPECT_EQ(parent_name(trace_of(calls, 1), "A"), "P");
  EXPECT_EQ(parent_name(trace_of(calls, 0), "A"), "");
}

TEST(SliceNestingTest, ARowThatBecameFreeSaysNothingAboutNesting) {
  // Q was moved to the second row by P; R takes the first one and overlaps Q.
  const Timeline timeline = trace_of({{"P", 0, 10}, {"Q", 5, 100}, {"R", 20, 150}, {"S", 30, 60}});
  EXPECT_EQ(parent_name(timeline, "Q"), "");
  EXPECT_EQ(parent_name(timeline, "R"), "");
  EXPECT_EQ(parent_name(timeline, "S"), "R");
  EXPECT_EQ(busy_ns(timeline), 150);
}

// The definition itself: of all slices that contain one, the one that begins last; of equal ones
// the shortest, then the one on the lowest row.
TEST(SliceNestingTest, AgreesWithTheDefinitionOnRandomTraces) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    std::vector<Call> calls;
    const int range = seed % 2 == 0 ? 60 : 400;
    for (int i = 0; i < 40; ++i) {
      const auto begin = static_cast<std::int64_t>(random() % static_cast<unsigned>(range));
      calls.push_back({"n" + std::to_string(random() % 5), begin,
                       begin + 1 + static_cast<std::int64_t>(random() % 50)});
    }
    std::stable_sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) {
      return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
    });
    const Timeline timeline = trace_of(calls);
    const std::vector<SliceRef> all = all_slices(timeline);
    std::int64_t all_self_ns = 0;
    for (const SliceRef& ref : all) {
      const Slice slice = slice_at(timeline, ref);
      SliceRef wanted;
      for (const SliceRef& other : all) {
        const Slice around = slice_at(timeline, other);
        if (other == ref || around.begin_ns > slice.begin_ns || around.end_ns() < slice.end_ns()) {
          continue;
        }
        const bool equal =
            around.begin_ns == slice.begin_ns && around.duration_ns == slice.duration_ns;
        if (equal && other.row >= ref.row) continue;
        const Slice best = wanted ? slice_at(timeline, wanted) : Slice{};
        if (!wanted || around.begin_ns > best.begin_ns ||
            (around.begin_ns == best.begin_ns &&
             (around.end_ns() < best.end_ns() ||
              (around.end_ns() == best.end_ns() && other.row > wanted.row)))) {
          wanted = other;
        }
      }
      EXPECT_EQ(parent_of(timeline, ref), wanted) << "seed " << seed;
      // Self time by hand: units of time that no child covers.
      std::int64_t self_ns_wanted = 0;
      for (std::int64_t at = slice.begin_ns; at < slice.end_ns(); ++at) {
        bool covered = false;
        for (const SliceRef& other : all) {
          const Slice child = slice_at(timeline, other);
          covered = covered || (child.begin_ns <= at && at < child.end_ns() &&
                                parent_of(timeline, other) == ref);
        }
        self_ns_wanted += covered ? 0 : 1;
      }
      EXPECT_EQ(self_ns(timeline, ref), self_ns_wanted) << "seed " << seed;
      all_self_ns += self_ns_wanted;
      if (HasFailure()) return;
    }
    EXPECT_EQ(slice_statistics(*slice_set_of(timeline), {}).self_ns, all_self_ns);
    std::int64_t busy = 0;
    for (std::int64_t at = 0; at < 500; ++at) {
      busy += std::any_of(calls.begin(), calls.end(), [at](const Call& call) {
        return call.begin_ns <= at && at < call.end_ns;
      });
    }
    if (timeline.tracks.at(0).has_overlaps) {
      EXPECT_EQ(busy_ns(timeline), busy);
    }
  }
}

}  // namespace
}  // namespace cinderscope
