#include "ingest/model/slice_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "ingest/build/row_writer.h"
#include "ingest/model/string_pool.h"

namespace cinderscope {
namespace {

TEST(SliceChunkTest, GivesBackWhatWasPacked) {
  StringPool names;
  const StringId name = names.intern("f");
  std::vector<Slice> slices;
  std::mt19937_64 random(1);
  for (std::int64_t i = 0; i < 1000; ++i) {
    slices.push_back(
        {i * 1'000'000'007 - (1LL << 61), static_cast<std::int64_t>(random() % 1'000'000'007),
         i % 3 == 0 ? name : kEmptyString, static_cast<RecordOffset>(random()),
         i % 7 == 0 ? static_cast<RecordOffset>(i) : kNoRecord, static_cast<std::uint8_t>(i % 4)});
  }
  const auto chunk = SliceChunk::seal(slices, &names);
  for (std::uint32_t i = 0; i < slices.size(); ++i) {
    const Slice got = chunk->slice(i);
    EXPECT_EQ(got.begin_ns, slices[i].begin_ns);
    EXPECT_EQ(got.duration_ns, slices[i].duration_ns);
    EXPECT_EQ(got.name, slices[i].name);
    EXPECT_EQ(got.record, slices[i].record);
    EXPECT_EQ(got.end_record, slices[i].end_record);
    EXPECT_EQ(got.flags, slices[i].flags);
  }
}

TEST(SliceChunkTest, IsTheSameOverBytesThatLieElsewhere) {
  StringPool names;
  const StringId name = names.intern("f");
  std::vector<Slice> slices;
  for (std::int64_t i = 0; i < 1000; ++i) {
    slices.push_back({i * 1'000'000'007, i % 300, i % 3 == 0 ? name : kEmptyString,
                      static_cast<RecordOffset>(i * i), kNoRecord,
                      static_cast<std::uint8_t>(i % 4)});
  }
  for (const StringPool* summed : {&names, static_cast<StringPool*>(nullptr)}) {
    const auto chunk = SliceChunk::seal(slices, summed);
    const ChunkHead head = chunk->head();
    ASSERT_EQ(head.byte_count(), chunk->bytes().size());
    const std::vector<std::byte> bytes(chunk->bytes().begin(), chunk->bytes().end());
    const SliceChunk over = SliceChunk::over(head, bytes.data());
    EXPECT_EQ(over.bytes().data(), bytes.data());
    EXPECT_EQ(over.last_end_ns(), chunk->last_end_ns());
    EXPECT_EQ(over.kept_bytes(), chunk->kept_bytes());
    for (std::uint32_t i = 0; i < slices.size(); ++i) {
      ASSERT_EQ(over.begin_ns(i), slices[i].begin_ns);
      ASSERT_EQ(over.duration_ns(i), slices[i].duration_ns);
      ASSERT_EQ(over.name(i), slices[i].name);
      ASSERT_EQ(over.record(i), slices[i].record);
      ASSERT_EQ(over.end_record(i), slices[i].end_record);
      ASSERT_EQ(over.flags(i), slices[i].flags);
    }
    if (summed == nullptr) continue;
    for (std::uint32_t g = 0; g < over.big_group_count(); ++g) {
      EXPECT_EQ(over.big_begin_ns(g), chunk->big_begin_ns(g));
      EXPECT_EQ(over.big_group(g).busy_step(), chunk->big_group(g).busy_step());
      EXPECT_EQ(over.group(g).colour(), chunk->group(g).colour());
    }
  }
}

TEST(SliceChunkTest, HeadsThatNoChunkHasAreTold) {
  StringPool names;
  const std::vector<Slice> slices(10);
  const ChunkHead sound = SliceChunk::seal(slices, &names)->head();
  ASSERT_TRUE(sound.byte_count());
  const auto changed = [&sound](const auto& change) {
    ChunkHead head = sound;
    change(head);
    return head.byte_count().has_value();
  };
  EXPECT_FALSE(changed([](ChunkHead& head) { head.count = 0; }));
  EXPECT_FALSE(changed([](ChunkHead& head) { head.count = kChunkSlices + 1; }));
  EXPECT_FALSE(changed([](ChunkHead& head) { head.width[1] = 7; }));
  EXPECT_FALSE(changed([](ChunkHead& head) { head.far_count = 1; }));
  EXPECT_FALSE(changed([](ChunkHead& head) { head.far_width = 4; }));
  const auto far = [&changed](int width, int far_count, int far_width) {
    return changed([&](ChunkHead& head) {
      head.width[ChunkHead::kDurationColumn] = static_cast<std::uint8_t>(width);
      head.far_count = static_cast<std::uint16_t>(far_count);
      head.far_width = static_cast<std::uint8_t>(far_width);
    });
  };
  EXPECT_TRUE(far(PackedColumn::kFar + 1, 10, 8));
  EXPECT_FALSE(far(PackedColumn::kFar, 1, 4));
  EXPECT_FALSE(far(PackedColumn::kFar + 7, 1, 4));
  EXPECT_FALSE(far(PackedColumn::kFar + 1, 11, 4));
  EXPECT_FALSE(far(PackedColumn::kFar + 1, 0, 4));
  EXPECT_FALSE(far(PackedColumn::kFar + 1, 1, 0));
  EXPECT_FALSE(far(PackedColumn::kFar + 1, 1, 7));
  EXPECT_FALSE(far(PackedColumn::kBits + 20, 0, 0));
  const auto record_width = [&changed](int width) {
    return changed([width](ChunkHead& head) {
      head.width[ChunkHead::kRecordColumn] = static_cast<std::uint8_t>(width);
    });
  };
  EXPECT_TRUE(record_width(PackedColumn::kBits + 20));
  EXPECT_FALSE(record_width(PackedColumn::kBits + 5));  // seven bytes: a word is read
  EXPECT_FALSE(record_width(PackedColumn::kBits + 57));
  EXPECT_FALSE(record_width(PackedColumn::kFar + 2));
  EXPECT_FALSE(changed([](ChunkHead& head) { head.width[2] = 3; }));
  EXPECT_FALSE(changed([](ChunkHead& head) { head.base[4] = 11; }));
  EXPECT_FALSE(changed([](ChunkHead& head) { head.width[5] = 16; }));
  EXPECT_FALSE(changed([](ChunkHead& head) { head.unit_shift = 64; }));
  EXPECT_FALSE(changed([](ChunkHead& head) { head.has_summaries = 2; }));
  EXPECT_FALSE(changed([](ChunkHead& head) { head.whole.colour = 255; }));
}

// Of none, few, most and all slices, in numbers of every length.
TEST(SliceChunkTest, KeepsTheEndRecordsOfThoseThatHaveThem) {
  for (const std::uint32_t every : {1u, 2u, 3u, 50u, 2000u}) {
    for (unsigned bits = 1; bits < 64; bits += 5) {
      std::vector<Slice> slices;
      for (std::uint32_t i = 0; i < 1024; ++i) {
        Slice slice{.begin_ns = i};
        slice.record = i * ((std::uint64_t{1} << bits) / 1024);
        if (i % every == every - 1) slice.end_record = slice.record + i;
        slices.push_back(slice);
      }
      const auto chunk = SliceChunk::seal(slices, nullptr);
      const std::vector<std::byte> bytes(chunk->bytes().begin(), chunk->bytes().end());
      ASSERT_EQ(chunk->head().byte_count(), bytes.size());
      const SliceChunk over = SliceChunk::over(chunk->head(), bytes.data());
      for (std::uint32_t i = 0; i < slices.size(); ++i) {
        ASSERT_EQ(chunk->record(i), slices[i].record) << bits;
        ASSERT_EQ(chunk->end_record(i), slices[i].end_record) << every << ", " << bits;
        ASSERT_EQ(over.end_record(i), slices[i].end_record) << every << ", " << bits;
      }
    }
  }
}

void expect_group(const SliceChunk& chunk, std::span<const Slice> slices, std::uint32_t first) {
  SliceChunk::Group group;
  chunk.read_group(first, group);
  for (std::uint32_t i = 0; i < kLodFanout; ++i) {
    const Slice& slice = slices[first + i];
    ASSERT_EQ(group.begin_ns[i], slice.begin_ns) << first << " + " << i;
    ASSERT_EQ(group.duration_ns[i], slice.duration_ns) << first << " + " << i;
    ASSERT_EQ(group.name[i], index(slice.name)) << first << " + " << i;
  }
  ASSERT_EQ(group.begin_ns[kLodFanout], slices[first + kLodFanout].begin_ns);
}

TEST(SliceChunkTest, ReadsTimesOfEveryLength) {
  for (unsigned bits = 1; bits < 64; ++bits) {
    const std::int64_t most = static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1) / 4;
    std::vector<Slice> slices;
    for (std::int64_t i = 0; i < 64; ++i) {
      const auto name = static_cast<std::uint32_t>(i * i) << (bits / 4);
      slices.push_back({most / 64 * i - most, most - i, StringId(name)});
    }
    slices.back().duration_ns = 0;
    const auto chunk = SliceChunk::seal(slices, nullptr);
    std::array<std::int64_t, 60> begins, durations;
    chunk->read_begins(4, begins);
    chunk->read_durations(4, durations);
    for (std::uint32_t i = 0; i < 60; ++i) {
      ASSERT_EQ(begins[i], slices[i + 4].begin_ns) << bits;
      ASSERT_EQ(chunk->begin_ns(i + 4), slices[i + 4].begin_ns) << bits;
      ASSERT_EQ(durations[i], slices[i + 4].duration_ns) << bits;
    }
    std::array<std::int64_t, kLodFanout> groups;
    chunk->read_group_begins(8, groups);
    for (std::uint32_t g = 0; g < kLodFanout; ++g) ASSERT_EQ(groups[g], slices[8 + 4 * g].begin_ns);
    for (const std::uint32_t first : {0u, 20u, 59u}) expect_group(*chunk, slices, first);
  }
}

