#include "ingest/totals/slice_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "ingest/build/timeline_builder.h"
#include "ingest/model/slice_nesting.h"

namespace cinderscope {
namespace {

struct Interval {
  std::int64_t begin, end;
};

std::int64_t union_length(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::int64_t length = 0, reached = INT64_MIN;
  for (const Interval& each : intervals) {
    const std::int64_t from = std::max(reached, each.begin);
    if (each.end > from) length += each.end - from;
    reached = std::max(reached, each.end);
  }
  return length;
}

struct Placed {
  Slice slice;
  SliceRef ref;
  std::uint32_t depth;
};

std::vector<Placed> slices_of_track(const Timeline& timeline, std::uint32_t track) {
  std::vector<Placed> slices;
  const auto& blocks = timeline.tracks[track].blocks;
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b] == nullptr) continue;
    for (std::uint32_t r = 0; r < blocks[b]->rows.size(); ++r) {
      const SliceRow& row = blocks[b]->rows[r];
      for (std::uint64_t i = 0; i < row.count(); ++i) {
        slices.push_back(
            {row.slice(i), {TrackId{track}, BlockId{b}, r, i}, blocks[b]->base_depth + r});
      }
    }
  }
  return slices;
}

// The definition, written down once more without any cleverness.
std::map<std::uint32_t, NameStatistics> plainly(const Timeline& timeline,
                                                const StatisticsQuery& query) {
  std::map<std::uint32_t, NameStatistics> names;
  std::map<std::uint32_t, std::vector<std::int64_t>> durations;
  const Scope& scope = query.scope;
  if (scope.begin_ns >= scope.end_ns) return names;
  for (std::uint32_t t = 0; t < timeline.tracks.size(); ++t) {
    const Track& track = timeline.tracks[t];
    if (track.kind == TrackKind::counter || !scope.has_track(TrackId{t})) continue;
    if (!scope.names_tracks() && track.kind != TrackKind::thread) continue;
    std::map<std::uint32_t, std::vector<Interval>> of_name;
    const std::vector<Placed> slices = slices_of_track(timeline, t);
    for (const Placed& placed : slices) {
      const Slice& slice = placed.slice;
      const bool overlaps = slice.duration_ns == 0
                                ? slice.begin_ns >= scope.begin_ns && slice.begin_ns < scope.end_ns
                                : slice.begin_ns < scope.end_ns && slice.end_ns() > scope.begin_ns;
      if (!overlaps) continue;
      const Interval cut = query.whole_calls ? Interval{slice.begin_ns, slice.end_ns()}
                                             : Interval{std::max(slice.begin_ns, scope.begin_ns),
                                                        std::min(slice.end_ns(), scope.end_ns)};
      std::vector<Interval> deeper;
      for (const Placed& other : slices) {
        // Blocks of this test hang on no call.
        const bool inside_it = track.blocks.size() == 1
                                   ? parent_of(timeline, other.ref) == placed.ref
                                   : other.depth > placed.depth;
        if (!inside_it) continue;
        const Interval inside{std::max(other.slice.begin_ns, cut.begin),
                              std::min(other.slice.end_ns(), cut.end)};
        if (inside.begin < inside.end) deeper.push_back(inside);
      }
      const std::int64_t duration = cut.end - cut.begin;
      NameStatistics& name = names[index(slice.name)];
      name.name = slice.name;
      ++name.count;
      name.sum_ns += duration;
      name.self_ns += duration - union_length(deeper);
      if ((slice.flags & kUnfinished) != 0) {
        ++name.unfinished_count;
      } else {
        name.finished_sum_ns += duration;
      }
      if (!name.longest || duration > name.max_ns) {
        name.max_ns = duration;
        name.longest = placed.ref;
      }
      durations[index(slice.name)].push_back(duration);
      of_name[index(slice.name)].push_back(cut);
    }
    for (const auto& [name, intervals] : of_name) names[name].total_ns += union_length(intervals);
  }
  for (auto& entry : durations) {
    std::vector<std::int64_t>& values = entry.second;
    std::sort(values.begin(), values.end());
    const auto at = [&values](double part) {
      const auto rank =
          static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size()) - 1e-9));
      return values[rank - 1];
    };
    NameStatistics& name = names[entry.first];
    name.min_ns = values.front();
    name.median_ns = at(0.5);
    name.p90_ns = at(0.9);
    name.p99_ns = at(0.99);
  }
  return names;
}

