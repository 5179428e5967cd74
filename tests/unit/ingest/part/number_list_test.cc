#include "ingest/part/number_list.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace cinderscope {
namespace {

TEST(NumberListTest, KnowsAllNumbersWhateverIsOnDisk) {
  for (const std::size_t window : {2u, 3u, 16u, 5000u}) {
    NumberList list(window);
    std::vector<std::int64_t> expected;
    std::uint64_t random = 7;
    for (std::int64_t i = 0; i < 3000; ++i) {
      list.add(i * 10);
      expected.push_back(i * 10);
      random = random * 6364136223846793005u + 1442695040888963407u;
      const std::size_t at = (random >> 33) % expected.size();
      list.take_off(at, i % 7);
      expected[at] -= i % 7;
      list.take_off(0, 1);
      expected[0] -= 1;
    }
    ASSERT_TRUE(list.finish());
    ASSERT_EQ(list.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(list.at(i), expected[i]) << window;
  }
}

}  // namespace
}  // namespace cinderscope