// Durations of `narrow_bits`, but for each `every`-th one, which has `far_bits`.
std::vector<Slice> slices_with_far_durations(std::uint32_t count, std::uint32_t every,
                                             unsigned narrow_bits, unsigned far_bits) {
  std::mt19937_64 random(every);
  const auto drawn = [&random](unsigned bits) {
    return static_cast<std::int64_t>(random() >> (64 - bits));
  };
  std::vector<Slice> slices;
  for (std::uint32_t i = 0; i < count; ++i) {
    slices.push_back({std::int64_t{i} * 10, drawn(i % every == every - 1 ? far_bits : narrow_bits),
                      kEmptyString, RecordOffset{i} * 1000 + random() % 900});
  }
  // The largest that has so many bits, the one before, and the shortest.
  slices.at(2).duration_ns = (std::int64_t{1} << narrow_bits) - 1;
  slices.at(3).duration_ns = (std::int64_t{1} << narrow_bits) - 2;
  slices.at(4).duration_ns = 0;
  return slices;
}

void expect_durations(const SliceChunk& chunk, std::span<const Slice> slices) {
  for (std::uint32_t i = 0; i < slices.size(); ++i) {
    ASSERT_EQ(chunk.duration_ns(i), slices[i].duration_ns) << i;
    ASSERT_EQ(chunk.record(i), slices[i].record) << i;
  }
  for (std::uint32_t i = 0; i + kLodFanout < slices.size(); i += kLodFanout) {
    expect_group(chunk, slices, i);
  }
  for (const std::uint32_t first : {0u, 1u, 5u, 17u}) {
    for (const std::size_t length : {std::size_t{4}, slices.size() - first}) {
      std::vector<std::int64_t> read(length);
      chunk.read_durations(first, std::span(read));
      for (std::size_t i = 0; i < length; ++i) {
        ASSERT_EQ(read[i], slices[first + i].duration_ns) << first << " + " << i;
      }
    }
  }
}

