#include "ingest/build/profile/call_nodes.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

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
      ASSERT_EQ(nodes.depth(call), depth + 1);
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

}  // namespace
}  // namespace cinderscope