void expect_as_plainly(const Timeline& timeline, const StatisticsQuery& query, unsigned jobs) {
  const SliceStatistics found = slice_statistics(*slice_set_of(timeline), query, jobs);
  const auto wanted = plainly(timeline, query);
  ASSERT_EQ(found.names.size(), wanted.size());
  std::uint64_t calls = 0;
  for (const NameStatistics& name : found.names) {
    const NameStatistics& other = wanted.at(index(name.name));
    SCOPED_TRACE(std::string(timeline.text(name.name)));
    EXPECT_EQ(name.count, other.count);
    EXPECT_EQ(name.unfinished_count, other.unfinished_count);
    EXPECT_EQ(name.total_ns, other.total_ns);
    EXPECT_EQ(name.sum_ns, other.sum_ns);
    EXPECT_EQ(name.finished_sum_ns, other.finished_sum_ns);
    EXPECT_EQ(name.self_ns, other.self_ns);
    EXPECT_EQ(name.median_ns, other.median_ns);
    EXPECT_EQ(name.p90_ns, other.p90_ns);
    EXPECT_EQ(name.p99_ns, other.p99_ns);
    EXPECT_EQ(name.min_ns, other.min_ns);
    EXPECT_EQ(name.max_ns, other.max_ns);
    EXPECT_EQ(name.longest, other.longest);
    calls += name.count;
  }
  EXPECT_EQ(found.call_count, calls);
  EXPECT_TRUE(std::is_sorted(
      found.names.begin(), found.names.end(),
      [](const NameStatistics& a, const NameStatistics& b) { return a.total_ns > b.total_ns; }));
}

// Calls at random places: nested, partly overlapping, of no length, of few names so that many are
// inside their own; some never end.
Timeline random_trace(unsigned seed, int calls, bool overlapping) {
  std::mt19937 random(seed);
  const auto upto = [&random](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most + 1));
  };
  TimelineBuilder builder;
  RecordOffset record = 0;
  for (int t = 0; t < 3; ++t) {
    const ThreadId thread = builder.thread(builder.process("1"), std::to_string(t));
    TrackWriter& writer = builder.slices(thread);
    if (overlapping) {
      for (int i = 0; i < calls; ++i) {
        const StringId name = builder.intern("n" + std::to_string(upto(4)));
        if (upto(40) == 0) {
          writer.complete_unfinished(upto(200), name, record++);
        } else {
          writer.complete(upto(200), upto(4) == 0 ? 0 : upto(60), name, record++);
        }
      }
      continue;
    }
    std::vector<StringId> open;
    int now = upto(5);
    for (int i = 0; i < 2 * calls; ++i, now += upto(6)) {
      if (open.empty() || (upto(1) == 0 && open.size() < 8)) {
        open.push_back(builder.intern("n" + std::to_string(upto(4))));
        writer.begin(now, open.back(), record++);
      } else {
        writer.end(now, open.back(), record++);
        open.pop_back();
      }
    }
  }
  return builder.finish();
}

