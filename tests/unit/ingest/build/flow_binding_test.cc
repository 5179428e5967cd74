#include "ingest/build/flow_binding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// Calls at random times on a few threads, some of which overlap, and flows between them.
Timeline random_timeline(std::vector<std::vector<FlowEnd>>& flows, unsigned seed, unsigned jobs) {
  std::mt19937 random(seed);
  TimelineBuilder builder;
  std::vector<ThreadId> threads;
  for (const char* tid : {"1", "2", "3"})
    threads.push_back(builder.thread(builder.process("1"), tid));
  RecordOffset record = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::int64_t begin = random() % 4000;
    // The third thread has no calls at all.
    builder.slices(threads[random() % 2])
        .complete(begin, random() % 20, builder.intern("f"), ++record);
  }
  flows.clear();
  for (int i = 0; i < 500; ++i) {
    std::vector<FlowEnd> ends;
    for (int point = 0; point < 3; ++point) {
      ends.push_back({threads[random() % 3], static_cast<std::int64_t>(random() % 4100),
                      random() % 2 == 0 ? FlowBinding::enclosing : FlowBinding::next});
    }
    builder.flow(builder.intern("hop"), false, ends);
    flows.push_back(std::move(ends));
  }
  return builder.finish(jobs);
}

// The rule of flow_binding.h, looking at every slice.
FlowPoint expected(const Timeline& timeline, const FlowEnd& end) {
  const TrackId id = timeline.threads[end.owner.number()].track;
  FlowPoint inside{kNoTrack, 0, 0, end.time_ns}, ending = inside, next = inside;
  if (id == kNoTrack) return inside;
  std::int64_t next_begin = INT64_MAX;
  const auto& rows = timeline.tracks[index(id)].root().rows;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    std::uint64_t last = rows[row].count();
    for (std::uint64_t i = 0; i < rows[row].count(); ++i) {
      if (rows[row].begin_ns(i) <= end.time_ns) last = i;
      if (rows[row].begin_ns(i) >= end.time_ns && rows[row].begin_ns(i) < next_begin) {
        next_begin = rows[row].begin_ns(i);
        next = {id, row, i, end.time_ns};
      }
    }
    if (last == rows[row].count()) continue;
    const bool later = inside.track == kNoTrack ||
                       rows[row].begin_ns(last) >= rows[inside.row].begin_ns(inside.slice);
    if (rows[row].end_ns(last) > end.time_ns && later) inside = {id, row, last, end.time_ns};
    if (rows[row].end_ns(last) == end.time_ns) ending = {id, row, last, end.time_ns};
  }
  if (end.binding == FlowBinding::next && next.track != kNoTrack) return next;
  return inside.track != kNoTrack ? inside : ending;
}

auto place(const SliceRef& slice) {
  return std::tuple(slice.track, slice.row, slice.slice);
}

TEST(FlowBindingTest, BindsEveryPointAsARuleByRuleSearchDoes) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::vector<std::vector<FlowEnd>> flows;
    const Timeline timeline = random_timeline(flows, seed, 1 + seed % 3);
    ASSERT_EQ(timeline.flows->flows.size(), flows.size());
    for (std::size_t i = 0; i < flows.size(); ++i) {
      std::stable_sort(flows[i].begin(), flows[i].end(),
                       [](const FlowEnd& a, const FlowEnd& b) { return a.time_ns < b.time_ns; });
      for (std::size_t k = 0; k < flows[i].size(); ++k) {
        const FlowPoint point = flow_point(timeline, timeline.flows->flows[i].first_point + k);
        ASSERT_EQ(point.time_ns, flows[i][k].time_ns);
        ASSERT_EQ(slice_of(point), slice_of(expected(timeline, flows[i][k])))
            << "seed " << seed << " flow " << i << " point " << k;
      }
    }
  }
}

TEST(FlowBindingTest, ListsTheBoundPointsByTheirSlices) {
  std::vector<std::vector<FlowEnd>> flows;
  const Timeline timeline = random_timeline(flows, 7, 2);
  const auto& points = timeline.flows->points;
  std::size_t bound = 0;
  for (std::size_t i = 0; i < points.size(); ++i) bound += points.is_bound(i) ? 1 : 0;
  ASSERT_EQ(timeline.flows->by_slice.size(), bound);
  EXPECT_GT(bound, points.size() / 2);
  for (std::size_t i = 1; i < bound; ++i) {
    const std::uint64_t a = timeline.flows->by_slice[i - 1], b = timeline.flows->by_slice[i];
    ASSERT_LT(std::tuple_cat(place(points.slice(a)), std::tuple(a)),
              std::tuple_cat(place(points.slice(b)), std::tuple(b)));
  }
}