TEST(SliceChunkTest, KeepsFewLongDurationsApart) {
  StringPool names;
  for (const std::uint32_t count : {100u, 1024u}) {
    for (const std::uint32_t every : {10u, 40u, 90u}) {
      for (unsigned narrow = 8; narrow <= 48; narrow += 8) {
        for (unsigned far = narrow + 1; far <= 62; far += 7) {
          const auto slices = slices_with_far_durations(count, every, narrow, far);
          const auto chunk = SliceChunk::seal(slices, &names);
          expect_durations(*chunk, slices);
          const std::vector<std::byte> bytes(chunk->bytes().begin(), chunk->bytes().end());
          ASSERT_EQ(chunk->head().byte_count(), bytes.size());
          expect_durations(SliceChunk::over(chunk->head(), bytes.data()), slices);
        }
      }
    }
  }
}

TEST(SliceChunkTest, LongDurationsAreKeptApartOnlyWhereThatTakesLess) {
  StringPool names;
  const auto width_of = [&names](const std::vector<Slice>& slices) {
    return SliceChunk::seal(slices, &names)->head().width[ChunkHead::kDurationColumn];
  };
  EXPECT_EQ(width_of(slices_with_far_durations(1024, 50, 24, 40)), PackedColumn::kFar + 3);
  EXPECT_EQ(width_of(slices_with_far_durations(1024, 50, 16, 30)), PackedColumn::kFar + 2);
  EXPECT_EQ(width_of(slices_with_far_durations(1024, 5, 24, 32)), 4);
  EXPECT_EQ(width_of(slices_with_far_durations(1024, 2000, 16, 17)), 2);
  EXPECT_EQ(width_of(slices_with_far_durations(8, 8, 16, 30)), 4);  // the list takes as much
  // Those that are read once more and go are not looked at for that.
  const auto slices = slices_with_far_durations(1024, 50, 24, 40);
  const auto passing = SliceChunk::seal(slices, nullptr);
  EXPECT_EQ(passing->head().width[ChunkHead::kDurationColumn], 5);
  expect_durations(*passing, slices);
}

