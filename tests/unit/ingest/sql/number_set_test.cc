#include "ingest/sql/number_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace cinderscope {
namespace {

TEST(NumberSetTest, CombinesIntervals) {
  std::mt19937 random(1);
  const auto number = [&random] { return static_cast<std::int64_t>(random() % 20); };
  const auto some = [&] {
    std::vector<NumberSet> sets;
    for (std::uint32_t i = random() % 4; i > 0; --i)
      sets.push_back(NumberSet::of(number(), number()));
    return sets;
  };
  for (int round = 0; round < 500; ++round) {
    const std::vector<NumberSet> parts = some();
    const NumberSet a = NumberSet::any_of(parts), b = NumberSet::any_of(some());
    NumberSet both = a;
    both.keep(b);
    const NumberSet others = a.others();
    for (std::int64_t x = -2; x < 23; ++x) {
      EXPECT_EQ(a.holds(x), std::ranges::any_of(parts, [x](auto& part) { return part.holds(x); }));
      EXPECT_EQ(both.holds(x), a.holds(x) && b.holds(x));
      EXPECT_NE(others.holds(x), a.holds(x));
    }
    EXPECT_EQ(others.others(), a);
  }
  EXPECT_TRUE(NumberSet().is_all());
  EXPECT_TRUE(NumberSet().others().empty());
  EXPECT_TRUE(NumberSet::none().others().is_all());
  EXPECT_TRUE(NumberSet::of(INT64_MIN).others().holds(INT64_MAX));
  EXPECT_FALSE(NumberSet::of(INT64_MAX).others().holds(INT64_MAX));
}

TEST(NumberSetTest, NamesItsNumbers) {
  const NumberSet set =
      NumberSet::any_of(std::vector{NumberSet::of(5), NumberSet::of(1, 3), NumberSet::of(4)});
  EXPECT_TRUE(set.is_interval());
  EXPECT_EQ(set.numbers_in(2, 9), (std::vector<std::int64_t>{2, 3, 4, 5}));
  EXPECT_EQ(NumberSet::of_all({5, 3, 1, 2, 3, 4}), set);
  EXPECT_EQ(NumberSet::of_all({INT64_MAX, INT64_MIN}).intervals().size(), 2U);
  EXPECT_TRUE(NumberSet::of_all({}).empty());
  const NumberSet others = set.others();
  EXPECT_FALSE(others.is_interval());
  EXPECT_FALSE(others.is_all());
  EXPECT_EQ(others.numbers_in(-1, 7), (std::vector<std::int64_t>{-1, 0, 6, 7}));
  EXPECT_EQ(others.count_in(-1, 7), 4U);
  EXPECT_EQ(NumberSet().count_in(1, INT64_MAX - 1), std::uint64_t{INT64_MAX} - 1);
  EXPECT_EQ(NumberSet::none().count_in(1, 9), 0U);
  EXPECT_TRUE(NumberSet::none().numbers_in(1, 9).empty());
  EXPECT_FALSE(NumberSet::none().is_interval());
  EXPECT_EQ(NumberSet(), NumberSet::of(INT64_MIN, INT64_MAX));
}

TEST(NumberSetTest, ComparesAsSqliteDoes) {
  using Kind = NumberOperand::Kind;
  const auto least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(numbers_up_to({Kind::integer, 5}, false), NumberSet::of(least, 4));
  EXPECT_TRUE(numbers_up_to({Kind::integer, least}, false).empty());
  EXPECT_EQ(numbers_above({Kind::real, 0, 4.5}, true), NumberSet::of(5, INT64_MAX));
  EXPECT_TRUE(numbers_equal({Kind::real, 0, 4.5}).empty());
  EXPECT_EQ(numbers_equal({Kind::real, 0, -4.0}), NumberSet::of(-4));
  EXPECT_TRUE(numbers_up_to({Kind::real, 0, 1e30}, false).is_all());
  EXPECT_TRUE(numbers_above({Kind::real, 0, 1e30}, true).empty());
  EXPECT_TRUE(numbers_above({Kind::real, 0, -1e30}, false).is_all());
  EXPECT_TRUE(numbers_up_to({Kind::above_all}, false).is_all());
  EXPECT_TRUE(numbers_equal({Kind::above_all}).empty());
  for (const bool included : {false, true}) {
    EXPECT_TRUE(numbers_up_to({Kind::null}, included).empty());
    EXPECT_TRUE(numbers_above({Kind::null}, included).empty());
  }
}

}  // namespace
}  // namespace cinderscope
