#include "app/questions/scope_json.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

std::string json_of(const Scope& scope) {
  JsonWriter out;
  write_scope(out, scope);
  return out.str();
}

TEST(ScopeJsonTest, HasOneForm) {
  EXPECT_EQ(json_of({}), R"({"range":null,"threads":[],"slices":"calls","set":null})");
  EXPECT_EQ(json_of({5, 9, {TrackId{1}, TrackId{4}}}),
            R"({"range":[5,9],"threads":[1,4],"slices":"calls","set":null})");
}

TEST(ScopeJsonTest, ReadsWhatItWrites) {
  for (const Scope& scope : {Scope{}, Scope{-5, 9}, Scope{INT64_MIN, 9, {TrackId{4}}}}) {
    const Result<Scope> read = scope_from_json(json_of(scope));
    ASSERT_TRUE(read) << json_of(scope);
    EXPECT_EQ(*read, scope);
  }
}

TEST(ScopeJsonTest, MembersMayBeMissingOrUnknown) {
  const Result<Scope> read = scope_from_json(R"({ "threads" : [ 7 , 2 ], "more": {"a": 1} })");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, (Scope{.tracks = {TrackId{2}, TrackId{7}}}));
}

TEST(ScopeJsonTest, RefusesWhatIsNoScope) {
  for (const char* json : {"", "[]", R"({"range":5})", R"({"range":[1]})", R"({"range":[1,"x"]})",
                           R"({"threads":[1.5]})", R"({"slices":"all"})", R"({"set":"sql"})"}) {
    EXPECT_FALSE(scope_from_json(json)) << json;
  }
}

}  // namespace
}  // namespace cinderscope
