#include "formats/perfetto/state/sequence.h"

#include <gtest/gtest.h>

namespace cinderscope::perfetto {
namespace {

TEST(PerfettoSequenceTest, InternsSmallAndHugeIdsAndKeepsTheFirst) {
  InternedNames names;
  EXPECT_TRUE(names.add(1, StringId{5}));
  EXPECT_TRUE(names.add(std::uint64_t{1} << 55, StringId{6}));
  EXPECT_TRUE(names.add(4000, StringId{7}));
  EXPECT_FALSE(names.add(1, StringId{8}));
  EXPECT_FALSE(names.add(4000, StringId{8}));
  EXPECT_EQ(names.find(1), StringId{5});
  EXPECT_EQ(names.find(std::uint64_t{1} << 55), StringId{6});
  EXPECT_EQ(names.find(4000), StringId{7});
  EXPECT_EQ(names.find(2), kNoName);
  names.clear();
  EXPECT_EQ(names.find(1), kNoName);
  EXPECT_EQ(names.find(4000), kNoName);
}

TEST(PerfettoSequenceTest, FindsEntriesOpenAndClosedThatLieBeforeAPlace) {
  InternedPlaces places;
  places.add(kEventNames, 3, 100);
  places.add(kEventNames, 3, 200);
  places.add(kAnnotationNames, 3, 150);
  EXPECT_TRUE(places.add(kTaskContexts, std::uint64_t{1} << 63, 160));
  EXPECT_FALSE(places.add(kTaskContexts, std::uint64_t{1} << 63, 170));
  for (int closed = 0; closed < 2; ++closed) {
    EXPECT_EQ(places.find(kEventNames, 3, 1000), 100u);
    EXPECT_EQ(places.find(kAnnotationNames, 3, 1000), 150u);
    EXPECT_EQ(places.find(kTaskContexts, std::uint64_t{1} << 63, 1000), 160u);
    EXPECT_FALSE(places.find(kEventNames, std::uint64_t{1} << 63, 1000));
    EXPECT_FALSE(places.find(kEventNames, 3, 100));
    EXPECT_FALSE(places.find(kEventNames, 4, 1000));
    EXPECT_FALSE(places.find(kEventNames, 0, 1000));
    places.close();
  }
}

// Each iid lies as far beyond the table as one may lie that still gets a place in it.
TEST(PerfettoSequenceTest, TablesOfIdsGrowOnlyAsTheyAreFilled) {
  InternedNames names;
  InternedPlaces places;
  std::vector<std::uint64_t> iids;
  for (std::uint32_t i = 0; i < 20; ++i) {
    iids.push_back(iids.empty() ? 63 : 2 * iids.back() + 64);
    EXPECT_TRUE(names.add(iids.back(), StringId{i + 1}));
    EXPECT_TRUE(places.add(kEventNames, iids.back(), 1000 + i));
    EXPECT_FALSE(places.add(kEventNames, iids.back(), 5000));
  }
  EXPECT_LE(names.table_size(), 200u);
  EXPECT_LE(places.kept_bytes(), 2000u);
  for (int closed = 0; closed < 2; ++closed) {
    for (std::uint32_t i = 0; i < 20; ++i) {
      EXPECT_EQ(names.find(iids[i]), StringId{i + 1});
      EXPECT_EQ(places.find(kEventNames, iids[i], UINT64_MAX), 1000u + i);
    }
    places.close();
  }
  EXPECT_LE(places.kept_bytes(), 2000u);
}

TEST(PerfettoSequenceTest, EntriesOfManyFieldsAndFarApartAreFound) {
  InternedPlaces places;
  for (std::uint32_t field = 1; field <= 100; ++field) {
    for (const std::uint64_t iid : {1u, 2u, 3u, 70u}) {
      const std::uint64_t address = field * (std::uint64_t{1} << 31) + iid;
      EXPECT_TRUE(places.add(field, iid, address));
      EXPECT_FALSE(places.add(field, iid, address + 1));
    }
  }
  for (int closed = 0; closed < 2; ++closed) {
    for (std::uint32_t field = 1; field <= 100; ++field) {
      for (const std::uint64_t iid : {1u, 2u, 3u, 70u}) {
        EXPECT_EQ(places.find(field, iid, UINT64_MAX), field * (std::uint64_t{1} << 31) + iid);
      }
      EXPECT_FALSE(places.find(field, 4, UINT64_MAX));
    }
    places.close();
  }
}

TEST(PerfettoSequenceTest, EntriesThatCountUpTakeFourBytes) {
  InternedPlaces places;
  for (std::uint64_t iid = 1; iid <= 1000; ++iid) places.add(kEventNames, iid, iid * 50);
  places.close();
  EXPECT_LE(places.kept_bytes(), 4 * 1001u + 100);
}

TEST(PerfettoSequenceTest, AnEpochWithoutEntriesGoesOn) {
  Sequence sequence;
  for (std::uint64_t address = 0; address < 100; ++address) sequence.begin_epoch(address);
  EXPECT_EQ(sequence.epochs.size(), 1u);
  sequence.epochs.back().places.add(kEventNames, 1, 100);
  sequence.begin_epoch(200);
  EXPECT_EQ(sequence.epochs.size(), 2u);
}

TEST(PerfettoSequenceTest, DefaultsThatDoNotChangeAreNotedOnce) {
  const std::string body("\xd0\x03\x40", 3);  // clock 64
  const std::string other("\xd0\x03\x41", 3);
  Sequence sequence;
  sequence.begin_epoch(5);
  for (std::uint64_t address = 10; address < 100; ++address) sequence.use_defaults(body, address);
  EXPECT_EQ(sequence.defaults.clock, 64u);
  sequence.use_defaults(other, 100);
  EXPECT_EQ(sequence.defaults.clock, 65u);
  EXPECT_EQ(sequence.epochs.back().defaults_at, (std::vector<std::uint64_t>{10, 100}));
  // The epoch goes on, without them from there.
  sequence.begin_epoch(200);
  EXPECT_EQ(sequence.defaults.clock, 0u);
  EXPECT_EQ(sequence.epochs.back().defaults_at, (std::vector<std::uint64_t>{10, 100, 200}));
}

}  // namespace
}  // namespace cinderscope::perfetto
