#include "ingest/build/profile/stack_chains.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>
#include <vector>

#include "ingest/build/profile/call_nodes.h"
#include "ingest/build/profile/weight_layout.h"

namespace cinderscope {
namespace {

using Stack = std::vector<std::uint32_t>;

// The innermost chain of each.
std::vector<std::uint32_t> added(StackChains& chains, const std::vector<Stack>& stacks) {
  std::vector<std::uint32_t> functions, innermost(stacks.size());
  std::vector<std::size_t> ends;
  for (const Stack& stack : stacks) {
    functions.insert(functions.end(), stack.begin(), stack.end());
    ends.push_back(functions.size());
  }
  chains.add(functions, ends, innermost.data());
  return innermost;
}

std::vector<StringId> names_of(StringPool& pool, std::uint32_t functions) {
  std::vector<StringId> names;
  for (std::uint32_t i = 0; i < functions; ++i) names.push_back(pool.intern(std::to_string(i)));
  return names;
}

// Few callees near the outermost call, many far from it; some stacks end inside others.
std::vector<Stack> random_stacks(std::uint32_t seed, std::uint32_t count) {
  std::mt19937 random(seed);
  std::vector<Stack> stacks(count);
  for (Stack& stack : stacks) {
    const auto below = [&](std::uint32_t end) {
      return static_cast<std::uint32_t>(random()) % end;
    };
    const std::uint32_t depth = 1 + below(12);
    for (std::uint32_t i = 0; i < depth; ++i) stack.push_back(below(1 + i * i / 4));
  }
  return stacks;
}

TEST(StackChainsTest, AreAChainUpToWhereStacksPart) {
  StackChains chains;
  const std::vector<std::uint32_t> innermost =
      added(chains, {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 4, 5}, {0, 1, 2}, {6}});
  EXPECT_EQ(innermost[0], innermost[1]);
  EXPECT_EQ(chains.last_function(innermost[2]), 5u);
  StringPool pool;
  LargePageVector<std::uint32_t> numbers;
  const CallChains made = std::move(chains).finish(names_of(pool, 7), numbers);
  EXPECT_EQ(Stack(made.first.begin(), made.first.end()), (Stack{0, 2, 3, 4, 6, 7}));
  EXPECT_EQ(Stack(made.caller.begin(), made.caller.end()), (Stack{kNoCall, 0, 1, 0, kNoCall}));
  EXPECT_EQ(numbers[1], innermost[3]);
  EXPECT_EQ(numbers[2], innermost[0]);
  EXPECT_EQ(numbers[3], innermost[2]);
  EXPECT_EQ(pool.text(made.name[5]), "5");
}

TEST(StackChainsTest, HaveTheCallsThatCallNodesHas) {
  constexpr std::uint32_t kFunctions = 40;
  for (const std::size_t at_once : {std::size_t{1}, std::size_t{7}, std::size_t{5000}}) {
    const std::vector<Stack> stacks = random_stacks(3, 5000);
    StackChains chains;
    CallNodes nodes;
    CallWeights of_chains, of_calls;
    for (std::size_t i = 0; i < stacks.size(); i += at_once) {
      const std::vector<Stack> some(
          stacks.begin() + static_cast<std::ptrdiff_t>(i),
          stacks.begin() + static_cast<std::ptrdiff_t>(std::min(i + at_once, stacks.size())));
      const std::vector<std::uint32_t> innermost = added(chains, some);
      if (i == 4 * at_once) chains.expect(3);
      for (std::size_t j = 0; j < some.size(); ++j) {
        const std::int64_t weight = static_cast<std::int64_t>((i + j) % 9) - 1;
        std::uint32_t call = kNoCall;
        for (const std::uint32_t function : some[j]) call = nodes.call(call, function);
        of_chains.add(innermost[j], weight);
        of_calls.add(call, weight);
        ASSERT_EQ(chains.last_function(innermost[j]), some[j].back());
      }
    }
    ASSERT_EQ(chains.call_count(), nodes.size());
    StringPool pool;
    const std::vector<StringId> names = names_of(pool, kFunctions);
    LargePageVector<std::uint32_t> numbers;
    const CallChains made = std::move(chains).finish(names, numbers);
    const CallTree tree = std::move(nodes).tree_without_depths(names);
    EXPECT_TRUE(made.name == tree.name);
    for (std::uint32_t i = 0; i < made.caller.size(); ++i) {
      const std::uint32_t caller = made.caller[i], first = made.first[i];
      ASSERT_EQ(caller == kNoCall ? kNoCall : made.first[caller + 1] - 1, tree.parent[first]);
      if (caller != kNoCall) {
        ASSERT_LT(caller, i);
      }
      for (std::uint32_t call = first + 1; call < made.first[i + 1]; ++call) {
        ASSERT_EQ(tree.parent[call], call - 1);
      }
    }
    of_chains.renumber(numbers);
    of_chains.sum_up(made.caller);
    of_calls.sum_up(tree.parent);
    const CallWeights spread = of_chains.of_calls(made);
    ASSERT_EQ(spread.calls(), of_calls.calls());
    for (std::uint32_t call = 0; call < of_calls.calls(); ++call) {
      ASSERT_EQ(spread.size(call), of_calls.size(call));
      ASSERT_EQ(spread.sum(call), of_calls.sum(call));
    }
    // And so are they laid out.
    TrackWriter by_chains(pool), by_calls(pool);
    Diagnostics diagnostics;
    EXPECT_EQ(lay_out_weights(made, of_chains, pool, by_chains, diagnostics),
              lay_out_weights(tree, of_calls, pool, by_calls, diagnostics));
    const NestedRows a = by_chains.nest(0, true), b = by_calls.nest(0, true);
    ASSERT_EQ(a.rows.size(), b.rows.size());
    for (std::size_t row = 0; row < a.rows.size(); ++row) {
      ASSERT_EQ(a.rows[row].count(), b.rows[row].count());
      for (std::uint64_t i = 0; i < a.rows[row].count(); ++i) {
        const Slice x = a.rows[row].slice(i), y = b.rows[row].slice(i);
        ASSERT_EQ(x.begin_ns, y.begin_ns);
        ASSERT_EQ(x.duration_ns, y.duration_ns);
        ASSERT_EQ(x.name, y.name);
        ASSERT_EQ(x.record, y.record);
        ASSERT_EQ(a.rows[row].flags(i), b.rows[row].flags(i));
      }
    }
  }
}

TEST(StackChainsTest, TakeFunctionsOfAnyNumberAndNoStackAtAll) {
  StackChains chains;
  EXPECT_TRUE(added(chains, {}).empty());
  const std::vector<std::uint32_t> innermost =
      added(chains, {{UINT32_MAX, 0x80000000u}, {UINT32_MAX, 0}, {UINT32_MAX, 0x80000000u}});
  EXPECT_EQ(innermost[0], innermost[2]);
  EXPECT_NE(innermost[0], innermost[1]);
  EXPECT_EQ(chains.function(0), UINT32_MAX);
  EXPECT_EQ(chains.call_count(), 3u);
}

}  // namespace
}  // namespace cinderscope