TEST(SliceStatisticsTest, AgreesWithThePlainDefinitionOnRandomTraces) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const bool overlapping = seed % 2 == 1;
    const Timeline timeline = random_trace(seed, 60, overlapping);
    for (const bool whole : {false, true}) {
      for (const Scope& scope : {Scope{}, Scope{40, 90}, Scope{0, 1}, Scope{50, 120, {TrackId{1}}},
                                 Scope{INT64_MIN, 70, {TrackId{0}}}, Scope{100, 100}}) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << (whole ? " whole" : " cut") << " ["
                                        << scope.begin_ns << ", " << scope.end_ns << ")");
        expect_as_plainly(timeline, {scope, whole}, 1 + seed % 3);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(SliceStatisticsTest, SelfTimesAddUpToThoseOfTheModel) {
  for (const bool overlapping : {false, true}) {
    const Timeline timeline = random_trace(7, 80, overlapping);
    std::map<std::uint32_t, std::int64_t> wanted;
    for (std::uint32_t t = 0; t < timeline.tracks.size(); ++t) {
      for (const Placed& placed : slices_of_track(timeline, t)) {
        wanted[index(placed.slice.name)] += self_ns(timeline, placed.ref);
      }
    }
    for (const NameStatistics& name : slice_statistics(*slice_set_of(timeline), {}).names) {
      EXPECT_EQ(name.self_ns, wanted[index(name.name)]);
    }
  }
}

Timeline one_thread(const std::vector<Slice>& slices, TimelineBuilder& builder) {
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  RecordOffset record = 0;
  for (const Slice& slice : slices) {
    writer.complete(slice.begin_ns, slice.duration_ns, slice.name, record++);
  }
  return builder.finish();
}

TEST(SliceStatisticsTest, MeasuresCallsSamplesOrBoth) {
  TimelineBuilder builder;
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  builder.slices(thread).complete(0, 10, builder.intern("f"), 0);
  builder.sample_slices(thread, builder.intern("samples")).complete(20, 5, builder.intern("f"), 1);
  const Timeline timeline = builder.finish();
  const auto set = slice_set_of(timeline);
  const auto total = [&](SlicesOf slices) {
    return slice_statistics(*set, {{.slices = slices}}).names.at(0).total_ns;
  };
  EXPECT_EQ(total(SlicesOf::calls), 10);
  EXPECT_EQ(total(SlicesOf::samples), 5);
  EXPECT_EQ(total(SlicesOf::both), 15);
}

TEST(SliceStatisticsTest, CountsRecursionOnceInTheTotalOnly) {
  TimelineBuilder builder;
  const StringId f = builder.intern("f"), g = builder.intern("g");
  const Timeline timeline =
      one_thread({{0, 100, f}, {10, 50, g}, {20, 30, f}, {25, 5, f}}, builder);
  const SliceStatistics found = slice_statistics(*slice_set_of(timeline), {});
  ASSERT_EQ(found.names.size(), 2u);
  const NameStatistics& name = found.names[0];
  EXPECT_EQ(name.name, f);
  EXPECT_EQ(name.count, 3u);
  EXPECT_EQ(name.total_ns, 100);
  EXPECT_EQ(name.sum_ns, 135);
  EXPECT_EQ(name.mean_ns(), 45);
  EXPECT_EQ(name.self_ns, 50 + 25 + 5);
  EXPECT_EQ(found.self_ns, 100);
  EXPECT_EQ(found.length_ns(), 100);
  EXPECT_DOUBLE_EQ(share_percent(found, found.names[1]), 50);
}

TEST(SliceStatisticsTest, CutsCallsAtTheEdgesOrCountsThemWhole) {
  TimelineBuilder builder;
  const StringId f = builder.intern("f"), g = builder.intern("g");
  const Timeline timeline =
      one_thread({{0, 100, f}, {80, 10, g}, {100, 0, g}, {60, 0, g}}, builder);
  const auto set = slice_set_of(timeline);
  const Scope scope{60, 100};
  const SliceStatistics cut = slice_statistics(*set, {scope, false});
  EXPECT_EQ(cut.names[0].total_ns, 40);
  EXPECT_EQ(cut.names[0].self_ns, 30);
  EXPECT_EQ(cut.names[1].count, 2u) << "the range is half open";
  EXPECT_DOUBLE_EQ(share_percent(cut, cut.names[0]), 100);
  const SliceStatistics whole = slice_statistics(*set, {scope, true});
  EXPECT_EQ(whole.names[0].total_ns, 100);
  EXPECT_EQ(whole.names[0].self_ns, 90);
}