// Hashes in a file may fit whatever lies there.
TEST(SliceChunkTest, ReadsNothingBesideItsBytesWhateverTheyAre) {
  StringPool names;
  const auto slices = slices_with_far_durations(1000, 40, 16, 33);
  const auto chunk = SliceChunk::seal(slices, &names);
  const ChunkHead head = chunk->head();
  ASSERT_GT(head.far_count, 20u);
  std::mt19937 random(5);
  std::int64_t sum_ns = 0;
  for (int round = 0; round < 50; ++round) {
    std::vector<std::byte> bytes(chunk->bytes().size());
    for (std::byte& each : bytes) {
      each = round % 2 == 0 ? static_cast<std::byte>(random()) : std::byte{0xff};
    }
    const SliceChunk over = SliceChunk::over(head, bytes.data());
    std::array<std::int64_t, 1000> all;
    over.read_durations(0, std::span(all));
    std::array<std::int64_t, 4> few;
    for (std::uint32_t i = 0; i + 4 <= 1000; i += 4) {
      if (SliceChunk::Group group; i + 4 < 1000) {
        over.read_group(i, group);
        sum_ns ^= group.duration_ns[0];
      }
      over.read_durations(i, std::span(few));
      sum_ns ^= few[0] ^ over.duration_ns(i) ^ all[i] ^ static_cast<std::int64_t>(over.record(i));
    }
  }
  EXPECT_NE(sum_ns, 1);
}

TEST(SliceChunkTest, RecordsOfDrawnSlicesTakeAsManyBitsAsTheyNeed) {
  StringPool names;
  for (const std::uint32_t count : {1u, 2u, 3u, 9u, 64u, 1000u, 1024u}) {
    for (unsigned bits = 1; bits < 64; ++bits) {
      std::mt19937_64 random(bits);
      std::vector<Slice> slices;
      for (std::uint32_t i = 0; i < count; ++i) {
        slices.push_back({.begin_ns = 0, .record = 5 + (random() >> (64 - bits))});
      }
      const auto chunk = SliceChunk::seal(slices, &names);
      const std::vector<std::byte> bytes(chunk->bytes().begin(), chunk->bytes().end());
      ASSERT_EQ(chunk->head().byte_count(), bytes.size());
      const SliceChunk over = SliceChunk::over(chunk->head(), bytes.data());
      for (std::uint32_t i = 0; i < count; ++i) {
        ASSERT_EQ(chunk->record(i), slices[i].record) << bits << ", " << count;
        ASSERT_EQ(over.record(i), slices[i].record) << bits << ", " << count;
      }
      if (count < 1000 || bits > PackedColumn::kMostBits) continue;
      // A bit less than whole bytes is not worth it.
      EXPECT_LE(bytes.size(), (count * (bits + 1) + 7) / 8 + chunk->lod_bytes()) << bits;
    }
  }
}

