#include "render/base/index_set.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(IndexSetTest, IsEqualToASetOfTheSameMembersHoweverTheyCame) {
  IndexSet a{3, 1, 2};
  IndexSet b;
  for (const std::uint32_t each : {2u, 9u, 3u, 1u, 1u}) b.insert(each);
  EXPECT_NE(a, b);
  EXPECT_EQ(b.erase(9), 1u);
  EXPECT_EQ(b.erase(9), 0u);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a, IndexSet(std::set<std::uint32_t>{1, 2, 3}));
  a.erase(3);
  b.erase(1);
  EXPECT_NE(a, b);  // as many members
}

TEST(IndexSetTest, ForgetsAllAtOnce) {
  IndexSet set{0, 5};
  EXPECT_TRUE(set.contains(0));
  set.clear();
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set, IndexSet());
}

}  // namespace
}  // namespace cinderscope
