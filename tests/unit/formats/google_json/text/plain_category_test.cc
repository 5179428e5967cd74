#include "formats/google_json/text/plain_category.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "formats/google_json/describe_event.h"

namespace cinderscope::google_json {
namespace {

TEST(PlainCategoryTest, IsTheLastOneOfTheEventItself) {
  EXPECT_EQ(plain_category(R"({"name":"a","cat":"b"},{"cat":"c"})"), R"("b")");
  EXPECT_EQ(plain_category(R"( {"cat":"b"})"), std::nullopt);
  EXPECT_EQ(plain_category(R"({"args":{"cat":"c","x":["}",{"cat":1}]},"ts":1.5,"ph":"X"})"), "");
  EXPECT_EQ(plain_category(R"({"cat":"b" , "name" : "\\\"}", "cat" :["x","y"] })"), R"(["x","y"])");
  EXPECT_EQ(plain_category(R"({"cat":null,"ts":1})"), "null");
  EXPECT_EQ(plain_category("{}"), "");
}

TEST(PlainCategoryTest, LeavesToOthersWhatIsCutOrWrittenOtherwise) {
  for (const char* text :
       {"", "{", R"({"cat)", R"({"cat")", R"({"cat":)", R"({"cat":"b)", R"({"cat":"b")",
        R"({"cat":"b",)", R"({"a":{"b":1)", R"({"c\u0061t":"b"})", R"({"cat" "b"})",
        R"({"cat":,"a":1})", R"({cat:"b"})", R"({"x":12.5"cat":"b"})", R"({"cat":"b",})",
        R"({,"cat":"b"})"}) {
    EXPECT_EQ(plain_category(text), std::nullopt) << text;
  }
}

// What it says of random texts is what the reader of members says.
TEST(PlainCategoryTest, AgreesWithTheReaderOfMembers) {
  constexpr std::string_view kParts[] = {"{",         "}",
                                         "[",         "]",
                                         "\"cat\"",   "\"args\"",
                                         ":",         ",",
                                         " ",         "\"x\"",
                                         "12.5",      "null",
                                         "\"\\\"\"",  "\"",
                                         "\\",        "\"long text of many letters\"",
                                         "{\"cat\":", "\"cat\":\"b\","};
  std::mt19937 random(5);
  int found = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string text = "{";
    for (auto left = random() % 14; left > 0; --left)
      text += kParts[random() % std::size(kParts)];
    const auto plain = plain_category(text);
    if (!plain) continue;
    ++found;
    ASSERT_EQ(category_text(*plain), category_of_event(text)) << text;
  }
  EXPECT_GT(found, 10'000);
}

}  // namespace
}  // namespace cinderscope::google_json