TEST(SliceChunkTest, RecordsOfAFewHundredKilobytesTakeThreeBytes) {
  std::vector<Slice> slices;
  for (std::uint32_t i = 0; i < 1024; ++i) slices.push_back({.begin_ns = 0, .record = i * 1000});
  EXPECT_LT(SliceChunk::seal(slices, nullptr)->bytes().size(), 1024 * 3 + 1u);
  slices[5].end_record = 6000;
  EXPECT_LT(SliceChunk::seal(slices, nullptr)->bytes().size(), 1024 * 3 + 5u);
}

TEST(SliceChunkTest, TakesNoRoomForColumnsThatDoNotVary) {
  StringPool names;
  std::vector<Slice> slices;
  for (std::int64_t i = 0; i < 1024; ++i) slices.push_back({i * 200, 100});
  // 4 bytes of begin and 1/2 + 1/2 of summaries a slice; duration, name, records and flags are
  // constant.
  EXPECT_LT(SliceChunk::seal(slices, &names)->kept_bytes(), 1024 * 4 + 1300u);
}

TEST(SliceChunkTest, SumsUpHowBusyItIs) {
  StringPool names;
  const StringId name = names.intern("f");
  std::vector<Slice> slices;
  for (std::int64_t i = 0; i < 512; ++i) slices.push_back({i * 100, 50, name});
  const auto chunk = SliceChunk::seal(slices, &names);
  EXPECT_NEAR(chunk->whole().busy, 128, 2);
  // Half of the time up to where the next group begins; of the last ones up to the last end.
  EXPECT_EQ(chunk->group(3).busy_step(), 32u);
  EXPECT_EQ(chunk->group(127).busy_step(), 36u);  // 200 ns of 350
  EXPECT_EQ(chunk->big_group(1).busy_step(), 32u);
  EXPECT_EQ(chunk->big_group(31).busy_step(), 33u);  // 800 ns of 1550
  EXPECT_EQ(chunk->big_begin_ns(1), 1600);
  EXPECT_EQ(chunk->whole().colour, names.colour(name));
  EXPECT_EQ(chunk->whole().agreement, 255);
}

// A mean of colours would be none of them.
TEST(SliceChunkTest, HasTheColourOfTheNameWithMostTime) {
  StringPool names;
  std::vector<StringId> others;
  for (int i = 0; i < 40; ++i) others.push_back(names.intern("other " + std::to_string(i)));
  const StringId most = names.intern("most");
  std::vector<Slice> slices;
  for (std::int64_t i = 0; i < 1024; ++i) {
    const bool is_most = i % 4 == 1;
    const StringId other = others[static_cast<std::size_t>(i * 7 % 40)];
    slices.push_back({i * 100, is_most ? 90 : 40, is_most ? most : other});
  }
  SliceRow row;
  row.chunks.push_back(SliceChunk::seal(slices, &names));
  row.build_lod();
  const SliceChunk& chunk = *row.chunks[0];
  const std::uint32_t colour = names.colour(most);
  EXPECT_EQ(chunk.whole().colour, colour);
  EXPECT_NEAR(chunk.whole().agreement, 255 * 90 / 210, 20);
  for (std::uint32_t g = 0; g < chunk.group_count(); ++g) {
    EXPECT_EQ(chunk.group(g).colour(), colour) << g;
  }
  for (std::uint32_t g = 0; g < chunk.big_group_count(); ++g) {
    EXPECT_EQ(chunk.big_group(g).colour(), colour) << g;
  }
  for (const std::vector<LodSpan>& level : row.upper) {
    for (const LodSpan& span : level) EXPECT_EQ(span.summary.colour, colour);
  }
}

