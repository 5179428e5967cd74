#include "ingest/build/passing_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace cinderscope {
namespace {

TEST(ReleaseTest, TheRoomGoesToo) {
  std::vector<int> numbers(1000);
  release(numbers);
  EXPECT_EQ(numbers.capacity(), 0u);
  std::string text(1000, 'x');
  release(text);
  EXPECT_EQ(text.capacity(), std::string().capacity());
  std::unordered_map<int, int> table;
  table.reserve(1000);
  release(table);
  EXPECT_EQ((table.bucket_count()), (std::unordered_map<int, int>().bucket_count()));
}

TEST(PieceListTest, GivesAllInTheirOrderAndIsEmptyThen) {
  PieceList<std::uint64_t> list;
  EXPECT_TRUE(list.take().empty());
  for (const std::uint64_t count : {1u, 16u, 17u, 100u, 1'000'000u}) {
    for (std::uint64_t i = 0; i < count; ++i) list.push_back(i * i);
    ASSERT_EQ(list.size(), count);
    const std::vector<std::uint64_t> all = list.take();
    ASSERT_EQ(all.size(), count);
    EXPECT_EQ(all.capacity(), count);  // no more than is needed
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(all[i], i * i);
    EXPECT_EQ(list.size(), 0u);
  }
}

// Words that jump to either end of their range, stay, and step by one.
TEST(PieceListTest, NoDifferenceIsTooLarge) {
  struct Wide {
    std::uint64_t first;
    std::uint32_t second, third;
    bool operator==(const Wide&) const = default;
  };
  std::vector<Wide> values;
  for (std::uint64_t i = 0; i < 40'000; ++i) {
    const std::uint64_t far = i % 3 == 0 ? UINT64_MAX : i % 3 == 1 ? 0 : std::uint64_t{1} << 63;
    values.push_back({.first = far + i % 5,
                      .second = i % 4 < 2 ? UINT32_MAX : static_cast<std::uint32_t>(i),
                      .third = 0x80000000u - static_cast<std::uint32_t>(i % 2)});
  }
  PieceList<Wide> list;
  for (const Wide& value : values) list.push_back(value);
  EXPECT_EQ(list.take(), values);
}

}  // namespace
}  // namespace cinderscope
