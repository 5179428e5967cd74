#include "app/questions/background_task.h"

#include <gtest/gtest.h>

#include <future>

#include "tests/support/synthetic_source.h"

namespace cinderscope {
namespace {

// Runs `then` when the last copy goes.
std::shared_ptr<int> at_the_end(std::function<void()> then) {
  return {new int(0), [then = std::move(then)](const int* value) {
            delete value;
            then();
          }};
}

TEST(BackgroundTaskTest, NobodyWaitsWhileAQuestionLetsGoOfWhatItHeld) {
  std::promise<bool> answered;
  BackgroundTask<int> task(nullptr);
  std::shared_ptr<int> held = at_the_end([&] {
    auto asked = std::async(std::launch::async, [&] { return task.busy(); });
    answered.set_value(asked.wait_for(std::chrono::seconds(5)) == std::future_status::ready);
    // Should it wait for the lock, then it gets it only after this.
    std::thread([rest = std::move(asked)]() mutable { rest.wait(); }).detach();
  });
  task.start([held = std::move(held)](const BackgroundQuestion<int>&) { return 1; });
  EXPECT_TRUE(answered.get_future().get());
  EXPECT_TRUE(wait_until([&] { return task.take() == 1; }));
}

TEST(BackgroundTaskTest, SaysThatMemoryWasOutAndGoesOn) {
  std::atomic<int> woken = 0;
  BackgroundTask<int> task([&] { ++woken; });
  task.start([](const BackgroundQuestion<int>&) -> int { throw std::bad_alloc(); });
  EXPECT_TRUE(wait_until([&] { return !task.busy(); }));
  EXPECT_TRUE(task.take_out_of_memory());
  EXPECT_FALSE(task.take_out_of_memory());
  EXPECT_FALSE(task.take());
  EXPECT_TRUE(wait_until([&] { return woken == 1; }));
  task.start([](const BackgroundQuestion<int>&) { return 7; });
  EXPECT_TRUE(wait_until([&] { return task.take() == 7; }));
  EXPECT_FALSE(task.take_out_of_memory());
}

}  // namespace
}  // namespace cinderscope
