#include "ingest/sql/sql_tokens.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace cinderscope {
namespace {

std::string kinds(std::string_view text) {
  constexpr std::string_view kLetters = "wkqtbnpcs";
  std::string all;
  for (const SqlToken& token : sql_tokens(text)) {
    all += kLetters[static_cast<std::size_t>(token.kind)];
    if (token.open) all += '!';
    if (token.odd) all += '?';
  }
  return all;
}

TEST(SqlTokensTest, TellsWordsFromKeywords) {
  EXPECT_EQ(kinds("SELECT name, dur FROM slice"), "kwswkw");
  EXPECT_EQ(kinds("select a.key as k"), "kwswkw");
  EXPECT_EQ(kinds("größe"), "w");
}

TEST(SqlTokensTest, KnowsTextsNumbersAndComments) {
  EXPECT_EQ(kinds("'it''s' \"a\" `b` [c]"), "tqqq");
  EXPECT_EQ(kinds("1 1.5 .5 1e9 2e-3 0x1F x'1f' X''"), "nnnnnnbb");
  EXPECT_EQ(kinds("-- to the end\n/* more\nlines */ x"), "ccw");
  EXPECT_EQ(kinds("a||b <= :from"), "wswsp");
}

TEST(SqlTokensTest, SaysWhatIsNotClosed) {
  EXPECT_EQ(kinds("name = 'x"), "wst!");
  EXPECT_EQ(kinds("/* x"), "c!");
  EXPECT_EQ(kinds("\"x"), "q!");
}

TEST(SqlTokensTest, SaysWhatSqliteWouldNotRead) {
  EXPECT_EQ(kinds("12ab 2e 0x 0x1Fg"), "n?n?n?n?");
  EXPECT_EQ(kinds("x'1' x'1g'"), "b?b?");
  EXPECT_EQ(kinds(": :a @b $c ? ?1 #1"), "s?pppppp?");
  EXPECT_EQ(kinds("! {a} \\ \v"), "s?s?ws?s?s?");
  EXPECT_EQ(kinds("a ->> b != c"), "wswsw");
}

TEST(SqlTokensTest, TakesQuotesOffNames) {
  EXPECT_EQ(name_of("plain"), "plain");
  EXPECT_EQ(name_of("\"two \"\" of them\""), "two \" of them");
  EXPECT_EQ(name_of("`a``b`"), "a`b");
  EXPECT_EQ(name_of("[a b]"), "a b");
  EXPECT_EQ(name_of("\"open"), "open");
  EXPECT_EQ(name_of(""), "");
}

TEST(SqlTokensTest, CoversAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  std::size_t end = 0;
  for (const SqlToken& token : sql_tokens(bytes + bytes)) {
    ASSERT_GE(token.begin, end);
    ASSERT_GT(token.end, token.begin);
    end = token.end;
  }
  EXPECT_LE(end, bytes.size() * 2);
}

TEST(SqlTokensTest, KnowsTheOrderThatAQueryGives) {
  const auto order = [](std::string_view text) {
    const SqlOrder of = sql_order_of(text);
    return std::string(of.column) + (of.descending ? " down" : "");
  };
  EXPECT_EQ(order("SELECT a FROM t ORDER BY dur DESC"), "dur down");
  EXPECT_EQ(order("SELECT a, (SELECT b FROM c ORDER BY d) FROM t ORDER BY a, b;"), "a");
  EXPECT_EQ(order("SELECT sum(x) OVER (ORDER BY ts) FROM t"), "");
  EXPECT_EQ(order("SELECT a FROM t ORDER BY a - b DESC"), "");
  EXPECT_EQ(order("SELECT a FROM t ORDER BY"), "");
}

TEST(SqlTokensTest, FirstCommentSaysWhatItIsFor) {
  EXPECT_EQ(first_sql_comment("-- slow frames \nSELECT 1"), "slow frames");
  EXPECT_EQ(first_sql_comment("/* slow\nframes */ SELECT 1"), "slow");
  EXPECT_EQ(first_sql_comment("SELECT 1 -- no"), "");
  EXPECT_EQ(first_sql_comment("--"), "");
  EXPECT_EQ(first_sql_comment("/*"), "");
}

}  // namespace
}  // namespace cinderscope
