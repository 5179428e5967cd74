#include "ingest/search/given_matches.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

// Three threads with `calls` calls each that follow each other, and a child in each; an instant.
Timeline three_threads(std::int64_t calls) {
  TimelineBuilder builder;
  const ProcessId process = builder.process("1");
  const StringId call = builder.intern("call"), child = builder.intern("child");
  for (std::int64_t i = 0; i < 3; ++i) {
    const ThreadId thread = builder.thread(process, std::to_string(i));
    TrackWriter& slices = builder.slices(thread);
    for (std::int64_t k = 0; k < calls; ++k) {
      slices.complete(k * 100 + i, 90, call, 1);
      slices.complete(k * 100 + i + 10, 20, child, 1);
    }
    builder.instant(thread, 5, call, 2);
  }
  return builder.finish();
}

MatchRef slice(std::uint32_t track, std::uint32_t row, std::uint64_t at) {
  return {TrackId{track}, false, BlockId{0}, row, at};
}

TEST(GivenMatchesTest, HaveAllThatIsThereOnce) {
  const Timeline timeline = three_threads(5);
  const MatchRef instant{TrackId{1}, true, BlockId{0}, 0, 0};
  const std::vector<MatchRef> given = {slice(2, 1, 4), slice(0, 0, 3), slice(2, 1, 4), instant,
                                       slice(0, 9, 0), slice(0, 0, 5), slice(9, 0, 0)};
  const std::atomic<bool> never = false;
  const auto set = given_matches(slice_set_of(timeline), given, never);
  EXPECT_EQ(set->count(), 3U);
  EXPECT_TRUE(set->ordered());
  EXPECT_TRUE(is_match(*set, instant));
  EXPECT_FALSE(is_match(*set, slice(0, 0, 2)));
  EXPECT_EQ(match_at(*set, 0), instant);
  EXPECT_EQ(match_at(*set, 2), slice(2, 1, 4));
  EXPECT_EQ(match_beside(*set, instant, 1), slice(0, 0, 3));
  EXPECT_EQ(given_matches(slice_set_of(timeline), {}, never)->count(), 0U);
}

TEST(GivenMatchesTest, AreTheSameOverManyChunks) {
  constexpr std::int64_t kCalls = 5000;
  const Timeline timeline = three_threads(kCalls);
  std::mt19937 random(3);
  std::vector<MatchRef> given;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> wanted;
  for (int i = 0; i < 4000; ++i) {
    const MatchRef ref = slice(static_cast<std::uint32_t>(random() % 3),
                               static_cast<std::uint32_t>(random() % 2), random() % kCalls);
    given.push_back(ref);
    wanted.insert({index(ref.track), ref.row, ref.slice});
  }
  const std::atomic<bool> never = false;
  const auto set = given_matches(slice_set_of(timeline), given, never);
  ASSERT_EQ(set->count(), wanted.size());
  std::int64_t before = INT64_MIN;
  for (std::uint64_t k = 0; k < set->count(); ++k) {
    const MatchRef ref = match_at(*set, k);
    ASSERT_TRUE(wanted.contains({index(ref.track), ref.row, ref.slice}));
    ASSERT_EQ(rank_of(*set, ref), k);
    ASSERT_LE(before, slice_of(*set, ref).begin_ns);
    before = slice_of(*set, ref).begin_ns;
  }
}

}  // namespace
}  // namespace cinderscope
