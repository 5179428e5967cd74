#include "render/layout/pixel_columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace cinderscope {
namespace {

constexpr std::int64_t kPixel = PixelScale::kPixel;
constexpr Tint kRed{.busy = 255, .vote = 255, .colour = 3};
constexpr Tint kPaleGreen{.busy = 51, .vote = 51, .colour = 59};

// "INDEX:FIRST-AFTER BUSY" of each column, in 255ths.
std::string taken(PixelColumns& columns) {
  std::string text;
  columns.take([&text](int at, const PixelColumn& column) {
    text += std::to_string(at) + ":" + std::to_string(column.first) + "-" +
            std::to_string(column.after) + " " + std::to_string(std::lround(column.busy)) + ";";
  });
  return text;
}

TEST(PixelColumnsTest, AddsUpRunsByColumnAndSharesThoseOnABorder) {
  PixelColumns columns;
  columns.begin_row(10);
  columns.add(0, kPixel / 2, 0, 4, kRed);
  columns.add(kPixel / 2, kPixel, 4, 8, kRed);  // ends with its column
  columns.add(3 * kPixel + kPixel / 2, 4 * kPixel + kPixel / 4, 8, 12, kPaleGreen);
  EXPECT_EQ(taken(columns), "0:0-8 255;3:8-12 26;4:8-12 13;");
  EXPECT_EQ(taken(columns), "");
}

TEST(PixelColumnsTest, ColourIsThatOfTheRunWithMostTimeOfOne) {
  PixelColumns columns;
  columns.begin_row(10);
  columns.add(0, kPixel / 2, 0, 1, kRed);
  columns.add(kPixel / 2, kPixel, 1, 2, kPaleGreen);
  columns.take([](int, const PixelColumn& column) { EXPECT_EQ(column.colour(), kRed.colour); });
  columns.add(kPixel, kPixel, 2, 3, kRed);  // of no length: seen all the same
  columns.take([](int at, const PixelColumn& column) {
    EXPECT_EQ(at, 1);
    EXPECT_GT(column.busy, 0);
    EXPECT_EQ(column.colour(), kRed.colour);
  });
  // Long, but of many names.
  columns.add(2 * kPixel, 2 * kPixel + kPixel / 2, 3, 9, {.busy = 255, .vote = 30, .colour = 7});
  columns.add(2 * kPixel + kPixel / 2, 3 * kPixel + kPixel / 4, 9, 10, kPaleGreen);
  columns.take([](int at, const PixelColumn& column) {
    EXPECT_EQ(column.colour(), kPaleGreen.colour) << at;  // in the next one, too
  });
}

TEST(PixelColumnsTest, TakesRunsAcrossTheEdgesOfTheView) {
  PixelColumns columns;
  columns.begin_row(2);
  columns.add(-kPixel - 1, 0, 0, 1, kRed);
  columns.add(2 * kPixel - 1, 3 * kPixel - 2, 1, 2, kRed);
  EXPECT_EQ(taken(columns), "-2:0-1 0;-1:0-1 255;1:1-2 0;2:1-2 255;");
}

TEST(PixelColumnsTest, AColumnMayBeTakenAndFilledAgain) {
  PixelColumns columns;
  columns.begin_row(10);
  columns.add(kPixel, kPixel + kPixel / 4, 0, 1, kRed);
  EXPECT_EQ(taken(columns), "1:0-1 64;");
  columns.add(kPixel + kPixel / 2, 2 * kPixel - 1, 5, 6, kRed);
  EXPECT_EQ(taken(columns), "1:5-6 127;");
}

TEST(PixelColumnsTest, ManyAreTakenButThoseThatMayBeReachedAgain) {
  PixelColumns columns;
  columns.begin_row(1000);
  std::string text;
  const auto add_text = [&text](int at, const PixelColumn& column) {
    text += std::to_string(at) + ":" + std::to_string(column.first) + ";";
  };
  columns.take_many(add_text);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const std::int64_t left = static_cast<std::int64_t>(5 + 10 * i) * kPixel;
    columns.add(left, left + kPixel / 2, i, i + 1, kRed);
    if (i == 3) columns.take_many(add_text);
  }
  EXPECT_EQ(text, "");  // so far they are few
  columns.take_many(add_text);
  columns.add(195 * kPixel + kPixel / 2, 196 * kPixel + kPixel / 2, 20, 21, kRed);
  columns.take_many(add_text);
  std::string expected;
  for (int i = 0; i < 19; ++i)
    expected += std::to_string(5 + 10 * i) + ":" + std::to_string(i) + ";";
  EXPECT_EQ(text, expected);
  EXPECT_EQ(taken(columns), "195:19-21 255;196:20-21 128;");
  EXPECT_EQ(taken(columns), "");
}

TEST(PixelColumnsTest, NothingIsLeftOfARowThatWasGivenUp) {
  PixelColumns columns;
  columns.begin_row(10);
  columns.add(kPixel, kPixel + 5, 0, 1, kRed);
  columns.begin_row(20);
  EXPECT_EQ(taken(columns), "");
  columns.add(19 * kPixel, 20 * kPixel, 3, 4, kRed);
  EXPECT_EQ(taken(columns), "19:3-4 255;");
}

}  // namespace
}  // namespace cinderscope
