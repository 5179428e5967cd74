#include "ingest/build/radix_sort.h"

#include <gtest/gtest.h>

#include <random>

namespace cinderscope {
namespace {

struct Numbered {
  std::int64_t key = 0;
  std::size_t number = 0;
  bool operator==(const Numbered&) const = default;
};

void expect_sorted_stably(std::vector<std::int64_t> keys) {
  std::vector<Numbered> entries;
  for (const std::int64_t key : keys) entries.push_back({key, entries.size()});
  std::vector<Numbered> wanted = entries;
  std::ranges::stable_sort(wanted, {}, &Numbered::key);
  radix_sort(entries, [](const Numbered& each) { return ordered_bits(each.key); });
  EXPECT_EQ(entries, wanted);
}

TEST(RadixSortTest, SortsAsComparingDoesAndKeepsTheOrderOfEquals) {
  std::mt19937_64 random(4);
  for (const int count : {0, 1, 2, 1023, 1024, 5000}) {
    for (const int bits : {1, 4, 12, 40, 63, 64}) {
      std::vector<std::int64_t> keys;
      for (int i = 0; i < count; ++i)
        keys.push_back(static_cast<std::int64_t>(random() >> (64 - bits)));
      expect_sorted_stably(keys);
    }
  }
}

TEST(RadixSortTest, TakesNumbersOfBothSignsAndTheirEnds) {
  std::vector<std::int64_t> keys;
  for (int i = 0; i < 3000; ++i) keys.push_back(i % 2 == 0 ? -i : i);
  keys[7] = INT64_MIN;
  keys[8] = INT64_MAX;
  expect_sorted_stably(keys);
}

}  // namespace
}  // namespace cinderscope
