#include "render/text/visual_text.h"

#include <gtest/gtest.h>

#include <random>

#include "ingest/base/utf8.h"
#include "render/text/label.h"

namespace cinderscope {
namespace {

constexpr std::string_view kShalom = "\u05e9\u05dc\u05d5\u05dd";  // as it is read

TEST(VisualTextTest, LeavesTextFromLeftToRightAlone) {
  for (const std::string_view text :
       {"", "main", "a::b<c>(d)", "größe Ωμέγα Привет", "文字列", "हिन्दी", "ภาษาไทย", "…"}) {
    EXPECT_FALSE(needs_visual(text)) << text;
    EXPECT_EQ(visual_text(text), text);
  }
}

TEST(VisualTextTest, TurnsHebrewAround) {
  ASSERT_TRUE(needs_visual(kShalom));
  EXPECT_EQ(visual_text(kShalom), "\u05dd\u05d5\u05dc\u05e9");
}

TEST(VisualTextTest, TurnsOnlyWhatRunsToTheLeftInAMixedName) {
  EXPECT_EQ(visual_text("run \u05d0\u05d1 12 x"), "run 12 \u05d1\u05d0 x");
  EXPECT_EQ(visual_text("\u05d0\u05d1 run"), "run \u05d1\u05d0");
}

TEST(VisualTextTest, MirrorsBracketsInsideOfIt) {
  EXPECT_EQ(visual_text("\u05d0(\u05d1)"), "(\u05d1)\u05d0");
}

TEST(VisualTextTest, PutsTheEllipsisWhereTheRestWouldFollow) {
  EXPECT_EQ(visual_text("\u05d0\u05d1…"), "…\u05d1\u05d0");
  EXPECT_EQ(visual_text("run\u05d0\u05d1…"), "run\u05d1\u05d0…");
}

TEST(VisualTextTest, JoinsArabicLetters) {
  // beh beh beh: the first, a middle and the last form, drawn from right to left.
  EXPECT_EQ(visual_text("\u0628\u0628\u0628"), "\ufe90\ufe92\ufe91");
  // lam alef are one sign.
  EXPECT_EQ(visual_text("\u0644\u0627"), "\ufefb");
}

TEST(VisualTextTest, DrawsABoxForEachCharacterThatCannotBeDrawn) {
  ASSERT_TRUE(needs_visual("a\U0001f600b"));
  EXPECT_EQ(visual_text("a\U0001f600\U0001f680b", 0xffff), "a\u25a1\u25a1b");
  EXPECT_EQ(visual_text("a\U0001f600b"), "a\U0001f600b");
}

// Whatever bytes a name has: what is drawn is valid text without controls, no longer than what was
// drawable of it, and turns nothing that comes after it.
TEST(VisualTextTest, MakesValidTextOfAnyBytes) {
  std::mt19937 random(7);
  const std::vector<std::string> pieces = {
      "\u202e",      "\u2066",     "\u0628", "\u05d0", "\n",     "\xff",     "\xed\xa0\x80",
      "a",           "\U0001f600", "\u061c", "(",      "\u0301", "\xe2\x80", std::string(1, '\0'),
      "\u0644\u0627"};
  for (int round = 0; round < 20'000; ++round) {
    std::string name;
    const auto length = random() % 40;
    for (std::size_t i = 0; i < length; ++i) {
      name += random() % 3 == 0 ? std::string(1, static_cast<char>(random()))
                                : pieces[random() % pieces.size()];
    }
    const std::string safe = drawable(name);
    ASSERT_TRUE(is_drawable(safe));
    const std::string shown = visual_text(safe, 0xffff);
    ASSERT_EQ(valid_utf8(shown), shown);
    ASSERT_TRUE(is_drawable(shown)) << round;
    ASSERT_LE(shown.size(), 3 * safe.size());
    if (!needs_visual(safe)) {
      ASSERT_EQ(shown, safe);
    }
  }
}

TEST(VisualTextTest, BearsNamesOfAMegabyte) {
  std::string name;
  while (name.size() < (1 << 20)) name += "\u0628\u202e\u05d0";
  EXPECT_LT(visual_text(name).size(), 20'000u);
  EXPECT_LE(drawable(name).size(), kMaxLabelBytes);
}

}  // namespace
}  // namespace cinderscope
