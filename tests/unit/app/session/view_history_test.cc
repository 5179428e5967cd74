#include "app/session/view_history.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

VisitedView at(std::int64_t begin_ns) {
  return {showing(begin_ns, begin_ns + 1000, 100), static_cast<double>(begin_ns)};
}

TEST(ViewHistoryTest, GoesBackAndForward) {
  ViewHistory history;
  EXPECT_FALSE(history.can_go_back());
  EXPECT_FALSE(history.back(at(0)));
  history.moving(at(0), 0, true);
  history.moving(at(1000), 10, true);
  ASSERT_TRUE(history.can_go_back());
  EXPECT_EQ(history.back(at(2000))->view, at(1000).view);
  EXPECT_EQ(history.back(at(1000))->scroll_px, 0);
  EXPECT_FALSE(history.can_go_back());
  EXPECT_EQ(history.forward(at(0))->view, at(1000).view);
  EXPECT_EQ(history.forward(at(1000))->view, at(2000).view);
  EXPECT_FALSE(history.forward(at(2000)));
}

TEST(ViewHistoryTest, TakesTheStepsOfOneZoomForOneMove) {
  ViewHistory history;
  for (std::int64_t step = 0; step < 50; ++step) history.moving(at(step), 5000 + step * 16, false);
  EXPECT_EQ(history.back(at(50))->view, at(0).view);
  EXPECT_FALSE(history.can_go_back());
}

TEST(ViewHistoryTest, RemembersAViewThatWasLeftAloneForAWhile) {
  ViewHistory history;
  history.moving(at(0), 0, false);
  history.moving(at(1), 100, false);
  history.moving(at(2), 2000, false);
  EXPECT_EQ(history.back(at(3))->view, at(2).view);
  EXPECT_EQ(history.back(at(2))->view, at(0).view);
}

TEST(ViewHistoryTest, ForgetsTheWayForwardAfterAMove) {
  ViewHistory history;
  history.moving(at(0), 0, true);
  history.back(at(1));
  ASSERT_TRUE(history.can_go_forward());
  history.moving(at(0), 10, true);
  EXPECT_FALSE(history.can_go_forward());
}

TEST(ViewHistoryTest, KeepsTheNewestViews) {
  ViewHistory history;
  for (std::int64_t i = 0; i < 1000; ++i) history.moving(at(i), i, true);
  std::int64_t count = 0;
  while (history.can_go_back()) {
    ++count;
    EXPECT_EQ(history.back(at(0))->view, at(1000 - count).view);
  }
  EXPECT_EQ(count, 200);
}

}  // namespace
}  // namespace cinderscope
