#include "ingest/input/ordered_windows.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <stdexcept>
#include <vector>

namespace cinderscope {
namespace {

// Plans 0 .. count - 1; a window is the square of its plan, and later ones are made faster.
std::vector<int> squares(unsigned jobs, int count, int stop_at) {
  std::vector<int> used;
  int planned = 0;
  for_windows_in_order<int, int>(
      jobs,
      [&]() -> std::optional<int> {
        return planned < count ? std::optional<int>(planned++) : std::nullopt;
      },
      [](unsigned, int plan) {
        std::this_thread::sleep_for(std::chrono::microseconds(plan % 3 == 0 ? 300 : 1));
        return plan * plan;
      },
      [&](int, int made) {
        used.push_back(made);
        return static_cast<int>(used.size()) < stop_at;
      },
      [] {});
  return used;
}

TEST(OrderedWindowsTest, UsesWindowsInTheOrderOfTheirPlans) {
  for (const unsigned jobs : {1u, 2u, 5u}) {
    const std::vector<int> used = squares(jobs, 100, 1000);
    ASSERT_EQ(used.size(), 100u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(used[static_cast<std::size_t>(i)], i * i);
  }
}

TEST(OrderedWindowsTest, StopsWhenTheUserHasEnough) {
  for (const unsigned jobs : {1u, 3u}) EXPECT_EQ(squares(jobs, 100, 7).size(), 7u);
}

TEST(OrderedWindowsTest, DoesNothingWithoutPlans) {
  for (const unsigned jobs : {1u, 3u}) EXPECT_TRUE(squares(jobs, 0, 7).empty());
}

// The second plan comes only once what was used before it has been shown.
TEST(OrderedWindowsTest, SaysWhenNothingComesAfterWhatWasUsed) {
  std::vector<int> used, shown;
  int planned = 0;
  std::promise<void> was_shown;
  for_windows_in_order<int, int>(
      2,
      [&]() -> std::optional<int> {
        if (planned == 1) was_shown.get_future().wait();
        return planned < 2 ? std::optional<int>(planned++) : std::nullopt;
      },
      [](unsigned, int plan) { return plan; },
      [&](int, int made) {
        used.push_back(made);
        return true;
      },
      [&] {
        if (!shown.empty() || used.empty()) return;
        shown = used;
        was_shown.set_value();
      });
  EXPECT_EQ(shown, std::vector<int>{0});
  EXPECT_EQ(used, (std::vector<int>{0, 1}));
}

TEST(OrderedWindowsTest, HandsOnWhatAWorkerThrows) {
  for (const unsigned jobs : {1u, 3u}) {
    int planned = 0;
    EXPECT_THROW((for_windows_in_order<int, int>(
                     jobs, [&] { return std::optional<int>(planned++); },
                     [](unsigned, int plan) {
                       if (plan == 5) throw std::runtime_error("five");
                       return plan;
                     },
                     [](int, int) { return true; }, [] {})),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace cinderscope