TEST(SliceStatisticsTest, MeasuresOtherTracksOnlyWhenOneIsChosen) {
  TimelineBuilder builder;
  const StringId f = builder.intern("f");
  const ThreadId thread = builder.thread(builder.process("1"), "1");
  builder.slices(thread).complete(0, 10, f, 0);
  builder.sample_slices(thread, builder.intern("samples")).complete(0, 30, f, 1);
  const AsyncTrackId async = builder.async_track(builder.process("1"), builder.intern("a"));
  builder.async_group(async, {{{5, 70, f}, 0}, {{10, 20, f}, 1}});
  const Timeline timeline = builder.finish();
  const auto set = slice_set_of(timeline);
  EXPECT_EQ(slice_statistics(*set, {}).names[0].total_ns, 10);
  std::map<TrackKind, std::int64_t> totals;
  for (std::uint32_t t = 0; t < timeline.tracks.size(); ++t) {
    const StatisticsQuery query{{.tracks = {TrackId{t}}}};
    totals[timeline.tracks[t].kind] = slice_statistics(*set, query).names[0].total_ns;
    expect_as_plainly(timeline, query, 2);
  }
  EXPECT_EQ(totals[TrackKind::samples], 30);
  EXPECT_EQ(totals[TrackKind::async], 70);
}

SliceRow row_of(const std::vector<Slice>& slices, const StringPool& names) {
  SliceRow row;
  row.chunks.push_back(SliceChunk::seal(slices, &names));
  return row;
}

TEST(SliceStatisticsTest, CountsChildBlocksThatAreLoaded) {
  TimelineBuilder builder;
  const StringId f = builder.intern("f"), g = builder.intern("g");
  Timeline timeline = one_thread({{0, 100, f}, {200, 100, f}}, builder);
  // Loaded the later one first, as they were looked at.
  for (const std::int64_t begin_ns : {200, 0}) {
    auto block = std::make_shared<SliceBlock>();
    block->base_depth = 1;
    block->rows.push_back(
        row_of({{begin_ns + 10, 20, g}, {begin_ns + 40, 30, g}}, *timeline.strings));
    block->rows.push_back(row_of({{begin_ns + 45, 5, f}}, *timeline.strings));
    timeline.tracks[0].blocks.push_back(std::move(block));
  }
  timeline.tracks[0].blocks.push_back(nullptr);  // one that was evicted
  for (const bool whole : {false, true}) {
    expect_as_plainly(timeline, {}, 2);
    expect_as_plainly(timeline, {{50, 245}, whole}, 2);
  }
}

