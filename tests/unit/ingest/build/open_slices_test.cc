#include "ingest/build/open_slices.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

constexpr StringId kOuter{1}, kInner{2}, kOther{3};

TEST(OpenSlicesTest, AnEndClosesTheInnermostOfItsNameElseTheInnermost) {
  OpenSlices open;
  open.push({10, kOuter, 0});
  open.push({20, kInner, 1});
  open.push({30, kOther, 2});
  OpenSlices::Closed closed;
  ASSERT_TRUE(open.close(kOuter, closed));
  EXPECT_EQ(closed.slice.record, 0u);
  EXPECT_FALSE(closed.was_innermost);
  ASSERT_TRUE(open.close(StringId{9}, closed));
  EXPECT_EQ(closed.slice.record, 2u);
  ASSERT_TRUE(open.close(kNoName, closed));
  EXPECT_EQ(closed.slice.record, 1u);
  EXPECT_FALSE(open.close(kInner, closed));
}

// Those of the next thread or operation know nothing of what was open before, by name neither.
TEST(OpenSlicesTest, NothingIsOpenOnceItIsCleared) {
  OpenSlices open;
  OpenSlices::Closed closed;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(open.count(), 0u);
    EXPECT_TRUE(open.all().empty());
    EXPECT_FALSE(open.close(kInner, closed));
    for (RecordOffset record = 0; record < 40; ++record) open.push({0, kOuter, record});
    open.push({0, kInner, 40});
    ASSERT_TRUE(open.close(kOuter, closed));
    EXPECT_EQ(closed.slice.record, 39u);
    EXPECT_EQ(open.innermost().record, 40u);
    EXPECT_EQ(open.count(), 40u);
    open.clear();
  }
}

}  // namespace
}  // namespace cinderscope
