#include "ingest/base/json/raw_json.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope::json {
namespace {

// "key=value;" of each member or element, values as they are written.
std::string members_of(std::string_view value) {
  std::string text;
  MemberReader members(value);
  while (members.next()) {
    text += members.key() + "=" + std::string(members.value()) + ";";
  }
  return text;
}

TEST(RawJsonTest, ReadsMembersAndElementsAsTheyAreWritten) {
  EXPECT_EQ(members_of(R"( {"a": 1 , "b\n":[2,{"c":3}],"d":"}\""} )"),
            "a=1;b\n=[2,{\"c\":3}];d=\"}\\\"\";");
  EXPECT_EQ(members_of(R"([1, "two",{}])"), "=1;=\"two\";={};");
  EXPECT_EQ(members_of("7"), "");
}

TEST(RawJsonTest, EndsAtDamage) {
  EXPECT_EQ(members_of(R"({"a":1,"b)"), "a=1;");
  EXPECT_EQ(members_of(R"({"a" 1,"b":2})"), "");
}

TEST(RawJsonTest, FindsTheLastMemberOfAKey) {
  EXPECT_EQ(member(R"({"a":1,"b":2,"a":3})", "a"), "3");
  EXPECT_EQ(member(R"({"a":1})", "b"), "");
}

TEST(RawJsonTest, TellsTextsAndNumbersOfValues) {
  EXPECT_EQ(text_of(R"("a\u0041")"), "aA");
  EXPECT_EQ(text_of(" 12 "), "12");
  EXPECT_EQ(text_of("null"), "");
  EXPECT_EQ(number_of("1.5"), 1.5);
  EXPECT_EQ(number_of(R"("2")"), 2);
  EXPECT_FALSE(number_of("true"));
}

TEST(RawJsonTest, SkipsAValueHoweverItEnds) {
  EXPECT_EQ(skip_value(R"({"a":[1,"]"]},2)", 0), 13u);
  EXPECT_EQ(skip_value("12,3", 0), 2u);
  EXPECT_EQ(skip_value("[[[", 0), 3u);
  EXPECT_EQ(skip_string(R"("a\"b" )", 0), 6u);
  EXPECT_EQ(skip_string(R"("a)", 0), std::string_view::npos);
}

}  // namespace
}  // namespace cinderscope::json