TEST(FlowBindingTest, PointsTakeAsManyBytesAsTheirTimesAndPlacesNeed) {
  std::vector<std::vector<FlowEnd>> flows;
  const Timeline timeline = random_timeline(flows, 7, 2);
  const Flows& made = *timeline.flows;
  std::uint64_t rows = 0;
  for (const Track& track : timeline.tracks) rows += track.root().rows.size();
  // Times up to 4100 and 3000 calls: two bytes each.
  EXPECT_LE(made.points.kept_bytes(), 4 * made.points.size() + 16 + 32 * rows);
  for (std::uint32_t i = 0; i < made.flows.size(); ++i) {
    const Flows::Range range = made.points_of(i);
    for (std::uint64_t k = range.first; k < range.end; ++k) ASSERT_EQ(made.flow_of(k), i);
  }
}

TEST(FlowBindingTest, TimesOfPointsCountFromTheBeginsOfTheirSlices) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  constexpr std::size_t kFlows = 2000;
  for (std::size_t i = 0; i < kFlows; ++i) {
    const auto begin = static_cast<std::int64_t>(i) * 1'000'000;
    builder.slices(thread).complete(begin, 100, builder.intern("f"), i);
    builder.flow(kEmptyString, false,
                 {{thread, begin + (i % 4 == 0 ? 7 : 0), FlowBinding::enclosing}});
  }
  const Timeline timeline = builder.finish();
  const FlowPoints& points = timeline.flows->points;
  for (std::size_t i = 0; i < kFlows; ++i) {
    ASSERT_EQ(points.own_time_ns(i), i % 4 == 0 ? 7 : 0);
    const FlowPoint point = flow_point(timeline, i);
    ASSERT_EQ(point.time_ns, static_cast<std::int64_t>(i) * 1'000'000 + (i % 4 == 0 ? 7 : 0));
    ASSERT_EQ(point.slice, i);
  }
  // Three bits for each fourth time, eleven for each slice, one for where times are.
  EXPECT_LT(points.kept_bytes(), kFlows * (1 + 11 + 1) / 8 + 200);
}

TEST(FlowBindingTest, AnEndBindsToTheSliceThatEndsThere) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  builder.slices(thread).complete(0, 100, builder.intern("outer"), 0);
  builder.slices(thread).complete(10, 20, builder.intern("ends"), 1);
  builder.slices(thread).complete(30, 20, builder.intern("follows"), 2);
  builder.slices(thread).complete(60, 10, builder.intern("later"), 3);
  builder.flow(kEmptyString, false,
               {{thread, 30, FlowBinding::ending}, {thread, 55, FlowBinding::ending}});
  const Timeline timeline = builder.finish();
  const auto name_at = [&](std::size_t i) {
    const SliceRef point = timeline.flows->points.slice(i);
    const Track& track = timeline.tracks[index(point.track)];
    return timeline.text(track.root().rows[point.row].slice(point.slice).name);
  };
  EXPECT_EQ(name_at(0), "ends");
  EXPECT_EQ(name_at(1), "outer");  // nothing ends there
}

TEST(FlowBindingTest, BindsToAsyncTracksAndToNothing) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  builder.async_track(process, builder.intern("empty"));
  const AsyncTrackId track = builder.async_track(process, builder.intern("async"));
  builder.async_group(track,
                      {{{.begin_ns = 5, .duration_ns = 10, .name = builder.intern("a")}, 0}});
  builder.flow(kEmptyString, false, {{track, 7}, {FlowOwner(), 8}});
  const Timeline timeline = builder.finish();
  ASSERT_NE(timeline.flows->points.slice(0).track, kNoTrack);
  EXPECT_EQ(timeline.text(timeline.tracks[index(timeline.flows->points.slice(0).track)].name),
            "async");
  EXPECT_EQ(timeline.flows->points.slice(1).track, kNoTrack);
}

}  // namespace
}  // namespace cinderscope
