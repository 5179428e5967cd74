#include "ingest/base/json/json_writer.h"

#include <gtest/gtest.h>

#include "ingest/base/json/json_value.h"

namespace cinderscope {
namespace {

TEST(JsonWriterTest, PutsCommasWhereTheyBelong) {
  JsonWriter out;
  out.begin_object().field("a", 1).key("b").begin_array().text("x").null().end_array();
  out.field("c", true).field("d", 0.5).end_object();
  EXPECT_EQ(out.str(), R"({"a":1,"b":["x",null],"c":true,"d":0.5})");
}

TEST(JsonWriterTest, QuotesWhatAStringMayNotHold) {
  EXPECT_EQ(json_quoted("a\"\\\n\x01 \xff"), R"("a\"\\\n\u0001 )"
                                             "\xEF\xBF\xBD\"");
  EXPECT_EQ(read_json(json_quoted("a\"\\\n\x01"))->text, "a\"\\\n\x01");
}

}  // namespace
}  // namespace cinderscope
