#include "ingest/build/instant_writer.h"

#include <gtest/gtest.h>

#include "ingest/model/string_pool.h"

namespace cinderscope {
namespace {

std::vector<RecordOffset> records(SliceRow row) {
  std::vector<RecordOffset> out;
  for (std::uint64_t i = 0; i < row.count(); ++i) out.push_back(row.slice(i).record);
  return out;
}

TEST(InstantWriterTest, KeepsTheOrderOfWhatComesInOrder) {
  StringPool names;
  InstantWriter writer(names);
  EXPECT_TRUE(writer.empty());
  for (RecordOffset i = 0; i < 3000; ++i) {
    writer.add({static_cast<std::int64_t>(i / 2), 0, kEmptyString, i, kNoRecord, 0});
  }
  EXPECT_FALSE(writer.empty());
  const std::vector<RecordOffset> all = records(writer.take());
  ASSERT_EQ(all.size(), 3000u);
  for (RecordOffset i = 0; i < 3000; ++i) EXPECT_EQ(all[i], i);
  EXPECT_TRUE(writer.empty());
}

TEST(InstantWriterTest, SortsWhatComesOutOfOrder) {
  StringPool names;
  InstantWriter writer(names);
  for (const std::int64_t time : {5, 7, 3, 9, 4}) {
    writer.add({time, 0, kEmptyString, static_cast<RecordOffset>(time), kNoRecord, 0});
  }
  const InstantWriter copy = writer;
  EXPECT_EQ(records(writer.take()), (std::vector<RecordOffset>{3, 4, 5, 7, 9}));
  EXPECT_FALSE(copy.empty());
}

}  // namespace
}  // namespace cinderscope
