#include "ingest/sql/functions/slice_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/model/slice_nesting.h"
#include "ingest/sql/functions/idle_times.h"

namespace cinderscope {
namespace {

Timeline random_trace(std::uint32_t seed, bool with_overlaps) {
  std::mt19937 random(seed);
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  if (with_overlaps) {
    for (RecordOffset i = 0; i < 60; ++i) {
      writer.complete(random() % 100, random() % 40, builder.intern("x"), i);
    }
  } else {
    std::vector<std::int64_t> open;
    std::int64_t now_ns = 0;
    for (RecordOffset i = 0; i < 150; ++i) {
      now_ns += random() % 3 + 1;
      if (open.size() > 4 || (!open.empty() && random() % 2 == 0)) {
        writer.complete(open.back(), now_ns - open.back(), builder.intern("x"), i);
        open.pop_back();
      } else {
        open.push_back(now_ns);
      }
    }
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

std::vector<SliceRef> slices_in(const std::vector<RowRun>& runs) {
  std::vector<SliceRef> all;
  for (const RowRun& run : runs) {
    EXPECT_LT(run.first.slice, run.end);
    for (SliceRef ref = run.first; ref.slice < run.end; ++ref.slice) all.push_back(ref);
  }
  return all;
}

std::vector<SliceRef> chain_of(const Timeline& timeline, SliceRef ref) {
  std::vector<SliceRef> chain;
  while ((ref = parent_of(timeline, ref))) chain.push_back(ref);
  return chain;
}

class SliceRunsTest : public testing::TestWithParam<bool> {};

TEST_P(SliceRunsTest, FollowParents) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const Timeline timeline = random_trace(seed, GetParam());
    const std::vector<SliceRef> all = all_slices(timeline);
    ASSERT_EQ(timeline.tracks.at(0).has_overlaps, GetParam());
    for (const SliceRef& slice : all) {
      EXPECT_EQ(ancestors_of(timeline, slice), chain_of(timeline, slice));
      for (const std::uint64_t levels : {std::uint64_t{1}, std::uint64_t{2}, UINT64_MAX}) {
        std::vector<SliceRef> inside;
        for (const SliceRef& other : all) {
          const std::vector<SliceRef> chain = chain_of(timeline, other);
          const auto found = std::ranges::find(chain, slice);
          const auto level = static_cast<std::uint64_t>(found - chain.begin());
          if (found != chain.end() && level < levels) inside.push_back(other);
        }
        EXPECT_EQ(slices_in(descendants_of(timeline, slice, levels)), inside);
        if (levels == 1) {
          EXPECT_EQ(slices_in(children_of(timeline, slice)), inside);
        }
      }
      EXPECT_TRUE(descendants_of(timeline, slice, 0).empty());
    }
  }
}

TEST_P(SliceRunsTest, TellWhatGoesOn) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const Timeline timeline = random_trace(seed, GetParam());
    const std::vector<SliceRef> all = all_slices(timeline);
    for (std::int64_t from = -2; from < 145; from += 3) {
      EXPECT_TRUE(overlapping(timeline, TrackId{0}, from, from).empty());
      for (const std::int64_t length : {1, 20}) {
        std::vector<SliceRef> there;
        for (const SliceRef& ref : all) {
          const Slice slice = slice_at(timeline, ref);
          const bool overlaps = slice.duration_ns == 0
                                    ? slice.begin_ns >= from && slice.begin_ns < from + length
                                    : slice.begin_ns < from + length && slice.end_ns() > from;
          if (overlaps) there.push_back(ref);
        }
        EXPECT_EQ(slices_in(overlapping(timeline, TrackId{0}, from, from + length)), there);
      }
      const SliceRef innermost = slice_at_time(timeline, TrackId{0}, from);
      const bool any = std::ranges::any_of(all, [&](const SliceRef& ref) {
        const Slice slice = slice_at(timeline, ref);
        return slice.begin_ns <= from && slice.end_ns() > from;
      });
      EXPECT_EQ(static_cast<bool>(innermost), any);
      if (!innermost) continue;
      std::vector<SliceRef> chain = chain_of(timeline, innermost);
      chain.insert(chain.begin(), innermost);
      for (std::size_t depth = 1; depth <= chain.size(); ++depth) {
        EXPECT_EQ(slice_at_time(timeline, TrackId{0}, from, depth), chain[chain.size() - depth]);
      }
      EXPECT_FALSE(slice_at_time(timeline, TrackId{0}, from, chain.size() + 1));
      EXPECT_FALSE(slice_at_time(timeline, TrackId{0}, from, 0));
    }
  }
}

TEST_P(SliceRunsTest, IdleTimesAreWhatNoSliceCovers) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const Timeline timeline = random_trace(seed, GetParam());
    const std::vector<SliceRef> all = all_slices(timeline);
    for (const auto& [from, to] : {std::pair{-5, 400}, std::pair{20, 61}, std::pair{50, 50}}) {
      std::vector<bool> busy(static_cast<std::size_t>(to - from));
      for (const SliceRef& ref : all) {
        const Slice slice = slice_at(timeline, ref);
        for (std::int64_t t = std::max<std::int64_t>(slice.begin_ns, from);
             t < std::min<std::int64_t>(slice.end_ns(), to); ++t) {
          busy[static_cast<std::size_t>(t - from)] = true;
        }
      }
      std::vector<bool> idle(busy.size());
      IdleTimes times(timeline, TrackId{0}, from, to);
      while (const auto time = times.next()) {
        ASSERT_LT(time->begin_ns, time->end_ns);
        for (std::int64_t t = time->begin_ns; t < time->end_ns; ++t) {
          idle[static_cast<std::size_t>(t - from)] = true;
        }
        if (time->before) {
          EXPECT_LE(slice_at(timeline, time->before).end_ns(), time->begin_ns);
        }
        if (time->after) {
          EXPECT_GE(slice_at(timeline, time->after).begin_ns, time->end_ns);
        }
        if (time->begin_ns > from) {
          EXPECT_EQ(slice_at(timeline, time->before).end_ns(), time->begin_ns);
        }
        if (time->end_ns < to) {
          EXPECT_EQ(slice_at(timeline, time->after).begin_ns, time->end_ns);
        }
      }
      busy.flip();
      EXPECT_EQ(idle, busy);
    }
    // By itself between the first and the last slice.
    IdleTimes inside(timeline, TrackId{0}, std::nullopt, std::nullopt);
    while (const auto time = inside.next()) {
      EXPECT_TRUE(time->before);
      EXPECT_TRUE(time->after);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, SliceRunsTest, testing::Bool(),
                         [](const auto& of) { return of.param ? "Overlapping" : "Nested"; });

}  // namespace
}  // namespace cinderscope
