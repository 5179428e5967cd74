// ids.properties: which lines count, and what is said of the others.
#include "formats/flow/id_mapping.h"

#include <gtest/gtest.h>

namespace cinderscope::flow {
namespace {

std::string key_of(const IdMapping& mapping, std::uint64_t id) {
  const auto found = mapping.by_id.find(id);
  return found == mapping.by_id.end() ? "none" : std::string(mapping.methods[found->second].key);
}

std::uint64_t count_of(const IdMapping& mapping, const std::string& code) {
  const auto found = mapping.diagnostics.by_code().find(code);
  return found == mapping.diagnostics.by_code().end() ? 0 : found->second.count;
}

TEST(FlowMappingTest, SplitsAtTheLastEqualsSign) {
  const IdMapping mapping = parse_mapping("a.B#x=y(I)V=0\n  spaced # run: ()V=7\nlast#m()V=9");
  EXPECT_EQ(key_of(mapping, 0), "a.B#x=y(I)V");
  EXPECT_EQ(key_of(mapping, 7), "  spaced # run: ()V");
  EXPECT_EQ(key_of(mapping, 9), "last#m()V");
  EXPECT_TRUE(mapping.diagnostics.by_code().empty());
}

TEST(FlowMappingTest, TakesIdsOfAllSizesAndNegativeOnes) {
  const IdMapping mapping =
      parse_mapping("a#b()=18446744073709551615\nc#d()=-2\ne#f()=9007199254740993\n");
  EXPECT_EQ(key_of(mapping, UINT64_MAX), "a#b()");
  EXPECT_EQ(key_of(mapping, UINT64_MAX - 1), "c#d()");
  EXPECT_EQ(key_of(mapping, 9007199254740993), "e#f()");
}

TEST(FlowMappingTest, AcceptsCarriageReturnsBlankLinesAndComments) {
  const IdMapping mapping = parse_mapping("\r\n# made by hand\r\na#b()V=1\r\n\n#c#d()V=2\n");
  EXPECT_EQ(key_of(mapping, 1), "a#b()V");
  EXPECT_EQ(key_of(mapping, 2), "#c#d()V");
  EXPECT_TRUE(mapping.diagnostics.by_code().empty());
}

TEST(FlowMappingTest, CountsLinesWithoutAnIdByTheirOffset) {
  const IdMapping mapping = parse_mapping("a#b()V=1\nc#d()V\ne#f()V=1x\ng#h()V=\ncut#sho");
  EXPECT_EQ(count_of(mapping, "bad_mapping"), 4u);
  EXPECT_EQ(mapping.diagnostics.by_code().at("bad_mapping").first_offset, 9);
}

TEST(FlowMappingTest, KeepsTheFirstOfTwoMethodsWithOneId) {
  const IdMapping mapping = parse_mapping("first#m()V=5\nsecond#m()V=5\n");
  EXPECT_EQ(key_of(mapping, 5), "first#m()V");
  EXPECT_EQ(count_of(mapping, "duplicate_id"), 1u);
}

TEST(FlowMappingTest, GivesEachIdANameOfItsOwn) {
  const IdMapping mapping = parse_mapping("same#k()V=6\nsame#k()V=7\nmethod #11=8\n");
  EXPECT_EQ(key_of(mapping, 6), "same#k()V");
  EXPECT_EQ(key_of(mapping, 7), "same#k()V (id 7)");
  EXPECT_EQ(key_of(mapping, 8), "method #11 (id 8)");
  EXPECT_EQ(count_of(mapping, "duplicate_name"), 1u);
}

TEST(FlowMappingTest, IsToldByItsFirstLine) {
  EXPECT_TRUE(looks_like_mapping("\n# comment\na.B#c()V=1\nwhatever"));
  EXPECT_TRUE(looks_like_mapping("a.very.long#name"));  // goes on behind the head
  EXPECT_FALSE(looks_like_mapping("server.port=8080\n"));
  EXPECT_FALSE(looks_like_mapping("a.B#c()V=one\n"));
  EXPECT_FALSE(looks_like_mapping(""));
}

}  // namespace
}  // namespace cinderscope::flow
