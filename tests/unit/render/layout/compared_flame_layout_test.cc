#include "render/layout/compared_flame_layout.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

// main { a { b } c }: name 0 is main, 1 a, 2 b, 3 c; numbers are {A, B}.
ComparedTree tree() {
  ComparedTree tree;
  const auto add = [&](std::uint32_t name, std::uint32_t caller, std::uint32_t depth,
                       std::int64_t a_ns, std::int64_t b_ns) {
    ComparedNode node{.name = name, .caller = caller, .depth = depth, .of = {}};
    for (const auto& [side, ns] : {std::pair(side_a, a_ns), std::pair(side_b, b_ns)}) {
      node.of[side].total_ns = ns;
      node.of[side].count = node.of[side].subtree_calls = ns > 0 ? 1 : 0;
    }
    tree.nodes.push_back(node);
  };
  add(0, 0, 0, 100, 120);
  add(0, 0, 1, 100, 120);
  add(1, 1, 2, 60, 80);
  add(3, 1, 2, 40, 0);
  add(2, 2, 3, 20, 21);
  tree.nodes[0].first_callee = 0;
  tree.nodes[0].callee_count = 1;
  tree.nodes[1].first_callee = 1;
  tree.nodes[1].callee_count = 2;
  tree.nodes[2].first_callee = 3;
  tree.nodes[2].callee_count = 1;
  tree.callees = tree.callees_by_calls = {1, 2, 3, 4};
  return tree;
}

TEST(ComparedFlameLayoutTest, WidthsAreTheMeanOfBothSides) {
  ComparedFlameLayout out;
  lay_out_compared_flame(tree(), 0, 110, 1, TreeWidth::mean, CallWeight::time, out);
  ASSERT_EQ(out.lines.size(), 4u);
  EXPECT_FLOAT_EQ(out.lines[0][0].width_px, 110);
  EXPECT_FLOAT_EQ(out.lines[2][0].width_px, 70);
  EXPECT_FLOAT_EQ(out.lines[2][1].width_px, 20);  // what is gone has a width, too
  EXPECT_FLOAT_EQ(out.lines[2][1].x_px, 70);
  EXPECT_DOUBLE_EQ(out.px_per_weight, 1);
}

TEST(ComparedFlameLayoutTest, WidthsOfOneSideLeaveOutWhatItDoesNotHave) {
  ComparedFlameLayout out;
  lay_out_compared_flame(tree(), 0, 120, 1, TreeWidth::b, CallWeight::time, out);
  ASSERT_EQ(out.lines[2].size(), 1u);
  EXPECT_FLOAT_EQ(out.lines[2][0].width_px, 80);
}

TEST(ComparedFlameLayoutTest, ThinNeighboursAreOneRestBox) {
  ComparedTree wide = tree();
  ComparedFlameLayout out;
  lay_out_compared_flame(wide, 0, 110, 80, TreeWidth::mean, CallWeight::time, out);
  ASSERT_EQ(out.lines.size(), 3u);
  ASSERT_EQ(out.lines[2].size(), 1u);
  EXPECT_EQ(out.lines[2][0].folded, 2u);
  EXPECT_FLOAT_EQ(out.lines[2][0].width_px, 90);
}

TEST(ComparedFlameLayoutTest, AZoomedNodeAndItsCallersHaveTheWholeWidth) {
  const ComparedTree of = tree();
  EXPECT_EQ(node_of_path(of, {0, 1}), 2u);
  EXPECT_EQ(path_of_node(of, 4), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(node_of_path(of, {0, 9}), 0u);
  ComparedFlameLayout out;
  lay_out_compared_flame(of, 2, 140, 1, TreeWidth::mean, CallWeight::time, out);
  EXPECT_EQ(out.zoomed_line, 2u);
  for (std::size_t line = 0; line < 3; ++line) EXPECT_FLOAT_EQ(out.lines[line][0].width_px, 140);
  EXPECT_FLOAT_EQ(out.lines[3][0].width_px, 41);
}

TEST(ComparedFlameLayoutTest, NothingIsLaidOutOfNothing) {
  ComparedFlameLayout out;
  lay_out_compared_flame({}, 3, 100, 1, TreeWidth::mean, CallWeight::time, out);
  EXPECT_TRUE(out.lines.empty());
}

}  // namespace
}  // namespace cinderscope
