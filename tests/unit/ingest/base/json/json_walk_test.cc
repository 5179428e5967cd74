#include "ingest/base/json/json_walk.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope::json {
namespace {

// What a walk over an array or object gives: values, and "cut" at its end if it was.
std::string walked(std::string_view text) {
  JsonWalk walk(text);
  std::string out;
  const char kind = walk.kind();
  if (kind == '{' && walk.enter('{')) {
    while (walk.next_key()) {
      out += std::string(walk.key()) + "=";
      const std::string value(walk.value());
      out += walk.cut() ? "?" : value + ";";
    }
  } else if (kind == '[' && walk.enter('[')) {
    while (walk.next_item()) {
      const std::string value(walk.value());
      out += walk.cut() ? "?" : value + ";";
    }
  }
  return out + (walk.cut() ? "cut" : "");
}

TEST(JsonWalkTest, GivesMembersAndElements) {
  EXPECT_EQ(walked(R"({"a":1,"b":[1,{"c":2}],"d":"x\"}"})"), R"(a=1;b=[1,{"c":2}];d="x\"}";)");
  EXPECT_EQ(walked("[1, -2.5e3, null, true]"), "1;-2.5e3;null;true;");
  EXPECT_EQ(walked("{}"), "");
  EXPECT_EQ(walked("[]"), "");
}

TEST(JsonWalkTest, ToleratesCommasThatAreMissingOrTooMany) {
  EXPECT_EQ(walked("[,1 2,,3,]"), "1;2;3;");
  EXPECT_EQ(walked(R"({"a":1 "b":2,,})"), "a=1;b=2;");
}

TEST(JsonWalkTest, TakesWordsThatProgramsWriteForNumbers) {
  EXPECT_EQ(walked("[NaN, Infinity, -Infinity]"), "NaN;Infinity;-Infinity;");
}

TEST(JsonWalkTest, TakesTheRestAsCutWhereItIsNoJson) {
  EXPECT_EQ(walked("[1, ?, 3]"), "1;?cut");
  EXPECT_EQ(walked("[1}"), "1;?cut");
  EXPECT_EQ(walked(R"({"a" 1})"), "cut");
  EXPECT_EQ(walked("{1:2}"), "cut");
}

TEST(JsonWalkTest, DropsWhatACutLiesIn) {
  EXPECT_EQ(walked("[1, 23"), "1;?cut");  // may be 234
  EXPECT_EQ(walked("[1, 23 "), "1;23;cut");
  EXPECT_EQ(walked(R"(["a", "b)"), "\"a\";?cut");
  EXPECT_EQ(walked(R"({"a":[1,2)"), "a=?cut");
  EXPECT_EQ(walked(R"({"a":)"), "a=?cut");
}

TEST(JsonWalkTest, DoesNotRecurse) {
  const std::string deep(1'000'000, '[');
  JsonWalk walk(deep);
  walk.skip();
  EXPECT_TRUE(walk.cut());
}

// Brackets and quotes at each place of the pieces that are looked at together.
TEST(JsonWalkTest, FindsTheEndOfNestedValuesWhereverTheirBracketsLie) {
  for (std::size_t before = 0; before < 40; ++before) {
    for (std::size_t inside = 0; inside < 40; ++inside) {
      const std::string value = "[" + std::string(before, ' ') + R"({"a]":"}\"["},)" +
                                std::string(inside, '1') + "[[0],[]]" + "]";
      EXPECT_EQ(walked("[" + value + ",7]"), value + ";7;");
      EXPECT_EQ(walked("[" + value.substr(0, value.size() - 1)), "?cut");
    }
  }
}

}  // namespace
}  // namespace cinderscope::json
