#include "ingest/base/ui_priority.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "ingest/base/parallel.h"

namespace cinderscope {
namespace {

// No rest ends by its length unless a test says so, and one may follow the other at once.
constexpr RestLimits kNoLimits{.longest = std::chrono::hours(1),
                               .work_between = std::chrono::milliseconds(0)};
constexpr RestLimits kShortRests{.longest = std::chrono::milliseconds(1),
                                 .work_between = std::chrono::hours(1)};

void on_background_thread(const std::function<void()>& work) {
  std::thread([&work] {
    lower_this_thread();
    work();
  }).join();
}

TEST(BackgroundThreadTest, WorksOnWhileNobodyDraws) {
  on_background_thread([] { EXPECT_FALSE(yield_to_ui(kNoLimits)); });
}

TEST(BackgroundThreadTest, RestsUntilTheWindowHasDrawn) {
  std::optional<FrameInProgress> draws(std::in_place);
  std::atomic<bool> looks{false}, drawn{false}, went_on_too_soon{false};
  std::thread worker([&] {
    lower_this_thread();
    looks = true;
    yield_to_ui(kNoLimits);
    went_on_too_soon = !drawn;
  });
  while (!looks) std::this_thread::yield();
  drawn = true;
  draws.reset();
  worker.join();
  EXPECT_FALSE(went_on_too_soon);
}

TEST(BackgroundThreadTest, GoesOnWhereDrawingDoesNotEnd) {
  const FrameInProgress draws;
  on_background_thread([] { EXPECT_TRUE(yield_to_ui(kShortRests)); });
}

TEST(BackgroundThreadTest, WorksBetweenTwoRests) {
  const FrameInProgress draws;
  on_background_thread([] {
    EXPECT_TRUE(yield_to_ui(kShortRests));
    EXPECT_FALSE(yield_to_ui(kShortRests));
  });
}

TEST(BackgroundThreadTest, NeverStopsAThreadThatDoesNotGiveWay) {
  const FrameInProgress draws;
  std::thread([] { EXPECT_FALSE(yield_to_ui(kNoLimits)); }).join();
}

TEST(BackgroundThreadTest, WhoHelpsTheWindowDoesNotRestUntilItHasDrawn) {
  std::atomic<int> resting{0}, begun{0};
  const auto rest = [&](std::size_t) {
    // Both threads of the round are in it, so one of them is a helper.
    for (++begun; begun < 2;) std::this_thread::yield();
    if (yield_to_ui(kShortRests)) ++resting;
  };
  {
    const FrameInProgress draws;
    parallel_for(2, 2, rest);
  }
  EXPECT_EQ(resting, 0);
}

TEST(BackgroundThreadTest, WhoHelpsALoaderRestsAsItDoes) {
  on_background_thread([] {
    EXPECT_TRUE(is_lowered());
    std::atomic<int> giving_way{0}, begun{0};
    parallel_for(2, 2, [&](std::size_t) {
      for (++begun; begun < 2;) std::this_thread::yield();
      if (is_lowered()) ++giving_way;
    });
    EXPECT_EQ(giving_way, 2);
  });
  EXPECT_FALSE(is_lowered());
}

}  // namespace
}  // namespace cinderscope
