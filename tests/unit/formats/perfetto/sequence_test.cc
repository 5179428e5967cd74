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
