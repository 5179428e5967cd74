#include "ingest/compare/compared_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

#include "tests/support/compared_runs.h"
#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

using test::kGoOn;

// Nested calls; `slow` calls of one name take longer, `drop` and `add` change what is called.
Timeline random_trace(unsigned seed, const std::string& drop, const std::string& add) {
  std::mt19937 random(seed);
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  std::vector<StringId> open;
  std::int64_t now = 0;
  RecordOffset record = 0;
  for (int i = 0; i < 400; ++i, now += 1 + random() % 9) {
    if (open.empty() || (random() % 2 == 0 && open.size() < 6)) {
      std::string name = "n" + std::to_string(random() % 5) + "<" + add + ">";
      if (name.substr(0, 2) == drop) name = add + "new";
      open.push_back(builder.intern(name));
      writer.begin(now, open.back(), record++);
    } else {
      writer.end(now, open.back(), record++);
      open.pop_back();
    }
  }
  return builder.finish();
}

struct Sides {
  Timeline a = random_trace(1, "", "int"), b = random_trace(2, "n3", "long");
  ComparedSides sides = sides_of({measured(a)}, {measured(b)});
  AggregatedCallTree tree_a = of(a, side_a), tree_b = of(b, side_b);

  AggregatedCallTree of(const Timeline& timeline, Side side) const {
    return with_compared_names(aggregate_calls(*slice_set_of(timeline), {}, kGoOn),
                               compared_of_strings(sides.runs[side][0]), kGoOn);
  }
  ComparedTree merged() const { return merged_trees(tree_a, tree_b, {1, 1}, sides.names, kGoOn); }
};

TEST(ComparedTree, ChildrenNeverExceedTheirParents) {
  const Sides of;
  const ComparedTree tree = of.merged();
  ASSERT_GT(tree.nodes.size(), 20u);
  for (const CallWeight by : {CallWeight::time, CallWeight::calls}) {
    for (const TreeWidth width : {TreeWidth::mean, TreeWidth::a, TreeWidth::b}) {
      for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
        double sum = 0, last = INFINITY;
        for (const std::uint32_t callee : tree.callees_of(node, by)) {
          EXPECT_EQ(tree.nodes[callee].caller, node);
          sum += tree.width(callee, width, by);
          if (width == TreeWidth::mean) {
            EXPECT_LE(tree.width(callee, width, by), last);
          }
          if (width == TreeWidth::mean) last = tree.width(callee, width, by);
        }
        EXPECT_LE(sum, tree.width(node, width, by) + 1e-6);
      }
    }
  }
}

TEST(ComparedTree, SelfChangesAddUpToTheWholeDifference) {
  const Sides of;
  const ComparedTree tree = of.merged();
  for (const CallWeight by : {CallWeight::time, CallWeight::calls}) {
    double sum = 0;
    for (std::uint32_t node = 1; node < tree.nodes.size(); ++node) {
      sum += tree.self(node, side_b, by) - tree.self(node, side_a, by);
    }
    EXPECT_NEAR(sum, tree.weight(0, side_b, by) - tree.weight(0, side_a, by), 1e-6);
  }
}

TEST(ComparedTree, NewAndGoneNodesAreThere) {
  const Sides of;
  const ComparedTree tree = of.merged();
  bool any_added = false, any_gone = false;
  for (std::uint32_t node = 1; node < tree.nodes.size(); ++node) {
    const ComparedName& name = of.sides.names.names[tree.nodes[node].name];
    if (name.text == "longnew") {
      EXPECT_TRUE(tree.added(node));
      EXPECT_EQ(tree.step(node, CallWeight::time, false, 0), 3);
      any_added = true;
    }
    if (name.text == "n3<int>") {
      EXPECT_TRUE(tree.gone(node));
      any_gone = true;
    }
    EXPECT_EQ(tree.step(node, CallWeight::time, false, 1e12), 0);
  }
  EXPECT_TRUE(any_added && any_gone);
}

