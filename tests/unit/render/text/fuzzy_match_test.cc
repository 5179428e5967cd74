#include "render/text/fuzzy_match.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope {
namespace {

int score(std::string_view pattern, std::string_view text) {
  const auto match = fuzzy_match(pattern, text);
  return match ? match->score : -1'000'000;
}

std::string marked(std::string_view pattern, std::string_view text) {
  const auto match = fuzzy_match(pattern, text);
  if (!match) return "none";
  std::string out(text);
  for (auto place = match->offsets.rbegin(); place != match->offsets.rend(); ++place) {
    out.insert(*place, "*");
  }
  return out;
}

TEST(FuzzyMatchTest, FindsLettersInTheirOrder) {
  EXPECT_TRUE(fuzzy_match("zsel", "Zoom to the selection"));
  EXPECT_FALSE(fuzzy_match("lesz", "Zoom to the selection"));
  EXPECT_FALSE(fuzzy_match("zz", "Zoom"));
  EXPECT_FALSE(fuzzy_match("a", ""));
  EXPECT_TRUE(fuzzy_match("", ""));
}

TEST(FuzzyMatchTest, PassesOverCaseAndBlanksOfThePattern) {
  EXPECT_EQ(marked("ZOOM se", "Zoom to the selection"), "*Z*o*o*m to the *s*election");
  EXPECT_TRUE(fuzzy_match("g t t", "Go to thread"));
}

TEST(FuzzyMatchTest, PrefersBeginsOfWordsAndLettersInARow) {
  EXPECT_EQ(marked("st", "Last used statistics"), "Last used *s*tatistics");
  EXPECT_EQ(marked("zs", "sizes: zoom selection"), "sizes: *zoom *selection");
  EXPECT_GT(score("fit", "fit"), score("fit", "first in time"));
  EXPECT_GT(score("zo", "Zoom out"), score("zo", "Bazoo"));
  EXPECT_GT(score("theme", "theme"), score("theme", "the meadow"));
}

TEST(FuzzyMatchTest, PrefersTheShorterOfEqualFits) {
  EXPECT_GT(score("zoom", "Zoom in"), score("zoom", "Zoom to the selected range of time"));
}

TEST(FuzzyMatchTest, CountsPlacesInBytes) {
  const auto match = fuzzy_match("b",
                                 "ü\xf0\x9f\x98\x80\xff"
                                 "b");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->offsets, (std::vector<std::uint32_t>{7}));
  EXPECT_TRUE(fuzzy_match("ü", "xü"));
}

TEST(FuzzyMatchTest, BearsTextsOfAMegabyte) {
  const std::string huge(1 << 20, 'a');
  EXPECT_FALSE(fuzzy_match(huge, huge));
  EXPECT_TRUE(fuzzy_match("aaa", huge));
  EXPECT_FALSE(fuzzy_match("b", huge + "b"));
}

TEST(FuzzyMatchTest, APartIsFoundAsItStandsInAnyCase) {
  EXPECT_EQ(part_match("TRA", "retrace")->offsets, (std::vector<std::uint32_t>{2, 3, 4}));
  EXPECT_GT(part_match("tra", "trace")->score, part_match("tra", "retrace")->score);
  EXPECT_FALSE(part_match("tre", "trace"));
  EXPECT_FALSE(part_match("trace", ""));
  EXPECT_TRUE(part_match("", "")->offsets.empty());
}

}  // namespace
}  // namespace cinderscope
