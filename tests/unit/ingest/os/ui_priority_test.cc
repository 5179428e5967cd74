#include "ingest/os/ui_priority.h"

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
    give_way_to_the_window();
    work();
  }).join();
}

TEST(BackgroundThreadTest, WorksOnWhileNobodyDraws) {
  on_background_thread([] { EXPECT_FALSE(let_the_window_draw(kNoLimits)); });
}

TEST(BackgroundThreadTest, RestsUntilTheWindowHasDrawn) {
  std::optional<WindowDraws> draws(std::in_place);
  std::atomic<bool> looks{false}, drawn{false}, went_on_too_soon{false};
  std::thread worker([&] {
    give_way_to_the_window();
    looks = true;
    let_the_window_draw(kNoLimits);
    went_on_too_soon = !drawn;
  });
  while (!looks) std::this_thread::yield();
  drawn = true;
  draws.reset();
  worker.join();
  EXPECT_FALSE(went_on_too_soon);
}

TEST(BackgroundThreadTest, GoesOnWhereDrawingDoesNotEnd) {
  const WindowDraws draws;
  on_background_thread([] { EXPECT_TRUE(let_the_window_draw(kShortRests)); });
}

TEST(BackgroundThreadTest, WorksBetweenTwoRests) {
  const WindowDraws draws;
  on_background_thread([] {
    EXPECT_TRUE(let_the_window_draw(kShortRests));
    EXPECT_FALSE(let_the_window_draw(kShortRests));
  });
}

TEST(BackgroundThreadTest, NeverStopsAThreadThatDoesNotGiveWay) {
  const WindowDraws draws;
  std::thread([] { EXPECT_FALSE(let_the_window_draw(kNoLimits)); }).join();
}

TEST(BackgroundThreadTest, WhoHelpsTheWindowDoesNotRestUntilItHasDrawn) {
  std::atomic<int> resting{0}, begun{0};
  const auto rest = [&](std::size_t) {
    // Both threads of the round are in it, so one of them is a helper.
    for (++begun; begun < 2;) std::this_thread::yield();
    if (let_the_window_draw(kShortRests)) ++resting;
  };
  {
    const WindowDraws draws;
    parallel_for(2, 2, rest);
  }
  EXPECT_EQ(resting, 0);
}

TEST(BackgroundThreadTest, WhoHelpsALoaderRestsAsItDoes) {
  on_background_thread([] {
    EXPECT_TRUE(gives_way());
    std::atomic<int> giving_way{0}, begun{0};
    parallel_for(2, 2, [&](std::size_t) {
      for (++begun; begun < 2;) std::this_thread::yield();
      if (gives_way()) ++giving_way;
    });
    EXPECT_EQ(giving_way, 2);
  });
  EXPECT_FALSE(gives_way());
}

}  // namespace
}  // namespace cinderscope
