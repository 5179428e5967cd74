#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "ingest/sql/grouped/grouped_filter.h"
#include "ingest/sql/grouped/interval_union.h"
#include "ingest/sql/grouped/value_rank.h"
#include "ingest/totals/slice_statistics.h"

namespace cinderscope {
namespace {

GroupedFilter filter_of(SliceColumn column, TestKind kind, bool negated,
                        const std::vector<GroupedConstant>& constants) {
  GroupedTest test{column, kind, negated, {}};
  for (std::uint32_t i = 0; i < constants.size(); ++i) test.constants.push_back(i);
  const auto filter = grouped_filter(std::span(&test, 1), constants, [](TestKind, std::uint32_t) {
    return GroupedFilter::TextTest();
  });
  return filter.value();
}

// Of -3...3, those that are left.
std::set<std::int64_t> left(TestKind kind, bool negated,
                            const std::vector<GroupedConstant>& constants) {
  const GroupedFilter filter = filter_of(SliceColumn::dur, kind, negated, constants);
  std::set<std::int64_t> out;
  for (std::int64_t x = -3; x <= 3; ++x) {
    if (filter.of(SliceColumn::dur).holds(x)) out.insert(x);
  }
  return out;
}

TEST(GroupedFilterTest, ComparesNumbersAsSqliteDoes) {
  using Numbers = std::set<std::int64_t>;
  const GroupedConstant null, text = GroupedConstant::of("abc");
  const auto real = [](double value) { return GroupedConstant::of(value); };
  const auto whole = [](std::int64_t value) { return GroupedConstant::of(value); };
  EXPECT_EQ(left(TestKind::less, false, {real(1.5)}), (Numbers{-3, -2, -1, 0, 1}));
  EXPECT_EQ(left(TestKind::less, false, {real(1.0)}), (Numbers{-3, -2, -1, 0}));
  EXPECT_EQ(left(TestKind::less_equal, false, {real(-1.5)}), (Numbers{-3, -2}));
  EXPECT_EQ(left(TestKind::greater, false, {real(-1.5)}), (Numbers{-1, 0, 1, 2, 3}));
  EXPECT_EQ(left(TestKind::greater_equal, false, {real(1e300)}), Numbers{});
  EXPECT_EQ(left(TestKind::less, false, {real(1e300)}).size(), 7u);
  EXPECT_EQ(left(TestKind::greater, false, {real(-1e300)}).size(), 7u);
  EXPECT_EQ(left(TestKind::equal, false, {real(2.0)}), Numbers{2});
  EXPECT_EQ(left(TestKind::equal, false, {real(2.5)}), Numbers{});
  EXPECT_EQ(left(TestKind::equal, true, {real(2.5)}).size(), 7u);
  // Numbers come before texts; nothing is known of NULL.
  EXPECT_EQ(left(TestKind::less, false, {text}).size(), 7u);
  EXPECT_EQ(left(TestKind::greater, false, {text}), Numbers{});
  EXPECT_EQ(left(TestKind::equal, true, {text}).size(), 7u);
  for (const TestKind kind : {TestKind::equal, TestKind::less, TestKind::greater_equal}) {
    EXPECT_EQ(left(kind, false, {null}), Numbers{});
  }
  EXPECT_EQ(left(TestKind::equal, true, {null}), Numbers{});
  EXPECT_EQ(left(TestKind::in, false, {whole(2), null, real(-1.0)}), (Numbers{-1, 2}));
  EXPECT_EQ(left(TestKind::in, true, {whole(2), null}), Numbers{});
  EXPECT_EQ(left(TestKind::in, true, {whole(2), whole(3)}), (Numbers{-3, -2, -1, 0, 1}));
  EXPECT_EQ(left(TestKind::between, false, {whole(-1), real(1.5)}), (Numbers{-1, 0, 1}));
  EXPECT_EQ(left(TestKind::between, true, {whole(-1), real(1.5)}), (Numbers{-3, -2, 2, 3}));
  EXPECT_EQ(left(TestKind::between, false, {null, whole(2)}), Numbers{});
  EXPECT_EQ(left(TestKind::between, true, {null, whole(2)}), Numbers{3});
  EXPECT_EQ(left(TestKind::less, false, {whole(INT64_MIN)}), Numbers{});
  EXPECT_EQ(left(TestKind::greater, false, {whole(INT64_MAX)}), Numbers{});
}

TEST(GroupedFilterTest, ComparesTextsByBytes) {
  const auto holds = [](TestKind kind, bool negated, const std::vector<GroupedConstant>& constants,
                        std::optional<std::string_view> text) {
    return filter_of(SliceColumn::thread_name, kind, negated, constants)
        .text_holds(SliceColumn::thread_name, text);
  };
  const auto text = [](std::string_view of) { return GroupedConstant::of(of); };
  EXPECT_TRUE(holds(TestKind::equal, false, {text("a")}, "a"));
  EXPECT_FALSE(holds(TestKind::equal, false, {text("a")}, "A"));
  EXPECT_TRUE(holds(TestKind::less, false, {text("\xc3\xa4")}, "z"));
  EXPECT_TRUE(holds(TestKind::equal, false, {GroupedConstant::of(std::int64_t{5})}, "5"));
  EXPECT_FALSE(holds(TestKind::equal, true, {text("a")}, std::nullopt));
  EXPECT_FALSE(holds(TestKind::equal, true, {GroupedConstant()}, "a"));
  EXPECT_TRUE(holds(TestKind::in, true, {text("a"), text("b")}, "c"));
  EXPECT_FALSE(holds(TestKind::in, true, {text("a"), GroupedConstant()}, "c"));
  EXPECT_TRUE(holds(TestKind::between, false, {text("a"), text("c")}, "c"));
  EXPECT_FALSE(holds(TestKind::between, true, {text("a"), text("c")}, "b"));
}

TEST(IntervalUnionTest, AddsUpWhatIsCovered) {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    IntervalUnion all, half;
    std::vector<bool> covered(20'000);
    for (int i = 0; i < 3000; ++i) {
      const auto begin = static_cast<std::int64_t>(random() % 19'000);
      const std::int64_t end = begin + static_cast<std::int64_t>(random()) % (round + 1);
      (i % 3 == 0 ? half : all).add(begin, end);
      std::fill(covered.begin() + begin, covered.begin() + end, true);
    }
    all.add(half);
    EXPECT_EQ(all.length(), std::ranges::count(covered, true));
  }
  IntervalUnion forever;
  forever.add(-(std::int64_t{1} << 62), 0);
  forever.add(5, 5);
  forever.add(0, std::int64_t{1} << 62);
  EXPECT_EQ(forever.length(), INT64_MAX);
}

TEST(IntervalUnionTest, MemoryFollowsTheUnion) {
  IntervalUnion all;
  for (std::int64_t i = 0; i < 1'000'000; ++i)
    all.add(i * 7919 % 1'000'003, i * 7919 % 1'000'003 + 5);
  EXPECT_LT(all.kept_bytes(), 8u << 20);
}

TEST(ValueRankTest, IsTheNearestRank) {
  for (const std::uint64_t count : {1u, 2u, 3u, 10u, 99u, 100u, 101u, 12345u}) {
    EXPECT_EQ(rank_of_percent(count, 0), 0u);
    EXPECT_EQ(rank_of_percent(count, 100), count - 1);
    for (const double share : {0.5, 0.9, 0.99}) {
      EXPECT_EQ(rank_of_percent(count, 100 * share), nearest_rank(count, share)) << count;
    }
  }
  EXPECT_EQ(rank_of_percent(1'000'000, 99.9999), 999'998u);
  EXPECT_EQ(rank_of_percent(std::uint64_t{1} << 63, 50), (std::uint64_t{1} << 62) - 1);
}

}  // namespace
}  // namespace cinderscope
