// Memory that is read into again and again.
#include "ingest/input/byte_stock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace cinderscope {
namespace {

constexpr std::size_t kSome = 4 << 20;

TEST(ByteStockTest, WhatNobodyHasIsTakenAgain) {
  ByteStock stock;
  std::shared_ptr<std::byte[]> one = stock.take(kSome);
  const std::byte* const there = one.get();
  std::shared_ptr<std::byte[]> second_owner = one;
  one.reset();
  EXPECT_EQ(stock.waiting_bytes(), 0u);
  second_owner.reset();
  EXPECT_EQ(stock.waiting_bytes(), kSome);
  one = stock.take(kSome - 100);
  EXPECT_EQ(one.get(), there);
  EXPECT_EQ(stock.waiting_bytes(), 0u);
  one.reset();
  EXPECT_EQ(stock.waiting_bytes(), kSome);  // all of it, not what was asked for last
}

TEST(ByteStockTest, TheShortestThatFitsIsTaken) {
  ByteStock stock;
  std::shared_ptr<std::byte[]> longest = stock.take(kSome + 200), fits = stock.take(kSome + 100),
                               short_one = stock.take(kSome - 1);
  const std::byte* const wanted = fits.get();
  longest.reset();
  fits.reset();
  short_one.reset();
  EXPECT_EQ(stock.take(kSome).get(), wanted);
}

TEST(ByteStockTest, AFewBytesDoNotTakeALongStretch) {
  ByteStock stock;
  stock.take(kSome).reset();
  const std::shared_ptr<std::byte[]> few = stock.take(100);
  EXPECT_EQ(stock.waiting_bytes(), kSome);
}

TEST(ByteStockTest, NoMoreWaitsThanItMay) {
  ByteStock stock;
  std::vector<std::shared_ptr<std::byte[]>> taken;
  for (int i = 0; i < 10; ++i) taken.push_back(stock.take(kSome));
  const std::byte* const first = taken.front().get();
  for (std::shared_ptr<std::byte[]>& each : taken) each.reset();
  EXPECT_EQ(stock.waiting_bytes(), ByteStock::kMostWaitingBytes);
  EXPECT_NE(stock.take(kSome).get(), first);
  stock.take(ByteStock::kMostWaitingBytes + 1).reset();
  EXPECT_EQ(stock.waiting_bytes(), ByteStock::kMostWaitingBytes);
  stock.clear();
  EXPECT_EQ(stock.waiting_bytes(), 0u);
}

TEST(ByteStockTest, WhatWasTakenMayOutliveTheStock) {
  std::shared_ptr<std::byte[]> taken;
  {
    ByteStock stock;
    taken = stock.take(10);
  }
  taken[9] = std::byte{1};
  taken.reset();
}

TEST(ByteStockTest, ThreadsTakeAtTheSameTime) {
  ByteStock stock;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (std::size_t n = 1; n < 2000; ++n) {
        const std::shared_ptr<std::byte[]> mine = stock.take(1000 + n % 7 * 100);
        mine[0] = mine[999] = static_cast<std::byte>(i);
        EXPECT_EQ(mine[0], mine[999]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace cinderscope
