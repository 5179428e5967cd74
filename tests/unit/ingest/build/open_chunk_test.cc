#include "ingest/build/open_chunk.h"

#include <gtest/gtest.h>

#include <vector>

namespace cinderscope {
namespace {

Slice slice_at(std::int64_t begin_ns) {
  return {begin_ns, begin_ns + 1, StringId{7}, static_cast<RecordOffset>(begin_ns + 2), kNoRecord,
          0};
}

TEST(OpenChunkTest, KeepsColumnsInOrderWhileItGrows) {
  OpenChunk tail;
  for (std::int64_t i = 0; i < kChunkSlices; ++i) tail.push_back(slice_at(i));
  const ColumnsToPack columns = tail.columns();
  ASSERT_EQ(columns.begin_ns.size(), kChunkSlices);
  for (std::int64_t i = 0; i < kChunkSlices; ++i) {
    const auto at = static_cast<std::size_t>(i);
    ASSERT_EQ(columns.begin_ns[at], i);
    ASSERT_EQ(columns.duration_ns[at], i + 1);
    ASSERT_EQ(columns.name[at], StringId{7});
    ASSERT_EQ(columns.record[at], static_cast<RecordOffset>(i + 2));
  }
  EXPECT_TRUE(columns.end_record.empty());
  EXPECT_TRUE(columns.flags.empty());
}

TEST(OpenChunkTest, NotesWhatFewSlicesHave) {
  OpenChunk tail;
  tail.push_back(slice_at(0));
  Slice marked = slice_at(1);
  marked.flags = kUnfinished;
  tail.push_back(marked);
  Slice ended = slice_at(2);
  ended.end_record = 99;
  tail.push_back(ended);
  tail.push_back(slice_at(3));
  const ColumnsToPack columns = tail.columns();
  EXPECT_EQ(std::vector<RecordOffset>(columns.end_record.begin(), columns.end_record.end()),
            (std::vector<RecordOffset>{kNoRecord, kNoRecord, 99, kNoRecord}));
  EXPECT_EQ(std::vector<std::uint8_t>(columns.flags.begin(), columns.flags.end()),
            (std::vector<std::uint8_t>{0, kUnfinished, 0, 0}));
  tail.clear();
  tail.push_back(slice_at(4));
  EXPECT_TRUE(tail.columns().flags.empty());
  EXPECT_EQ(tail.columns().begin_ns[0], 4);
}

TEST(OpenChunkTest, ACopyGoesItsOwnWay) {
  OpenChunk tail;
  for (std::int64_t i = 0; i < 3; ++i) tail.push_back(slice_at(i));
  OpenChunk copy = tail;
  copy.push_back(slice_at(10));
  tail.push_back(slice_at(20));
  EXPECT_EQ(copy.columns().begin_ns[3], 10);
  EXPECT_EQ(tail.columns().begin_ns[3], 20);
  EXPECT_EQ(copy.columns().begin_ns[2], 2);
  const OpenChunk none;
  copy = none;
  EXPECT_EQ(copy.size(), 0u);
}

}  // namespace
}  // namespace cinderscope