TEST(SliceStatisticsTest, FindsExactPercentilesOfNamesWithManyCalls) {
  std::mt19937_64 random(3);
  TimelineBuilder builder;
  const std::vector<StringId> names = {builder.intern("narrow"), builder.intern("wide"),
                                       builder.intern("same"), builder.intern("few")};
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  std::map<std::uint32_t, std::vector<std::int64_t>> durations;
  std::int64_t now = 0;
  for (int i = 0; i < 300'000; ++i) {
    const StringId name = i % 1000 == 0 ? names[3] : names[static_cast<std::size_t>(i % 3)];
    std::int64_t duration = 1000;
    if (name == names[0]) duration = 100 + static_cast<std::int64_t>(random() % 50);
    if (name == names[1]) duration = static_cast<std::int64_t>(random() >> (22 + random() % 40));
    if (name == names[3]) duration = static_cast<std::int64_t>(random() % 1'000'000'000);
    writer.complete(now, duration, name, static_cast<RecordOffset>(i));
    now += duration + 1;
    durations[index(name)].push_back(duration);
  }
  const Timeline timeline = builder.finish();
  for (const unsigned jobs : {1u, 3u}) {
    const SliceStatistics found = slice_statistics(*slice_set_of(timeline), {}, jobs);
    ASSERT_EQ(found.names.size(), 4u);
    for (const NameStatistics& name : found.names) {
      std::vector<std::int64_t>& sorted = durations[index(name.name)];
      std::sort(sorted.begin(), sorted.end());
      ASSERT_EQ(name.count, sorted.size());
      EXPECT_EQ(name.median_ns, sorted[(sorted.size() + 1) / 2 - 1]);
      EXPECT_EQ(name.p90_ns, sorted[(sorted.size() * 9 + 9) / 10 - 1]);
      EXPECT_EQ(name.p99_ns, sorted[(sorted.size() * 99 + 99) / 100 - 1]);
    }
  }
}

TEST(SliceStatisticsTest, GivesTheSameForAnyNumberOfWorkersOnALongThread) {
  std::mt19937 random(11);
  TimelineBuilder builder;
  std::vector<StringId> names;
  for (int i = 0; i < 20; ++i) names.push_back(builder.intern("n" + std::to_string(i)));
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  struct Open {
    std::int64_t begin;
    StringId name;
  };
  std::vector<Open> open;
  std::map<std::uint32_t, std::vector<Interval>> of_name;
  std::int64_t now = 0;
  for (int i = 0; i < 1'200'000 || !open.empty(); ++i) {
    now += 1 + static_cast<std::int64_t>(random() % 50);
    if (i < 1'200'000 && (open.empty() || (open.size() < 12 && random() % 2 == 0))) {
      open.push_back({now, names[random() % names.size()]});
      writer.begin(now, open.back().name, static_cast<RecordOffset>(i));
    } else {
      writer.end(now, open.back().name, static_cast<RecordOffset>(i));
      of_name[index(open.back().name)].push_back({open.back().begin, now});
      open.pop_back();
    }
  }
  const Timeline timeline = builder.finish();
  const SliceStatistics alone = slice_statistics(*slice_set_of(timeline), {}, 1);
  const SliceStatistics together = slice_statistics(*slice_set_of(timeline), {}, 4);
  ASSERT_EQ(alone.names.size(), together.names.size());
  for (std::size_t i = 0; i < alone.names.size(); ++i) {
    const NameStatistics &a = alone.names[i], &b = together.names[i];
    EXPECT_EQ(a.total_ns, union_length(of_name[index(a.name)]));
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.total_ns, b.total_ns);
    EXPECT_EQ(a.self_ns, b.self_ns);
    EXPECT_EQ(a.p90_ns, b.p90_ns);
    EXPECT_EQ(a.longest, b.longest);
  }
}

TEST(SliceStatisticsTest, StaysSaneAtTheEndsOfTime) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  TimelineBuilder builder;
  const StringId f = builder.intern("f");
  const Timeline timeline =
      one_thread({{-kFar, kFar, f}, {0, kFar, f}, {kFar, 0, f}, {-kFar, 1, f}}, builder);
  const SliceStatistics found = slice_statistics(*slice_set_of(timeline), {});
  ASSERT_EQ(found.names.size(), 1u);
  EXPECT_EQ(found.names[0].count, 4u);
  EXPECT_GT(found.names[0].total_ns, 0);
  EXPECT_EQ(found.length_ns(), INT64_MAX);
  EXPECT_GE(share_percent(found, found.names[0]), 0);
}

TEST(SliceStatisticsTest, OfNothingIsEmpty) {
  const SliceStatistics found = slice_statistics(*slice_set_of(Timeline()), {}, 4);
  EXPECT_TRUE(found.names.empty());
  EXPECT_EQ(found.length_ns(), 0);
}

TEST(SliceStatisticsTest, EndsSoonOnceCancelled) {
  const Timeline timeline = random_trace(1, 50, false);
  const std::atomic<bool> cancelled = true;
  EXPECT_TRUE(slice_statistics(*slice_set_of(timeline), {}, 2, &cancelled).names.empty());
}

}  // namespace
}  // namespace cinderscope
