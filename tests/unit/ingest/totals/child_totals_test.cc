#include "ingest/totals/child_totals.h"

#include <gtest/gtest.h>

#include "ingest/build/timeline_builder.h"
#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

using test::kGoOn;

class ChildTotalsTest : public testing::Test {
 protected:
  void add(std::int64_t begin_ns, std::int64_t duration_ns, std::string_view name) {
    builder_.slices(thread_).complete(begin_ns, duration_ns, builder_.intern(name), 0);
  }
  void finish() {
    timeline_ = builder_.finish();
    slices_ = slice_set_of(timeline_);
  }
  // "name count total longest" of each.
  std::vector<std::string> of(const SliceRef& slice) {
    std::vector<std::string> lines;
    for (const ChildTotal& child : child_totals(*slices_, slice, kGoOn).names) {
      lines.push_back(std::string(timeline_.text(child.name)) + " " + std::to_string(child.count) +
                      " " + std::to_string(child.total_ns) + " " +
                      std::to_string(child.longest_ns));
      EXPECT_EQ(slice_at(timeline_, child.longest).duration_ns, child.longest_ns);
    }
    return lines;
  }
  static SliceRef slice(std::uint32_t row, std::uint64_t i) {
    return {TrackId{0}, BlockId{}, row, i};
  }
  using Lines = std::vector<std::string>;

  TimelineBuilder builder_;
  ThreadId thread_ = builder_.thread(builder_.process("1"), "1");
  Timeline timeline_;
  std::shared_ptr<const SliceSet> slices_;
};

TEST_F(ChildTotalsTest, AddsUpDirectChildrenByNameTheLongestFirst) {
  add(0, 100, "main");
  add(0, 10, "a");
  add(2, 5, "inner");
  add(20, 30, "b");
  add(60, 25, "a");
  add(200, 10, "after");
  finish();
  EXPECT_EQ(of(slice(0, 0)), (Lines{"a 2 35 25", "b 1 30 30"}));
  EXPECT_EQ(of(slice(1, 0)), (Lines{"inner 1 5 5"}));
  EXPECT_TRUE(of(slice(1, 1)).empty());
  EXPECT_TRUE(of({}).empty());
  EXPECT_TRUE(of(slice(7, 0)).empty());
  EXPECT_EQ(slices_to_look_at(*slices_, slice(0, 0), 1000), 3u);
  EXPECT_EQ(slices_to_look_at(*slices_, slice(0, 0), 2), 2u);
}

TEST_F(ChildTotalsTest, WhatOnlyPartlyOverlapsIsNoChild) {
  add(0, 100, "A");
  add(50, 100, "B");
  add(60, 10, "of both");
  add(80, 200, "C");
  finish();
  ASSERT_TRUE(timeline_.tracks[0].has_overlaps);
  EXPECT_TRUE(of(slice(0, 0)).empty());
  EXPECT_EQ(of(slice(1, 0)), (Lines{"of both 1 10 10"}));
}

TEST_F(ChildTotalsTest, TheSlicesOfAnAsyncTrackHaveNoChildren) {
  const AsyncTrackId track = builder_.async_track(builder_.process("1"), builder_.intern("net"));
  builder_.async_group(track, {{{0, 100, builder_.intern("a"), 0}, 0}});
  builder_.async_group(track, {{{10, 10, builder_.intern("b"), 1}, 0}});
  finish();
  for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i) {
    EXPECT_TRUE(child_totals(*slices_, {TrackId{i}, BlockId{}, 0, 0}, kGoOn).names.empty());
  }
}

TEST_F(ChildTotalsTest, ShowsSomeAndEndsWhenCancelled) {
  add(0, 10'000'000, "main");
  for (int i = 0; i < 100'000; ++i) add(i * 10, 5, "child");
  finish();
  EXPECT_EQ(of(slice(0, 0)), (Lines{"child 100000 500000 5"}));
  const std::atomic<bool> cancelled = true;
  EXPECT_LT(child_totals(*slices_, slice(0, 0), cancelled).count, 100'000u);
}

}  // namespace
}  // namespace cinderscope
