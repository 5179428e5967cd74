#include "ingest/part/overlap_rows.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(OverlapRowsTest, NestedSlicesShareARow) {
  OverlapRows rows;
  EXPECT_EQ(rows.add(0, 100, 0).row, 0u);
  EXPECT_EQ(rows.add(0, 100, 0).row, 0u);
  EXPECT_EQ(rows.add(10, 20, 0).row, 0u);
  EXPECT_EQ(rows.add(20, 100, 0).row, 0u);
  EXPECT_EQ(rows.add(100, 120, 0).row, 0u);
}

TEST(OverlapRowsTest, APartlyOverlappingOneGoesToTheNextRowThatIsFree) {
  OverlapRows rows;
  EXPECT_EQ(rows.add(0, 10, 0).row, 0u);
  EXPECT_EQ(rows.add(5, 15, 0).row, 1u);
  EXPECT_EQ(rows.add(6, 9, 0).row, 0u);
  EXPECT_EQ(rows.add(7, 12, 0).row, 1u);
  EXPECT_EQ(rows.add(8, 20, 0).row, 2u);
  EXPECT_EQ(rows.add(12, 18, 0).row, 0u);
}

TEST(OverlapRowsTest, WhatSticksOutByTheLastDecimalEndsWithTheSliceAroundIt) {
  OverlapRows rows;
  rows.add(0, 10, 1);
  const OverlapRows::Place place = rows.add(5, 11, 1);
  EXPECT_EQ(place.row, 0u);
  EXPECT_EQ(place.end, 10);
  EXPECT_EQ(rows.add(10, 12, 1).row, 0u);
}

TEST(OverlapRowsTest, ManyOverlapsTakeAsManyRows) {
  OverlapRows rows;
  constexpr int kMany = 20000;
  for (int i = 0; i < kMany; ++i) {
    EXPECT_EQ(rows.add(i, kMany + i, 0).row, static_cast<std::uint32_t>(i));
  }
  EXPECT_EQ(rows.add(2 * kMany, 2 * kMany + 1, 0).row, 0u);
}

}  // namespace
}  // namespace cinderscope
