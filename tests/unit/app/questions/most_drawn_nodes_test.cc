#include "app/questions/most_drawn_nodes.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(MostDrawnNodesTest, AreAsManyAsTheMemoryIsGoodFor) {
  EXPECT_EQ(most_drawn_nodes(std::uint64_t{4} << 30), 524'288u);  // a page
  EXPECT_EQ(most_drawn_nodes(std::uint64_t{64} << 30), kMaxCallTreeNodes);
  EXPECT_EQ(most_drawn_nodes(0), 100'000u);
}

}  // namespace
}  // namespace cinderscope
