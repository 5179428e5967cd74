#include "ingest/part/ordered_batches.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>

namespace cinderscope {
namespace {

struct Batch {
  std::vector<int> numbers;
  int sum = 0;
  void clear() { numbers.clear(), sum = 0; }
};

void add_up(Batch& batch) {
  batch.sum = std::accumulate(batch.numbers.begin(), batch.numbers.end(), 0);
}

class OrderedBatchesTest : public testing::TestWithParam<unsigned> {};

TEST_P(OrderedBatchesTest, AreUsedInTheOrderInWhichTheyWereFilled) {
  std::vector<int> seen, sums;
  OrderedBatches<Batch> batches(
      GetParam(),
      [](Batch& batch) {
        // Later ones are done earlier.
        if (!batch.numbers.empty() && batch.numbers.front() % 30 == 0) {
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        add_up(batch);
      },
      [&](Batch& batch) {
        seen.insert(seen.end(), batch.numbers.begin(), batch.numbers.end());
        sums.push_back(batch.sum);
      });
  for (int i = 0; i < 1000; ++i) {
    batches.filling().numbers.push_back(i);
    if (i % 10 == 9) batches.push();
    if (i == 504) batches.finish();
  }
  batches.filling().numbers.push_back(1000);
  batches.finish();
  std::vector<int> expected(1001);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0), 1000 * 1001 / 2);
}

TEST_P(OrderedBatchesTest, WhatIsThrownComesOutWhereItWouldBeUsed) {
  std::atomic<int> used = 0;
  OrderedBatches<Batch> batches(
      GetParam(),
      [](Batch& batch) {
        if (!batch.numbers.empty() && batch.numbers.front() == 50) throw std::runtime_error("bad");
      },
      [&](Batch& batch) { used += static_cast<int>(batch.numbers.size()); });
  const auto run = [&] {
    for (int i = 0; i < 100; ++i) {
      batches.filling().numbers.push_back(i);
      batches.push();
    }
    batches.finish();
  };
  EXPECT_THROW(run(), std::runtime_error);
  EXPECT_EQ(used, 50);
}

TEST_P(OrderedBatchesTest, MayEndWithoutHavingBeenUsed) {
  OrderedBatches<Batch> batches(GetParam(), add_up, [](Batch&) {});
  for (int i = 0; i < 3; ++i) {
    batches.filling().numbers.push_back(i);
    batches.push();
  }
}

INSTANTIATE_TEST_SUITE_P(Jobs, OrderedBatchesTest, testing::Values(1U, 2U, 5U));

}  // namespace
}  // namespace cinderscope
