#include "app/store/json_members.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(JsonMembersTest, KeepsValuesAsTheyAreWritten) {
  const auto members =
      json_members(" {\"a\": 1.50,\n\"b\\u0063\" :[1, {\"x\":2}], \"d\":\"\\n\"} ");
  ASSERT_TRUE(members);
  ASSERT_EQ(members->size(), 3u);
  EXPECT_EQ((*members)[0].json, "1.50");
  EXPECT_EQ((*members)[1].key, "bc");
  EXPECT_EQ((*members)[1].json, "[1, {\"x\":2}]");
  EXPECT_EQ((*members)[2].json, "\"\\n\"");
  const auto again = json_members(json_object(*members));
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)[1].json, "[1, {\"x\":2}]");
}

TEST(JsonMembersTest, TakesTheLastOfTwoOfOneName) {
  const auto members = json_members("{\"a\":1,\"a\":2}");
  ASSERT_TRUE(members);
  ASSERT_EQ(members->size(), 1u);
  EXPECT_EQ(members->front().json, "2");
}

TEST(JsonMembersTest, RefusesWhatIsNoWholeObject) {
  for (const char* text : {"", "[]", "1", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}",
                           "{\"a\":1 \"b\":2}", "{a:1}", "{\"a\":}", "{\"a\":bogus}", "{\"a\":[1}",
                           "{\"a\":\"x}", "{} {}", "{\"a\":1}x", "\xff\xfe", "{\"a\":{\"b\":1}"}) {
    EXPECT_FALSE(json_members(text)) << text;
  }
  EXPECT_FALSE(json_members(std::string(1 << 20, '{')));
  std::string many = "{";
  for (int i = 0; i < 2000; ++i) many += "\"" + std::to_string(i) + "\":1,";
  EXPECT_FALSE(json_members(many + "\"end\":1}"));
}

TEST(JsonMembersTest, ReadsAnEmptyObject) {
  ASSERT_TRUE(json_members("{}"));
  EXPECT_TRUE(json_members("{}")->empty());
  EXPECT_EQ(json_object({}), "{}\n");
}

}  // namespace
}  // namespace cinderscope
