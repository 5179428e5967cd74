#include "formats/thread_stream/record_cursors.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "tests/support/load.h"

namespace cinderscope::thread_stream {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> made;
  for (const int value : values) made.push_back(static_cast<std::byte>(value));
  return made;
}

std::string text_of(PackedCursor cursor) {
  std::string text;
  Record record;
  while (cursor.next(record)) {
    text += std::to_string(record.kind) + "@" + std::to_string(record.tick) + ":" +
            std::to_string(record.site) + " ";
  }
  return text + (cursor.bad() ? cursor.cut_inside() ? "cut" : "bad" : "end");
}

// The example of the specification.
TEST(RecordCursorsTest, ReadsPackedRecords) {
  const auto data =
      bytes({0x01, 0x01, 0xA1, 0x06, 0xAC, 0x02, 0xA4, 0x06, 0x05, 0x92, 0x03, 0xD2, 0x8C, 0x01});
  EXPECT_EQ(text_of({data, 1500}), "1@1500:1 1@1600:300 3@1700:5 2@1750:0 2@4000:0 end");
}

TEST(RecordCursorsTest, EndsAtWhatIsNoPackedRecord) {
  const auto of = [](std::initializer_list<int> values, std::uint64_t first = 10) {
    return text_of({bytes(values), first});
  };
  EXPECT_EQ(of({0x02, 0x07, 0x02}), "2@10:0 bad");
  EXPECT_EQ(of({0x08}), "bad");                                // an attachment with a time
  EXPECT_EQ(of({0x5e, 0x02}), "bad");                          // below 0
  EXPECT_EQ(of({0x0a}, UINT64_MAX), "bad");                    // beyond 64 bits
  EXPECT_EQ(of({0x01, 0x80, 0x80, 0x80, 0x80, 0x10}), "bad");  // a site beyond 32 bits
  EXPECT_EQ(of({0x05, 0x00, 0x01, 0x00}), "bad");              // kind 0
  EXPECT_EQ(of({0x05, 0x40, 0x01, 0x00}), "bad");              // an attachment's kind
  EXPECT_EQ(of({0x01}), "cut");
  EXPECT_EQ(of({0x00, 1, 2, 3}), "cut");
  EXPECT_EQ(of({0x81}), "cut");
  EXPECT_EQ(of({0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00}), "bad");
  EXPECT_EQ(of({0xfa, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}),
            "2@2305843009213693961:0 end");
  EXPECT_EQ(of({0xfa, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}), "bad");
}

std::vector<std::byte> slots(std::initializer_list<int> kinds, int zeros = 0) {
  std::vector<std::byte> made;
  for (const int kind : kinds) {
    made.resize(made.size() + kRecordBytes);
    made[made.size() - 2] = static_cast<std::byte>(kind);
  }
  made.resize(made.size() + static_cast<std::size_t>(zeros) * kRecordBytes);
  return made;
}

TEST(RecordCursorsTest, StepsOverEmptySlots) {
  auto data = slots({1, 0, 0, 2}, 5);
  data.resize(data.size() + 7);  // no whole slot
  RawCursor cursor(data);
  Record record;
  ASSERT_TRUE(cursor.next(record));
  ASSERT_TRUE(cursor.next(record));
  EXPECT_EQ(record.kind, 2);
  EXPECT_EQ(record.at, 48u);
  EXPECT_EQ(cursor.torn(), 2u);
  EXPECT_EQ(cursor.first_torn(), 16u);
  EXPECT_FALSE(cursor.next(record));
  EXPECT_EQ(cursor.torn(), 2u);
}

TEST(RecordCursorsTest, ManyEmptySlotsEndAChunk) {
  for (const int empty : {63, 64}) {
    auto data = slots({1}, empty);
    const auto last = slots({2});
    data.insert(data.end(), last.begin(), last.end());
    RawCursor cursor(data);
    Record record;
    ASSERT_TRUE(cursor.next(record));
    EXPECT_EQ(cursor.next(record), empty == 63) << empty;
    EXPECT_EQ(cursor.torn(), empty == 63 ? 63u : 0u);
    EXPECT_EQ(cursor.at(), data.size());
  }
}

}  // namespace
}  // namespace cinderscope::thread_stream
