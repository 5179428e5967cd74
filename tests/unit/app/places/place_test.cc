#include "app/places/place.h"

#include <gtest/gtest.h>

#include <random>

namespace cinderscope {
namespace {

Place whole_place() {
  Place place;
  place.trace = {.name = "a b&c.json", .size_bytes = 2775368, .head = "9f0c33a1"};
  place.view = TimeRange{-5, 1367939000000};
  place.range = TimeRange{1, 2};
  place.slice = NamedSlice{.depth = 3, .name = "Proxy::Main/100%", .begin_ns = 1367851681000};
  place.slice->track = {.kind = TrackKind::async, .pid = "1/2", .tid = "7@cpu", .name = {}};
  place.thread = "1/2";
  place.search = "dur:>16ms \"x\"";
  place.panel = "statistics";
  place.other = PlacedTrace{.name = "b.json", .size_bytes = 7, .head = "00000000"};
  place.compared = "f()";
  return place;
}

TEST(PlaceTest, IsReadAsItWasWritten) {
  const std::string text = place_text(whole_place());
  EXPECT_EQ(text.find_first_of(" \"`<>\n"), std::string::npos);
  const Result<Place> again = place_from(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, whole_place());
  EXPECT_EQ(place_text(*again), text);
}

TEST(PlaceTest, IsOneLineThatNamesTheTraceFirst) {
  Place place;
  place.trace.name = "a.json";
  EXPECT_EQ(place_text(place), "cinderscope:a.json");
  place.view = TimeRange{1, 2};
  EXPECT_EQ(place_text(place), "cinderscope:a.json?view=1,2");
  place.slice = NamedSlice{.depth = 1, .name = "a::b", .begin_ns = 1};
  place.slice->track = {.pid = "1", .tid = "2", .name = {}};
  EXPECT_EQ(place_text(place), "cinderscope:a.json?view=1,2&slice=thread/1/2/1@1&name=a%3A%3Ab");
}

TEST(PlaceTest, IsFoundAmongOtherLines) {
  const Result<Place> place =
      place_from("work  1 ms at 2 s, main\nin a.json, 5 bytes\n`cinderscope:a.json?size=5`\nmore");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->trace.name, "a.json");
  EXPECT_EQ(place->trace.size_bytes, 5u);
}

TEST(PlaceTest, UnknownKeysAreIgnoredAndUnreadableValuesAreTold) {
  const Result<Place> place =
      place_from("cinderscope:a.json?future=1&view=2,1&size=x&head=zz&range=1,2");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->unread, (std::vector<std::string>{"view", "size", "head"}));
  EXPECT_EQ(place->range, (TimeRange{1, 2}));
}

TEST(PlaceTest, NamesAFileAndNeverAPath) {
  for (const char* text :
       {"cinderscope:", "cinderscope:?view=1,2", "cinderscope:/etc/passwd", "cinderscope:..",
        "cinderscope:..%2Fa", "cinderscope:a%00b", "cinderscope:%", "a.json", ""}) {
    EXPECT_FALSE(place_from(text)) << text;
  }
  const Result<Place> place = place_from("cinderscope:a.json?trace2=..%2Fb&compare=f");
  ASSERT_TRUE(place);
  EXPECT_FALSE(place->other);
}

TEST(PlaceTest, LongPartsAreLeftOut) {
  Place place = whole_place();
  place.search = std::string(9000, 'x');
  place.slice->name = std::string(9000, 'y');
  const std::string text = place_text(place);
  EXPECT_LE(text.size(), kLongestPlace);
  ASSERT_TRUE(place_from(text));
  EXPECT_EQ(place_from(text)->trace, place.trace);
  EXPECT_FALSE(place_from("cinderscope:a?search=" + std::string(5000, 'x')));
}

TEST(PlaceTest, SurvivesAnyText) {
  const std::string whole = place_text(whole_place());
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string text = whole;
    for (int change = 0; change < 3; ++change) {
      text[random() % text.size()] = "%&=?/@,\xff\x01-9"[random() % 11];
    }
    const Result<Place> place = place_from(text);
    if (place) {
      EXPECT_LE(place_text(*place).size(), kLongestPlace);
    }
  }
}

}  // namespace
}  // namespace cinderscope