TEST(SliceChunkTest, IsAsBusyInOurDaysAsFrom0On) {
  StringPool names;
  constexpr std::int64_t kOurDaysNs = 1'762'684'073'123'456'789;  // beyond what doubles tell apart
  std::vector<Slice> slices;
  for (std::int64_t i = 0; i < 64; ++i) slices.push_back({kOurDaysNs + i * 10, 5});
  const auto chunk = SliceChunk::seal(slices, &names);
  for (std::uint32_t g = 0; g + 1 < chunk->group_count(); ++g) {
    EXPECT_NEAR(chunk->group(g).busy_step(), 32, 5) << g;
  }
}

TEST(PackedSummaryTest, KeepsBusyAndColourNearly) {
  for (int busy = 1; busy < 256; ++busy) {
    for (const int colour : {0, 1, 20, 59}) {
      const LodSummary summary{static_cast<std::uint8_t>(busy), static_cast<std::uint8_t>(colour),
                               static_cast<std::uint8_t>(256 - busy)};
      const LodSummary got = PackedSummary(summary).unpacked();
      EXPECT_NEAR(got.busy, busy, busy == 1 ? 3 : 4);
      EXPECT_GT(got.busy, 0);
      EXPECT_EQ(got.colour, colour);
      EXPECT_NEAR(got.agreement, 256 - busy, 17);
      EXPECT_GT(got.agreement, 0);  // each run has a say
    }
  }
}

TEST(SliceChunkTest, BigGroupsBeginWithTheirSlicesInChunksOfAnyLength) {
  StringPool names;
  for (const std::int64_t step : {3LL, 1'000'003LL, 4'000'000'007LL, 8'000'000'000'000'000LL}) {
    std::vector<Slice> slices;
    for (std::int64_t i = 0; i < 1000; ++i) {
      slices.push_back({-4'000'000'000'000'000'000 + i * step, i % 7 == 0 ? 0 : step / 2});
    }
    const auto chunk = SliceChunk::seal(slices, &names);
    if (step < 4'000'000) {
      EXPECT_EQ(chunk->unit_ns(), 1);
    }
    for (std::uint32_t big = 0; big < chunk->big_group_count(); ++big) {
      const std::int64_t begin_ns = chunk->begin_ns(big * kBigGroup);
      EXPECT_LE(chunk->big_begin_ns(big), begin_ns);
      EXPECT_GT(chunk->big_begin_ns(big) + chunk->unit_ns(), begin_ns);
    }
  }
}

class SliceRowTest : public testing::Test {
 protected:
  SliceRow row_of(std::int64_t count) {
    RowWriter writer(names_);
    for (std::int64_t i = 0; i < count; ++i) writer.append(0, {i * 10, 5});
    SliceRow row = std::move(writer.take().at(0));
    row.build_lod();
    return row;
  }
  StringPool names_;
};

TEST_F(SliceRowTest, FindsSlicesByTime) {
  const SliceRow row = row_of(5000);
  EXPECT_EQ(row.lower_bound(-1), 0u);
  EXPECT_EQ(row.lower_bound(10), 1u);
  EXPECT_EQ(row.lower_bound(10241), 1025u);
  EXPECT_EQ(row.lower_bound(49991), 5000u);
  EXPECT_EQ(row.last_begun(-1), row.count());
  EXPECT_EQ(row.last_begun(10239), 1023u);
  EXPECT_EQ(row.last_begun(10240), 1024u);
  EXPECT_EQ(row.last_begun(INT64_MAX), 4999u);
}

TEST_F(SliceRowTest, SumsUpWhatLiesBelow) {
  const SliceRow row = row_of(40 * 1024);
  ASSERT_EQ(row.upper.size(), 6u);
  EXPECT_EQ(row.upper[0].size(), 640u);
  EXPECT_EQ(row.upper[1].size(), 160u);
  EXPECT_EQ(row.upper[5].size(), 1u);
  EXPECT_EQ(row.upper[5][0].begin_ns, 0);
  EXPECT_EQ(row.upper[5][0].length_ns, (40 * 1024 - 1) * 10 + 5);
  EXPECT_NEAR(row.upper[5][0].summary.busy, 128, 3);
}

}  // namespace
}  // namespace cinderscope
