#include "ingest/totals/durations/duration_ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// Names with `counts` calls each, one after the other or mixed, whose durations `duration(name)`
// makes up; ranks by a plain sort.
struct Ranked {
  Timeline timeline;
  std::vector<DurationRanks> asked, wanted;
};

template <class Duration>
Ranked ranked(const std::vector<int>& counts, const Duration& duration, bool mixed = false) {
  Ranked made;
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  std::vector<std::vector<std::int64_t>> durations;
  std::vector<StringId> names;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    names.push_back(builder.intern("n" + std::to_string(i)));
    durations.resize(index(names.back()) + 1);
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    order.insert(order.end(), static_cast<std::size_t>(counts[i]), i);
  }
  if (mixed) std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
  std::int64_t now = 0;
  for (const std::size_t i : order) {
    const std::int64_t ns = duration(i);
    writer.complete(now, ns, names[i], static_cast<RecordOffset>(now));
    now += ns + 1;
    durations[index(names[i])].push_back(ns);
  }
  made.timeline = builder.finish();
  made.asked.resize(made.timeline.strings->size());
  made.wanted = made.asked;
  for (std::size_t i = 0; i < durations.size(); ++i) {
    std::vector<std::int64_t>& sorted = durations[i];
    if (sorted.empty()) continue;
    std::sort(sorted.begin(), sorted.end());
    made.asked[i] = {sorted.size(), sorted.front(), sorted.back(), {}};
    for (std::size_t r = 0; r < kRankShares.size(); ++r) {
      made.wanted[i].values_ns[r] = sorted[nearest_rank(sorted.size(), kRankShares[r])];
    }
  }
  return made;
}

void expect_found(Ranked& made) {
  const auto set = slice_set_of(made.timeline);
  const std::vector<MeasuredTrack> tracks = measured_tracks(*set, {});
  const std::vector<SliceSpan> pieces = pieces_of(tracks);
  for (const std::uint64_t most_values : {kMostValues, std::uint64_t{5000}, std::uint64_t{1}}) {
    for (const unsigned jobs : {1u, 3u}) {
      std::vector<DurationRanks> names = made.asked;
      find_ranks(pieces, {}, names, jobs, nullptr, nullptr, most_values);
      for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(names[i].values_ns, made.wanted[i].values_ns)
            << "name " << i << ", " << most_values << " values at a time";
      }
    }
  }
}

TEST(DurationRanksTest, AreThoseOfASortWhateverTheMemory) {
  std::mt19937_64 random(5);
  Ranked made = ranked({100'000, 80'000, 70'000, 3000, 2, 1}, [&](std::size_t name) {
    if (name == 0) return static_cast<std::int64_t>(random() >> (24 + random() % 40));
    if (name == 1) return static_cast<std::int64_t>(1'000'000'000 + random() % 1000);
    return static_cast<std::int64_t>(random() % 100'000);
  });
  expect_found(made);
}

TEST(DurationRanksTest, StandAClockThatIsCoarserThanItSays) {
  std::mt19937_64 random(6);
  Ranked made = ranked({150'000, 70'000}, [&](std::size_t name) {
    return static_cast<std::int64_t>(random() % 3 * (name == 0 ? 1'000'000 : 15'625'000));
  });
  expect_found(made);
}

// Of columns packed in one, two, four and more bytes, and of names in one and two.
TEST(DurationRanksTest, AreThoseOfASortHoweverColumnsArePacked) {
  for (const std::size_t far : {std::size_t{2}, std::size_t{300}}) {
    std::mt19937_64 random(8);
    std::vector<int> counts(far + 1);
    counts[0] = counts[1] = counts[far] = 40'000;
    int made_calls = 0;
    Ranked made = ranked(
        counts,
        [&](std::size_t) {
          const int call = made_calls++;
          const int bits = call < 40'000 ? 7 : call < 80'000 ? 15 : call < 119'900 ? 27 : 41;
          return static_cast<std::int64_t>(random() >> (64 - bits));
        },
        true);
    expect_found(made);
  }
}

TEST(DurationRanksTest, NearestRankIsTheSmallestThatCoversThePart) {
  EXPECT_EQ(nearest_rank(1, 0.5), 0u);
  EXPECT_EQ(nearest_rank(2, 0.5), 0u);
  EXPECT_EQ(nearest_rank(3, 0.5), 1u);
  EXPECT_EQ(nearest_rank(100, 0.99), 98u);
  EXPECT_EQ(nearest_rank(101, 0.99), 99u);
  EXPECT_EQ(nearest_rank(10, 0.9), 8u);
  EXPECT_EQ(nearest_rank(std::uint64_t{1} << 40, 0.5), (std::uint64_t{1} << 39) - 1);
}

}  // namespace
}  // namespace cinderscope