TEST(ComparedTree, DoesNotDependOnWhichSideIsA) {
  const Sides of;
  const ComparedTree one = of.merged();
  const ComparedSides swapped = sides_of({measured(of.b)}, {measured(of.a)});
  const auto tree_of = [&](const Timeline& timeline, Side side) {
    return with_compared_names(aggregate_calls(*slice_set_of(timeline), {}, kGoOn),
                               compared_of_strings(swapped.runs[side][0]), kGoOn);
  };
  const ComparedTree other =
      merged_trees(tree_of(of.b, side_a), tree_of(of.a, side_b), {1, 1}, swapped.names, kGoOn);
  ASSERT_EQ(one.nodes.size(), other.nodes.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open = {{0, 0}};
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    EXPECT_EQ(one.nodes[x].of[side_a].total_ns, other.nodes[y].of[side_b].total_ns);
    const auto in_one = one.callees_of(x, CallWeight::time);
    const auto in_other = other.callees_of(y, CallWeight::time);
    ASSERT_EQ(in_one.size(), in_other.size());
    for (std::size_t i = 0; i < in_one.size(); ++i) {
      EXPECT_EQ(of.sides.names.names[one.nodes[in_one[i]].name].text,
                swapped.names.names[other.nodes[in_other[i]].name].text);
      open.push_back({in_one[i], in_other[i]});
    }
  }
}

TEST(ComparedTree, LeavesOutTheInnermostOfBothSidesAlike) {
  const Sides of;
  const ComparedTree all = of.merged();
  for (const std::size_t most : {3u, 10u, 40u}) {
    const ComparedTree tree =
        merged_trees(of.tree_a, of.tree_b, {1, 1}, of.sides.names, kGoOn, most);
    const ComparedTree swapped =
        merged_trees(of.tree_b, of.tree_a, {1, 1}, of.sides.names, kGoOn, most);
    ASSERT_EQ(tree.nodes.size(), most + 1);
    ASSERT_EQ(swapped.nodes.size(), most + 1);
    EXPECT_EQ(tree.left_out, swapped.left_out);
    std::uint64_t calls = tree.left_out;
    for (std::uint32_t node = 1; node <= most; ++node) {
      EXPECT_EQ(tree.nodes[node].name, all.nodes[node].name);
      EXPECT_EQ(tree.nodes[node].of[side_a].total_ns, swapped.nodes[node].of[side_b].total_ns);
      EXPECT_EQ(tree.nodes[node].of[side_b].total_ns, swapped.nodes[node].of[side_a].total_ns);
      calls += tree.nodes[node].of[side_a].count + tree.nodes[node].of[side_b].count;
    }
    EXPECT_EQ(calls, of.tree_a.nodes[0].subtree_calls + of.tree_b.nodes[0].subtree_calls);
  }
}

TEST(ComparedTree, NamesThatStayApartKeepTheNodesOfTheRun) {
  const Sides of;
  const AggregatedCallTree tree = aggregate_calls(*slice_set_of(of.b), {}, kGoOn);
  const auto names = compared_of_strings(of.sides.runs[side_b][0]);
  const AggregatedCallTree kept = with_compared_names(tree, names, kGoOn);
  ASSERT_EQ(kept.nodes.size(), tree.nodes.size());
  // Names that all became one: of each depth there is one node.
  std::vector<std::uint32_t> joined(names.size(), 0);
  std::uint64_t calls = 0;
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    EXPECT_EQ(index(kept.nodes[i].name), names[index(tree.nodes[i].name)]);
    EXPECT_EQ(kept.nodes[i].caller, tree.nodes[i].caller);
    EXPECT_EQ(kept.nodes[i].self_ns, tree.nodes[i].self_ns);
    calls += tree.nodes[i].count;
  }
  const AggregatedCallTree one = with_compared_names(tree, joined, kGoOn);
  std::uint64_t calls_of_one = 0;
  std::uint32_t depth = 0;
  for (std::uint32_t i = 1; i < one.nodes.size(); ++i) {
    calls_of_one += one.nodes[i].count;
    depth = std::max(depth, one.nodes[i].depth);
  }
  EXPECT_EQ(one.nodes.size(), depth + 1);  // a chain
  EXPECT_EQ(calls_of_one, calls);
}

