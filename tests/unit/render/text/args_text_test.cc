#include "render/text/args_text.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

TEST(ArgsTextTest, WritesWhatLiesBelowANodeAsJson) {
  const ArgsTree tree = parse_args(R"({"a":[1,"x\ty",[],{}],"b":{"c":null}})");
  EXPECT_EQ(args_copy_text(tree, 0), R"({"a": [1, "x\ty", [], {}], "b": {"c": null}})");
  EXPECT_EQ(args_copy_text(tree, 1), R"([1, "x\ty", [], {}])");
  EXPECT_EQ(args_copy_text(tree, 3), "x\ty");
}

TEST(ArgsTextTest, ShowsScalarsAndCountsItems) {
  const ArgsTree tree = parse_args(R"(["x",[1,2],[3],{},true])");
  EXPECT_EQ(args_value_text(tree.nodes[1]), "\"x\"");
  EXPECT_EQ(args_value_text(tree.nodes[2]), "2 items");
  EXPECT_EQ(args_value_text(tree.nodes[5]), "1 item");
  EXPECT_EQ(args_value_text(tree.nodes[7]), "{}");
  EXPECT_EQ(args_value_text(tree.nodes[8]), "true");
}

TEST(ArgsTextTest, ATooltipHasAllOfATextAndNoQuoteOfItsOwn) {
  const std::string word(300, 'w');
  const ArgsTree tree = parse_args("[\"" + word + "\",[1,2]]");
  EXPECT_EQ(args_hint_text(tree.nodes[1]), word);
  EXPECT_EQ(args_hint_text(tree.nodes[2]), "2 items");
}

TEST(ArgsTextTest, UnfoldsSmallObjectsOnTheOutermostLevelOnly) {
  const ArgsTree tree = parse_args(R"({"data":{"x":{"y":1}},"list":[1,2]})");
  ArgsFolds folds;
  folds.reset(tree);
  EXPECT_EQ(folds.visible(), (std::vector<std::uint32_t>{1, 2, 4}));
  EXPECT_EQ(folds.indent(tree.nodes[1]), 0u);
  EXPECT_EQ(folds.indent(tree.nodes[2]), 1u);
  folds.toggle(tree, 2);
  folds.toggle(tree, 4);
  EXPECT_EQ(folds.visible(), (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}));
  folds.toggle(tree, 1);
  EXPECT_EQ(folds.visible(), (std::vector<std::uint32_t>{1, 4, 5, 6}));
}

TEST(ArgsTextTest, ShowsALoneScalar) {
  const ArgsTree tree = parse_args("42");
  ArgsFolds folds;
  folds.reset(tree);
  EXPECT_EQ(folds.visible(), std::vector<std::uint32_t>{0});
  EXPECT_EQ(folds.indent(tree.nodes[0]), 0u);
}

}  // namespace
}  // namespace cinderscope
