#include "ingest/base/json/json_value.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope {
namespace {

TEST(JsonValueTest, KeepsTheOrderOfMembersAndHowTheyAreWritten) {
  const auto value = read_json(" {\"b\": 1.50,\n\"a\\u0063\" :[1, {\"x\":2}], \"d\":\"\\n\"} ");
  ASSERT_TRUE(value);
  ASSERT_EQ(value->members.size(), 3u);
  EXPECT_EQ(value->members[0].key, "b");
  EXPECT_EQ(value->members[0].value.raw, "1.50");
  EXPECT_EQ(value->members[0].value.number<double>(), 1.5);
  EXPECT_EQ(value->members[1].key, "ac");
  EXPECT_EQ(value->members[1].value.raw, "[1, {\"x\":2}]");
  EXPECT_EQ(value->members[1].value.members[1].value.find("x")->number<int>(), 2);
  EXPECT_EQ(value->members[2].value.text, "\n");
  EXPECT_EQ(value->members[2].value.raw, "\"\\n\"");
}

TEST(JsonValueTest, AValueOutlivesTheTextItWasReadFrom) {
  JsonValue kept;
  {
    auto value = read_json(std::string("{\"a\":[123456789012345678]}"));
    ASSERT_TRUE(value);
    kept = *value->find("a");
  }
  EXPECT_EQ(kept.raw, "[123456789012345678]");
  EXPECT_EQ(kept.members[0].value.number<std::int64_t>(), 123456789012345678);
}

TEST(JsonValueTest, AsksForAKindAndGetsNothingOfAnother) {
  const auto value = read_json(R"({"n":1,"t":"1","b":false,"z":null,"n":-2})");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->find("n")->number<int>(), -2);  // the last of two
  EXPECT_EQ(value->find("n")->number<unsigned>(), std::nullopt);
  EXPECT_EQ(value->find("t")->number<int>(), std::nullopt);
  EXPECT_EQ(value->find("b")->boolean(), false);
  EXPECT_EQ(value->find("t")->boolean(), std::nullopt);
  EXPECT_EQ(value->find("z")->kind, JsonKind::null);
  EXPECT_EQ(value->find("nothing"), nullptr);
  EXPECT_EQ(value->find("t")->find("n"), nullptr);
}

TEST(JsonValueTest, SaysWhereTheTextIsNoJson) {
  const auto offset = [](std::string_view text) {
    const auto value = read_json(text);
    return value ? -2 : value.error().offset_bytes;
  };
  EXPECT_EQ(offset(""), 0);
  EXPECT_EQ(offset("{\"a\":1 \"b\":2}"), 7);
  EXPECT_EQ(offset("{\"a\":bogus}"), 5);
  EXPECT_EQ(offset("[1,]"), 3);
  EXPECT_EQ(offset("{\"a\":[1}"), 7);
  EXPECT_EQ(offset("{} x"), 3);
  EXPECT_EQ(offset("[1e999, -0, 18446744073709551616]"), -2);
  EXPECT_EQ(offset("[1E+2, 0.5, -10, 2e-3]"), -2);
  for (const char* number :
       {"nan", "-inf", "01", "1.", ".5", "+1", "-", "1e", "1e+", "0x1", "1.e5"}) {
    EXPECT_EQ(offset(number), 0) << number;
  }
  EXPECT_EQ(offset(std::string(32, '[') + std::string(32, ']')), -2);
  EXPECT_EQ(offset(std::string(1'000'000, '[')), 32);
}

}  // namespace
}  // namespace cinderscope
