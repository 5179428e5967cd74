#include "ingest/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace cinderscope {
namespace {

std::atomic<int> threads_seen = 0;

// Which thread this is, counted over the life of the program.
int thread_number() {
  thread_local const int number = threads_seen++;
  return number;
}

TEST(ParallelForTest, CallsEachIndexOnce) {
  for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
    for (const unsigned jobs : {0U, 1U, 2U, 5U, 40U}) {
      std::vector<std::atomic<int>> calls(count);
      parallel_for(count, jobs, [&](std::size_t i) { ++calls[i]; });
      for (const auto& each : calls) EXPECT_EQ(each, 1);
    }
  }
}

TEST(ParallelForTest, WorksAtAsManyAtOnceAsItIsAllowedTo) {
  // Each waits for the other.
  std::atomic<int> arrived = 0;
  parallel_for(3, 3, [&](std::size_t) {
    ++arrived;
    while (arrived < 3) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 3);
}

TEST(ParallelForTest, KeepsItsThreadsForTheNextRound) {
  parallel_for(4, 4, [](std::size_t) { thread_number(); });
  const int before = threads_seen;
  for (int round = 0; round < 500; ++round) {
    parallel_for(4, 4, [](std::size_t) { thread_number(); });
  }
  EXPECT_LT(threads_seen - before, 50);
}

TEST(ParallelForTest, MayBeNested) {
  std::atomic<int> calls = 0;
  parallel_for(8, 4, [&](std::size_t) {
    parallel_for(8, 4, [&](std::size_t) { parallel_for(8, 4, [&](std::size_t) { ++calls; }); });
  });
  EXPECT_EQ(calls, 512);
}

TEST(ParallelForTest, MayBeCalledFromManyThreads) {
  std::atomic<int> calls = 0;
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 8; ++i) {
      callers.emplace_back([&] {
        for (int round = 0; round < 200; ++round) {
          parallel_for(5, 3, [&](std::size_t) { ++calls; });
        }
      });
    }
  }
  EXPECT_EQ(calls, 8000);
}

// A load whose windows take long keeps its helpers: the question gets others.
TEST(ParallelForTest, GetsHelpersWhileOthersAreBusy) {
  std::atomic<bool> asked = false;
  std::atomic<int> loading = 0;
  std::jthread load([&] {
    parallel_for(3, 3, [&](std::size_t) {
      ++loading;
      while (!asked) std::this_thread::yield();
    });
  });
  while (loading < 3) std::this_thread::yield();
  std::atomic<int> arrived = 0;
  parallel_for(2, 2, [&](std::size_t) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
  asked = true;
  EXPECT_EQ(arrived, 2);
}

TEST(ParallelForTest, PassesTheFirstExceptionOn) {
  for (const unsigned jobs : {1U, 4U}) {
    std::atomic<int> calls = 0;
    EXPECT_THROW(parallel_for(1000, jobs,
                              [&](std::size_t i) {
                                ++calls;
                                if (i == 5) throw std::runtime_error("five");
                              }),
                 std::runtime_error);
    EXPECT_GE(calls, 6);
  }
  // And goes on working.
  std::atomic<int> calls = 0;
  parallel_for(10, 4, [&](std::size_t) { ++calls; });
  EXPECT_EQ(calls, 10);
}

}  // namespace
}  // namespace cinderscope