TEST(ComparedTree, CallersAndFunctionsOfTreesThatWereMadeThatWay) {
  const Sides of;
  const ComparedTree callers = merged_trees(reversed(of.tree_a, kGoOn), reversed(of.tree_b, kGoOn),
                                            {1, 1}, of.sides.names, kGoOn);
  EXPECT_TRUE(callers.bottom_up);
  for (const std::uint32_t node : callers.callees_of(0, CallWeight::time)) {
    const std::uint32_t name = callers.nodes[node].name;
    EXPECT_EQ(callers.weight(node, side_a, CallWeight::time),
              static_cast<double>(side_numbers(of.sides, side_a, name).self_ns));
    EXPECT_EQ(callers.weight(node, side_b, CallWeight::time),
              static_cast<double>(side_numbers(of.sides, side_b, name).self_ns));
  }
  const std::uint32_t n1 = *find_name(of.sides, "n1<>");
  const ComparedTree function = merged_trees(
      function_totals(of.tree_a, StringId{n1}, kGoOn).callees,
      function_totals(of.tree_b, StringId{n1}, kGoOn).callees, {1, 1}, of.sides.names, kGoOn);
  EXPECT_EQ(function.weight(0, side_a, CallWeight::time),
            static_cast<double>(side_numbers(of.sides, side_a, n1).total_ns));
}

TEST(ComparedTree, RunsAreMeans) {
  const Sides of;
  AggregatedCallTree twice = of.tree_a;
  add_run(twice, of.tree_a, kGoOn);
  const ComparedTree tree = merged_trees(twice, of.tree_b, {2, 1}, of.sides.names, kGoOn);
  const ComparedTree once = of.merged();
  for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
    EXPECT_EQ(tree.weight(node, side_a, CallWeight::time),
              once.weight(node, side_a, CallWeight::time));
  }
}

TEST(ComparedTree, LinesForOtherTools) {
  const Timeline a = timeline_of({{"a;b\n c", {10}}}), b = timeline_of({{"a;b\n c", {30}}});
  const ComparedSides sides = sides_of({measured(a)}, {measured(b)});
  const auto tree_of = [&](const Timeline& timeline, Side side) {
    return with_compared_names(aggregate_calls(*slice_set_of(timeline), {}, kGoOn),
                               compared_of_strings(sides.runs[side][0]), kGoOn);
  };
  const ComparedTree tree =
      merged_trees(tree_of(a, side_a), tree_of(b, side_b), {1, 1}, sides.names, kGoOn);
  std::string text;
  const auto write = [&text](std::string_view line) {
    text += line;
    return true;
  };
  EXPECT_EQ(write_collapsed(tree, sides.labels, CallWeight::time, write), 0u);
  EXPECT_EQ(text, "a,b  c 10 30\n");
}

TEST(ComparedTree, LinesHaveAllSelfTimeHoweverDeep) {
  TimelineBuilder builder;
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  constexpr int kDeep = 3000;
  const StringId f = builder.intern("f");
  for (int i = 0; i < kDeep; ++i) writer.begin(i, f, static_cast<RecordOffset>(i));
  for (int i = 0; i < kDeep; ++i) writer.end(kDeep + i, f, static_cast<RecordOffset>(kDeep + i));
  const Timeline timeline = builder.finish();
  const ComparedSides sides = sides_of({measured(timeline)}, {measured(timeline)});
  const AggregatedCallTree made =
      with_compared_names(aggregate_calls(*slice_set_of(timeline), {}, kGoOn),
                          compared_of_strings(sides.runs[side_a][0]), kGoOn);
  const ComparedTree tree = merged_trees(made, made, {1, 1}, sides.names, kGoOn);
  std::int64_t sum = 0;
  std::size_t lines = 0;
  const auto add = [&](std::string_view line) {
    sum += std::stoll(std::string(line.substr(line.rfind(' '))));
    ++lines;
    return true;
  };
  EXPECT_EQ(write_collapsed(tree, sides.labels, CallWeight::time, add, 100), kDeep - 100u);
  EXPECT_EQ(lines, 100u);
  EXPECT_EQ(sum, 2 * kDeep - 1);
}

TEST(ComparedTree, EndsOnceCancelled) {
  const Sides of;
  const std::atomic<bool> cancelled{true};
  EXPECT_FALSE(merged_trees(of.tree_a, of.tree_b, {1, 1}, of.sides.names, cancelled).whole);
}

}  // namespace
}  // namespace cinderscope
