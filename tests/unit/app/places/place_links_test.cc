#include "app/places/place_links.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

constexpr std::string_view kPlace = "cinderscope:a.json?view=1,2&slice=thread/1/1/1@5&name=Run";

TEST(PlaceLinksTest, FindsPlacesWithinText) {
  const std::string note = "see " + std::string(kPlace) + ", and (cinderscope:b.json)";
  const auto links = places_in(note);
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[1].label, "b.json");
  EXPECT_EQ(links[1].place, "cinderscope:b.json");
  EXPECT_EQ(with_labels("see " + std::string(kPlace) + " there"), "see Run there");
}

TEST(PlaceLinksTest, WhatIsNoPlaceStaysText) {
  for (const std::string_view text :
       {"", "cinderscope: is a program", "cinderscope:/etc/passwd", "cinderscope:?view=1,2"}) {
    EXPECT_TRUE(places_in(text).empty()) << text;
    EXPECT_EQ(with_labels(text), text);
  }
}

TEST(PlaceLinksTest, AreBounded) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "cinderscope:a.json ";
  EXPECT_EQ(places_in(text).size(), 12u);
}

}  // namespace
}  // namespace cinderscope
