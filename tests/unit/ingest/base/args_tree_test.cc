#include "ingest/base/args_tree.h"

#include <gtest/gtest.h>

#include <string>

namespace cinderscope {
namespace {

std::string text_of(const ArgsTree& tree) {
  std::string text;
  for (const ArgsNode& node : tree.nodes) {
    text += std::string(node.depth * 2, ' ') + node.key + "=" + node.value + "\n";
  }
  return text;
}

TEST(ArgsTreeTest, KeepsOrderAndNesting) {
  EXPECT_EQ(text_of(parse_args(R"({"a":1,"b":{"c":[true,null,"x"]},"d":"e"})")),
            "=\n  a=1\n  b=\n    c=\n      [0]=true\n      [1]=null\n      [2]=x\n  d=e\n");
}

TEST(ArgsTreeTest, DecodesEscapes) {
  const ArgsTree tree = parse_args(R"({"\u0061":"\ud83d\ude00 \ud800 \n \" \u0000"})");
  ASSERT_EQ(tree.nodes.size(), 2u);
  EXPECT_EQ(tree.nodes[1].key, "a");
  EXPECT_EQ(tree.nodes[1].value, std::string("\xF0\x9F\x98\x80 \xEF\xBF\xBD \n \" \0", 14));
}

TEST(ArgsTreeTest, ShowsAnyOtherTextAsItIs) {
  EXPECT_EQ(text_of(parse_args("hello, world")), "=hello, world\n");
  EXPECT_EQ(text_of(parse_args("\"a string\"")), "=a string\n");
  EXPECT_TRUE(parse_args("").nodes.empty());
}

TEST(ArgsTreeTest, SurvivesAMillionBrackets) {
  const ArgsTree tree = parse_args(std::string(1'000'000, '['));
  EXPECT_TRUE(tree.cut);
  EXPECT_LE(tree.nodes.size(), 70u);
}

TEST(ArgsTreeTest, StopsAtTheLimitOfNodes) {
  std::string json = "[";
  for (int i = 0; i < 1000; ++i) json += "1,";
  const ArgsTree tree = parse_args(json + "1]", {.max_nodes = 10});
  EXPECT_EQ(tree.nodes.size(), 10u);
  EXPECT_TRUE(tree.cut);
}

TEST(ArgsTreeTest, KeepsWhatStandsBeforeACut) {
  const ArgsTree tree = parse_args(R"({"a":1,"b":"unfini)");
  EXPECT_EQ(text_of(tree), "=\n  a=1\n  b=unfini\n");
  EXPECT_TRUE(tree.cut);
}

}  // namespace
}  // namespace cinderscope
