#include "render/text/label.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

std::string telling(std::string_view name) {
  return std::string(name.substr(telling_begin(name)));
}

TEST(LabelTest, FindsTheTellingPart) {
  EXPECT_EQ(telling("RunTask"), "RunTask");
  EXPECT_EQ(telling("a::b::c"), "c");
  EXPECT_EQ(telling("/usr/include/stdio.h"), "stdio.h");
  EXPECT_EQ(telling("C:\\work\\main.cc"), "main.cc");
  EXPECT_EQ(telling("org.example.Main.run"), "run");
  EXPECT_EQ(telling("track_writer.cc"), "track_writer.cc");
  EXPECT_EQ(telling("render.track_list.h"), "track_list.h");
  EXPECT_EQ(telling("Receive mojo message"), "Receive mojo message");
  EXPECT_EQ(telling("Loading a.b of it"), "Loading a.b of it");
}

TEST(LabelTest, LeavesBracketsAlone) {
  EXPECT_EQ(telling("std::vector<std::pair<a::b, c::d>>::push_back(std::string const&)"),
            "push_back(std::string const&)");
  EXPECT_EQ(telling("ns::operator<"), "operator<");
  EXPECT_EQ(telling("ns::operator<<(std::ostream&)"), "operator<<(std::ostream&)");
  EXPECT_EQ(telling("f(a::b)"), "f(a::b)");
  EXPECT_EQ(telling(">>>::x"), "x");
}

TEST(LabelTest, MakesTextFitForOneLine) {
  EXPECT_EQ(drawable("a\nb\tc"), "a b c");
  EXPECT_EQ(drawable("a\xffz"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(drawable("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");       // not the shortest form
  EXPECT_EQ(drawable("\xED\xA0\x80").substr(0, 3), "\xEF\xBF\xBD");  // a surrogate
  EXPECT_EQ(drawable("\xE2\x80\xAEx"), " x");  // would turn the direction of writing
  EXPECT_EQ(drawable("Grüße 日本"), "Grüße 日本");
  EXPECT_EQ(drawable("\xE6\x97"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // cut short
}

TEST(LabelTest, AVeryLongNameKeepsItsTellingPart) {
  std::string scopes;
  while (scopes.size() < 2000) scopes += "outer::";
  EXPECT_EQ(drawable_name(scopes + "resize"), "…resize");
  EXPECT_EQ(drawable_name("a::b"), "a::b");
  EXPECT_EQ(drawable_name(std::string(2000, 'x')).size(), kMaxLabelBytes);
}

TEST(LabelTest, FactsHaveHeads) {
  EXPECT_EQ(fact_title("event"), "Event");
  EXPECT_EQ(fact_title("Jar"), "Jar");
  EXPECT_EQ(fact_title("id2"), "Id");
  EXPECT_EQ(fact_title("ключ"), "ключ");
  EXPECT_EQ(fact_title(""), "");
}

TEST(LabelTest, CutsVeryLongTextAtACharacter) {
  std::string name;
  while (name.size() < 2000) name += "ü";
  const std::string cut = drawable(name);
  EXPECT_LE(cut.size(), kMaxLabelBytes);
  EXPECT_TRUE(is_drawable(cut));
  EXPECT_FALSE(is_drawable(name));
}

TEST(LabelTest, KnowsWhatNeedsNoCare) {
  EXPECT_TRUE(is_drawable("RunTask"));
  EXPECT_TRUE(is_drawable("日本"));
  EXPECT_FALSE(is_drawable("a\nb"));
  EXPECT_FALSE(is_drawable("\x80"));
}

// Ten pixels a character, the ellipsis too.
std::string shown(std::string_view name, double width_px) {
  const FitBytes fit = [](std::string_view text, double px) {
    std::size_t bytes = 0;
    for (double used = 10; bytes < text.size() && used <= px; used += 10) {
      bytes += character_bytes(text, bytes);
    }
    return bytes;
  };
  const ShortLabel label = shortened(name, telling_begin(name), "…", 10, width_px, fit);
  return std::string(label.lead) + std::string(label.text) + std::string(label.tail);
}

TEST(LabelTest, ShortensToTheTellingPart) {
  EXPECT_EQ(shown("ab::RunTask", 110), "ab::RunTask");
  EXPECT_EQ(shown("ab::RunTask", 109), "…RunTask");
  EXPECT_EQ(shown("ab::RunTask", 80), "…RunTask");
  EXPECT_EQ(shown("ab::RunTask", 79), "RunTas…");
  EXPECT_EQ(shown("ab::RunTask", 40), "Run…");
  EXPECT_EQ(shown("ab::RunTask", 39), "");
  EXPECT_EQ(shown("Überlänge", 50), "Über…");
  EXPECT_EQ(shown("abc", 0), "");
}

}  // namespace
}  // namespace cinderscope
