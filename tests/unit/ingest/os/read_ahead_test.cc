#include "ingest/os/read_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "ingest/os/page_cache.h"
#include "tests/support/wakes.h"

namespace cinderscope {
namespace {

// Of which a piece is there once it was read, which waits until it may.
class SlowDisk final : public ReadAhead {
 public:
  ~SlowDisk() override {
    let_read();
    end();
  }
  void let_read() {
    const std::lock_guard lock(mutex_);
    may_read_ = true;
    changed_.notify_all();
  }
  std::vector<const std::byte*> read_so_far() const {
    const std::lock_guard lock(mutex_);
    return read_;
  }
  Wakes wakes;

 private:
  bool in_memory(std::span<const std::byte> bytes) const override {
    const std::lock_guard lock(mutex_);
    return there_.contains(bytes.data());
  }
  void read(std::span<const std::byte> bytes) const override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return may_read_; });
    there_.insert(bytes.data());
    read_.push_back(bytes.data());
    lock.unlock();
    wake_();
  }

  std::function<void()> wake_ = wakes.function();
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::set<const std::byte*> there_;
  mutable std::vector<const std::byte*> read_;
  bool may_read_ = false;
};

TEST(ReadAheadTest, NobodyWaitsForWhatIsReadInTheBackground) {
  const std::vector<std::byte> file(std::size_t{8} << 20);
  const std::span<const std::byte> all(file);
  SlowDisk disk;
  const auto piece = all.subspan(3 << 20, 5000);
  EXPECT_FALSE(disk.at_hand(piece, all));
  EXPECT_FALSE(disk.at_hand(piece, all));
  disk.let_read();
  EXPECT_TRUE(disk.wakes.wait_until([&] { return disk.at_hand(piece, all); }));
}

TEST(ReadAheadTest, WhatWasWantedLastComesFirst) {
  const std::vector<std::byte> file(std::size_t{8} << 20);
  const std::span<const std::byte> all(file);
  SlowDisk disk;
  // The first may be in work already.
  for (const std::size_t at : {0u, 1u, 2u, 3u})
    EXPECT_FALSE(disk.at_hand(all.subspan(at << 20, 9), all));
  EXPECT_FALSE(disk.at_hand(all.subspan(1 << 20, 9), all));
  disk.let_read();
  ASSERT_TRUE(disk.wakes.wait_until([&] { return disk.read_so_far().size() == 4; }));
  const std::vector<const std::byte*> read = disk.read_so_far();
  const auto place = [&](std::size_t at) {
    return std::find(read.begin(), read.end(), &file[at << 20]) - read.begin();
  };
  EXPECT_LT(place(1), place(3));
  EXPECT_LT(place(3), place(2));
}

TEST(ReadAheadTest, EndsWithoutReadingWhatIsLeft) {
  const std::vector<std::byte> file(std::size_t{64} << 20);
  const std::span<const std::byte> all(file);
  SlowDisk disk;
  for (std::size_t at = 0; at < 60; ++at) EXPECT_FALSE(disk.at_hand(all.subspan(at << 20, 9), all));
}

TEST(ReadAheadTest, WhatWasWrittenIsInMemory) {
  const std::vector<std::byte> bytes(100'000, std::byte{7});
  EXPECT_TRUE(pages_are_in_memory(bytes));
  EXPECT_TRUE(pages_are_in_memory({}));
  ask_for_pages(std::span(bytes).first(1));
  ReadAhead ahead;
  EXPECT_TRUE(ahead.at_hand(std::span(bytes).subspan(50'000, 10), bytes));
}

}  // namespace
}  // namespace cinderscope
