#include "ingest/build/column_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "ingest/build/timeline_builder.h"

namespace cinderscope {
namespace {

TEST(ColumnFileTest, KeepsBytesWhereTheyStay) {
  const auto file = ColumnFile::create();
  ASSERT_TRUE(file) << file.error().text;
  std::vector<std::vector<std::byte>> pieces;
  for (std::size_t i = 1; i <= 300; ++i) pieces.emplace_back(i * 7, static_cast<std::byte>(i));
  std::vector<const std::byte*> kept(pieces.size());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < pieces.size(); i += 3) kept[i] = (*file)->keep(pieces[i]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    ASSERT_NE(kept[i], nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(kept[i]) % kChunkAlignment, 0u);
    EXPECT_EQ(std::memcmp(kept[i], pieces[i].data(), pieces[i].size()), 0);
  }
  EXPECT_FALSE((*file)->is_full());
}

// Begins and ends in order, or complete events in none.
Timeline built(bool on_disk, bool in_order) {
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  const StringId name = builder.intern("f");
  for (std::int64_t i = 0; i < 20'000; ++i) {
    if (i == 5000 && on_disk) {
      EXPECT_TRUE(builder.keep_columns_on_disk());
    }
    const auto record = static_cast<RecordOffset>(i);
    if (in_order) {
      writer.begin(i * 10, name, record);
      writer.end(i * 10 + 5, kNoName, record);
    } else {
      writer.complete((i * 7919) % 20'011 * 10, 5, name, record);
    }
  }
  return builder.finish(2);
}

TEST(ColumnFileTest, ATimelineIsTheSameWithItsColumnsOnDisk) {
  for (const bool in_order : {true, false}) {
    const Timeline in_memory = built(false, in_order);
    Timeline on_disk = built(true, in_order);
    ASSERT_NE(on_disk.strings->arena(), nullptr);
    const auto& file = static_cast<const ColumnFile&>(*on_disk.strings->arena());
    EXPECT_GT(file.kept_bytes(), 10'000u);
    const SliceRow& row = on_disk.tracks.at(0).root().rows.at(0);
    const SliceRow& same = in_memory.tracks.at(0).root().rows.at(0);
    ASSERT_EQ(row.count(), same.count());
    for (std::uint64_t i = 0; i < row.count(); ++i) {
      ASSERT_EQ(row.begin_ns(i), same.begin_ns(i));
      ASSERT_EQ(row.slice(i).record, same.slice(i).record);
    }
    EXPECT_EQ(row.upper.front().size(), same.upper.front().size());
    // A chunk alone keeps the file.
    const auto chunk = row.chunks.back();
    const std::int64_t begin_ns = chunk->begin_ns(0);
    on_disk = {};
    EXPECT_EQ(chunk->begin_ns(0), begin_ns);
  }
}

}  // namespace
}  // namespace cinderscope
