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
  for (int closed = 0; closed < 2; ++closed) {
    EXPECT_EQ(places.find(kEventNames, 3, 1000), 100u);
    EXPECT_EQ(places.find(kAnnotationNames, 3, 1000), 150u);
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

}  // namespace
}  // namespace cinderscope::perfetto
