#include "ingest/build/profile/call_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace cinderscope {
namespace {

TEST(CallNodesTest, IsOneCallForEachCallerAndFunction) {
  CallNodes nodes;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
  std::mt19937 random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::uint32_t at = kNoCall;
    for (std::uint32_t depth = 0; depth < 6; ++depth) {
      // Few callees near the outermost call, many far from it.
      const auto function = static_cast<std::uint32_t>(random() % (1 + depth * depth));
      const std::uint32_t call = nodes.call(at, function);
      const auto [pair, is_new] = known.try_emplace({at, function}, call);
      ASSERT_EQ(pair->second, call);
      if (is_new) {
        ASSERT_EQ(call + 1, nodes.size());
      }
      ASSERT_EQ(nodes.caller(call), at);
      ASSERT_EQ(nodes.function(call), function);
      at = call;
    }
  }
  EXPECT_EQ(nodes.size(), known.size());
}

TEST(CallNodesTest, FindsTheOnlyCalleeAgainOnceThereAreOthers) {
  CallNodes nodes;
  const std::uint32_t main = nodes.call(kNoCall, 1), first = nodes.call(main, 2);
  const std::uint32_t second = nodes.call(main, 3);
  EXPECT_EQ(nodes.call(main, 2), first);
  EXPECT_EQ(nodes.call(main, 3), second);
  EXPECT_EQ(nodes.call(kNoCall, 1), main);
  EXPECT_EQ(nodes.size(), 3u);
}

TEST(CallNodesTest, TreesHaveNamesAndDepthsWhereTheyAreNeeded) {
  const std::array names = {StringId{7}, StringId{8}, StringId{9}};
  const auto made = [] {
    CallNodes nodes;
    const std::uint32_t main = nodes.call(kNoCall, 0);
    nodes.call(nodes.call(main, 2), 1);
    nodes.call(main, 1);
    return nodes;
  };
  const CallTree tree = made().tree(names);
  EXPECT_EQ(std::vector<StringId>(tree.name.begin(), tree.name.end()),
            (std::vector{StringId{7}, StringId{9}, StringId{8}, StringId{8}}));
  EXPECT_EQ(std::vector<std::uint32_t>(tree.depth.begin(), tree.depth.end()),
            (std::vector<std::uint32_t>{1, 2, 3, 2}));
  const CallTree plain = made().tree_without_depths(names);
  EXPECT_TRUE(std::ranges::equal(plain.parent, tree.parent));
  EXPECT_TRUE(std::ranges::equal(plain.name, tree.name));
  EXPECT_TRUE(plain.depth.empty());
  EXPECT_EQ(plain.record_of(3), 3u);
}

TEST(CallNodesTest, TakesFunctionsOfAnyNumber) {
  CallNodes nodes;
  const std::uint32_t main = nodes.call(kNoCall, UINT32_MAX);
  const std::uint32_t other = nodes.call(main, 0x80000000u);
  EXPECT_NE(nodes.call(main, 0), other);
  EXPECT_EQ(nodes.call(kNoCall, UINT32_MAX), main);
  EXPECT_EQ(nodes.call(main, 0x80000000u), other);
  EXPECT_EQ(nodes.function(main), UINT32_MAX);
}

}  // namespace
}  // namespace cinderscope
