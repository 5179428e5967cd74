#include "ingest/search/search_query.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace cinderscope {
namespace {

SearchQuery parsed(std::string_view text) {
  Result<SearchQuery> query = parse_search(text);
  EXPECT_TRUE(query) << text;
  return query ? std::move(*query) : SearchQuery{};
}

// The only term of `text`.
SearchTerm only_term(std::string_view text) {
  SearchQuery query = parsed(text);
  EXPECT_EQ(query.terms.size(), 1u) << text;
  return query.terms.empty() ? SearchTerm{} : query.terms.front();
}

std::int64_t error_offset(std::string_view text) {
  const Result<SearchQuery> query = parse_search(text);
  EXPECT_FALSE(query) << text;
  return query ? -1 : query.error().offset_bytes;
}

TEST(SearchQueryTest, WordsAreOnePhraseInAnyCase) {
  const SearchTerm term = only_term("  Run  Task ");
  EXPECT_EQ(term.field, TermField::anything);
  EXPECT_TRUE(term.test.holds("ThreadController run  tasks"));
  EXPECT_FALSE(term.test.holds("run task"));
  EXPECT_EQ(parsed(" \t\n ").terms.size(), 0u);
}

TEST(SearchQueryTest, CaseIsFoldedBeyondAscii) {
  EXPECT_TRUE(only_term("straße").test.holds("STRAßE 12"));
  EXPECT_TRUE(only_term("поток").test.holds("ГЛАВНЫЙ ПОТОК"));
  EXPECT_FALSE(only_term("поток").test.holds("ПОТО"));
}

TEST(SearchQueryTest, ColonsOfCodeAndPathsAreNoKeys) {
  for (const char* text : {"std::sort", "http://x", "C:\\x", "C:/x", "a::b::c", ":x", "f(x):1"}) {
    const SearchTerm term = only_term(text);
    EXPECT_EQ(term.field, TermField::anything) << text;
    EXPECT_TRUE(term.test.holds(text)) << text;
  }
}

TEST(SearchQueryTest, PathsAreNoExpressions) {
  EXPECT_TRUE(only_term("/usr/include/x.h").test.holds("cc /usr/include/x.h"));
  EXPECT_FALSE(only_term("/^a.c$/").test.holds("xabc"));
  EXPECT_TRUE(only_term("/^a.c$/").test.holds("abc"));
  EXPECT_FALSE(only_term("/^a.c$/").test.holds("ABC"));
  EXPECT_TRUE(only_term("/^a.c$/i").test.holds("ABC"));
  EXPECT_TRUE(only_term("/a\\/b c/").test.holds("xa/b cx"));
}

TEST(SearchQueryTest, TermsStandBesideEachOther) {
  const SearchQuery query = parsed("run task dur:>5ms url:\"a b\" -x.Y:z thread:Main");
  ASSERT_EQ(query.terms.size(), 5u);
  EXPECT_TRUE(query.terms[0].test.holds("RUN TASK"));
  EXPECT_EQ(query.terms[1].times->first_ns, 5'000'001);
  EXPECT_EQ(query.terms[2].key, "url");
  EXPECT_TRUE(query.terms[2].test.holds("xA Bx"));
  EXPECT_TRUE(query.terms[3].negated);
  EXPECT_EQ(query.terms[3].key, "x.y");
  EXPECT_EQ(query.terms[4].field, TermField::thread);
}

TEST(SearchQueryTest, OwnKeysBehindArgsAreArguments) {
  EXPECT_EQ(only_term("name:x").field, TermField::name);
  EXPECT_EQ(only_term("args.name:x").field, TermField::argument);
  EXPECT_EQ(only_term("args.name:x").key, "name");
}

TEST(SearchQueryTest, NumbersOfArguments) {
  EXPECT_TRUE(only_term("n:>3").numbers->holds(3.5));
  EXPECT_FALSE(only_term("n:>3").numbers->holds(3));
  EXPECT_TRUE(only_term("n:1..9").numbers->holds(9));
  EXPECT_FALSE(only_term("n:..9").numbers->holds(9.5));
  EXPECT_FALSE(only_term("n:a..b").numbers.has_value());
  EXPECT_FALSE(only_term("n:12").numbers.has_value());
}

TEST(SearchQueryTest, DurationsInEveryUnit) {
  const auto bounds = [](std::string_view text) { return *only_term(text).times; };
  EXPECT_EQ(bounds("dur:12").first_ns, 12);
  EXPECT_EQ(bounds("dur:1.5us..2ms").first_ns, 1500);
  EXPECT_EQ(bounds("dur:1.5us..2ms").last_ns, 2'000'000);
  EXPECT_EQ(bounds("dur:<1s").last_ns, 999'999'999);
  EXPECT_EQ(bounds("dur:<=1m").last_ns, 60'000'000'000);
  EXPECT_EQ(bounds("dur:>=0.25h").first_ns, 900'000'000'000);
  EXPECT_EQ(bounds("dur:>1µs").first_ns, 1001);
  EXPECT_EQ(bounds("dur:>0.5").first_ns, 1);
  EXPECT_EQ(bounds("dur:>=0.5").first_ns, 1);
  EXPECT_EQ(bounds("dur:<0.5").last_ns, 0);
  EXPECT_GT(bounds("dur:0.5").first_ns, bounds("dur:0.5").last_ns);
  EXPECT_EQ(bounds("dur:..99999999999999999999h").last_ns, INT64_MAX);
  EXPECT_EQ(bounds("dur:12..").last_ns, INT64_MAX);
}

TEST(SearchQueryTest, ErrorsSayWhere) {
  EXPECT_EQ(error_offset("a /b(c/"), 4);
  EXPECT_EQ(error_offset("/b)c/"), 2);
  EXPECT_EQ(error_offset("/x[a/"), 2);
  EXPECT_EQ(error_offset("/a**/"), 2);
  EXPECT_EQ(error_offset("url:/b(/"), 6);
  EXPECT_EQ(error_offset("a dur:5kg"), 7);
  EXPECT_EQ(error_offset("dur:>x"), 5);
  EXPECT_EQ(error_offset("dur:1..x"), 7);
  EXPECT_EQ(error_offset("n:>x"), 3);
  EXPECT_EQ(error_offset("/a{1000}{1000}/") >= 0, true);
}

TEST(SearchQueryTest, WhatIsStillBeingTypedIsNoError) {
  EXPECT_TRUE(only_term("\"a b").test.holds("xa bx"));
  EXPECT_TRUE(parse_search("dur:"));
  EXPECT_TRUE(only_term("url:").test.holds("anything"));
  EXPECT_TRUE(only_term("/a").test.holds("x/a"));
}

TEST(SearchQueryTest, CatastrophicExpressionsTakeLinearTime) {
  const std::string text(200'000, 'a');
  EXPECT_FALSE(only_term("/(a*)*b/").test.holds(text));
  EXPECT_FALSE(only_term("/(a|aa)+$b/").test.holds(text));
}

// Every text finds what it was made for and nothing else.
void expect_round_trip(const std::string& name) {
  const SearchQuery query = parsed(search_text_for(name, 5, 70));
  ASSERT_EQ(query.terms.size(), 2u);
  EXPECT_TRUE(query.terms[0].test.holds(name));
  EXPECT_EQ(query.terms[0].field, TermField::name);
  EXPECT_FALSE(query.terms[0].test.holds(name + "x"));
  EXPECT_EQ(query.terms[1].times->first_ns, 5);
  EXPECT_EQ(query.terms[1].times->last_ns, 70);
  EXPECT_EQ(parsed(search_text_for(name)).terms.size(), 1u);
}

TEST(SearchQueryTest, DurationsAreWrittenAsPeopleTypeThem) {
  EXPECT_EQ(search_text_for("a", 70'907, 4'438'578), "=\"a\" dur:70.907us..4.438578ms");
  EXPECT_EQ(search_text_for("a", 999, 2'000'000'050), "=\"a\" dur:999..2.00000005s");
  EXPECT_EQ(search_text_for("a", 50'000'000), "=\"a\" dur:50ms..");
  EXPECT_EQ(search_text_for("a", 70'907, 90'000, TimeAxis::events), "=\"a\" dur:70907..90000");
  const SearchQuery query = parsed(search_text_for("a", 70'907, 2'000'000'050));
  EXPECT_EQ(query.terms[1].times->first_ns, 70'907);
  EXPECT_EQ(query.terms[1].times->last_ns, 2'000'000'050);
}

TEST(SearchQueryTest, TextsForNamesRoundTrip) {
  for (const std::string& name :
       {std::string(), std::string("\""), std::string("\\"), std::string("a\\\" b\n\t\r"),
        std::string("\0x\0", 3), std::string("\xff\xfe\x80"), std::string(1 << 20, '"'),
        std::string(1 << 20, '\\')}) {
    expect_round_trip(name);
  }
  std::mt19937 random(7);
  const std::string_view alphabet("\"\\ \n:=/-a\xc3\xa9\0", 12);
  for (int round = 0; round < 3000; ++round) {
    std::string name;
    for (std::size_t i = random() % 12; i > 0; --i) name += alphabet[random() % alphabet.size()];
    expect_round_trip(name);
  }
}

TEST(SearchQueryTest, AnyTextIsTakenOrRefusedAtAPlaceWithin) {
  std::mt19937 random(11);
  constexpr std::string_view kAlphabet = "ab\"\\/=:-.<>0159 msu()[]*+?{}|i\xc3\xb5\n";
  for (int round = 0; round < 30000; ++round) {
    std::string text = round % 3 == 0 ? "dur:" : round % 3 == 1 ? "x:" : "";
    for (std::size_t i = random() % 14; i > 0; --i) text += kAlphabet[random() % kAlphabet.size()];
    const Result<SearchQuery> query = parse_search(text);
    if (query) {
      for (const SearchTerm& term : query->terms) term.test.holds("a b 15");
    } else {
      EXPECT_FALSE(query.error().text.empty());
      EXPECT_GE(query.error().offset_bytes, 0) << text;
      EXPECT_LE(query.error().offset_bytes, static_cast<std::int64_t>(text.size())) << text;
    }
  }
}

}  // namespace
}  // namespace cinderscope
