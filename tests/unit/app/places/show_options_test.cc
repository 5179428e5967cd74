#include "app/places/show_options.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(ShowOptionsTest, ReadsWhatWasTyped) {
  const Result<ShowOptions> options = show_options({{"--view", {"+1.2s", "end-1s"}},
                                                    {"--select", {"main/work#2"}},
                                                    {"--pin", {"a"}},
                                                    {"--pin", {"/b/"}},
                                                    {"--panel", {"statistics"}}});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->view->first.from, TypedTime::From::begin);
  EXPECT_EQ(options->select->k, 2u);
  EXPECT_EQ(options->pins.size(), 2u);
  EXPECT_FALSE(options->empty());
  EXPECT_TRUE(ShowOptions().empty());
}

TEST(ShowOptionsTest, NamesTheOptionThatIsWrong) {
  EXPECT_TRUE(show_options({{"--view", {"soon", "later"}}})
                  .error()
                  .text.starts_with("--view: \"soon\" is not a time"));
  EXPECT_FALSE(show_options({{"--view", {"+1s"}}}));
  EXPECT_FALSE(show_options({{"--play", {"x"}}}));
  EXPECT_FALSE(show_options({{"--select", {""}}}));
}

TEST(ShowOptionsTest, AreHandedOverAsTheyWereTyped) {
  const ShowWord word{"--view", {"+1 s", "end"}};
  const auto again = show_word_from(handed_over(word));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->option, word.option);
  EXPECT_EQ(again->values, word.values);
  for (const char* text : {"", "--view", "--play\x1fx",
                           "--view\x1f"
                           "a",
                           "--panel\x1f"
                           "a\x1f"
                           "b"}) {
    EXPECT_FALSE(show_word_from(text)) << text;
  }
}

TEST(ShowOptionsTest, APlacesTimesAreAbsolute) {
  Place place;
  place.view = TimeRange{-5, 7};
  place.unread = {"range"};
  const ShowOptions options = show_options(place);
  EXPECT_EQ(options.view->first.from, TypedTime::From::zero);
  EXPECT_EQ(options.view->first.ns, -5);
  EXPECT_EQ(options.problems, std::vector<std::string>{"The place's range could not be read."});
}

}  // namespace
}  // namespace cinderscope
