#include "ingest/totals/call_tree_edits.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "ingest/build/timeline_builder.h"
#include "tests/support/go_on.h"

namespace cinderscope {
namespace {

using test::kGoOn;

// main 0-100 { a 0-40 { a 10-30 { leaf 15-20 } } b 50-90 { leaf 60-80 } }
class CallTreeEditsTest : public testing::Test {
 protected:
  CallTreeEditsTest() {
    TrackWriter& writer = builder_.slices(builder_.thread(builder_.process("1"), "1"));
    RecordOffset record = 0;
    const auto call = [&](const char* name, std::int64_t begin_ns, std::int64_t end_ns) {
      writer.complete(begin_ns, end_ns - begin_ns, builder_.intern(name), record++);
    };
    call("main", 0, 100);
    call("a", 0, 40);
    call("a", 10, 30);
    call("leaf", 15, 20);
    call("b", 50, 90);
    call("leaf", 60, 80);
    timeline_ = builder_.finish();
    tree_ = aggregate_calls(*slice_set_of(timeline_), {}, kGoOn);
  }

  // "main/a" -> {count, total, self}
  struct Sums {
    std::uint64_t count = 0;
    std::int64_t total_ns = 0, self_ns = 0;
    bool operator==(const Sums&) const = default;
  };
  std::map<std::string, Sums> edited_by(const CallTreeEdits& edits) const {
    const AggregatedCallTree tree = edited(tree_, edits, kGoOn);
    EXPECT_TRUE(tree.whole);
    std::map<std::string, Sums> sums;
    std::vector<std::string> chains(tree.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const CallTreeNode& node = tree.nodes[i];
      if (i > 0) {
        chains[i] = (node.caller == 0 ? "" : chains[node.caller] + "/") +
                    std::string(timeline_.text(node.name));
      }
      sums[i == 0 ? "all" : chains[i]] = {node.count, node.total_ns, node.self_ns};
    }
    return sums;
  }
  StringId name(std::string_view text) const { return *timeline_.strings->find(text); }

  TimelineBuilder builder_;
  Timeline timeline_;
  AggregatedCallTree tree_;
};

TEST_F(CallTreeEditsTest, NoneLeaveTheTreeAsItIs) {
  const auto sums = edited_by({});
  ASSERT_EQ(sums.size(), tree_.nodes.size());
  EXPECT_EQ(sums.at("main"), (Sums{1, 100, 20}));
  EXPECT_EQ(sums.at("main/a/a/leaf"), (Sums{1, 5, 5}));
  EXPECT_EQ(sums.at("all"), (Sums{6, 100, 0}));
}

TEST_F(CallTreeEditsTest, DroppedCallsTakeTheirTimeWithThem) {
  const auto sums = edited_by({.dropped = {name("b")}});
  EXPECT_EQ(sums.at("main"), (Sums{1, 60, 20}));
  EXPECT_EQ(sums.at("all"), (Sums{4, 60, 0}));
  EXPECT_FALSE(sums.contains("main/b"));
  EXPECT_FALSE(sums.contains("main/b/leaf"));
  const auto leaves = edited_by({.dropped = {name("leaf")}});
  EXPECT_EQ(leaves.at("main/a"), (Sums{1, 35, 20}));
  EXPECT_EQ(leaves.at("main/b"), (Sums{1, 20, 20}));
  EXPECT_EQ(leaves.at("main"), (Sums{1, 75, 20}));
}

TEST_F(CallTreeEditsTest, FocusedCallsBecomeOutermost) {
  const auto sums = edited_by({.focused = {name("leaf")}});
  EXPECT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums.at("leaf"), (Sums{2, 25, 25}));
  const auto both = edited_by({.focused = {name("a"), name("leaf")}});
  EXPECT_EQ(both.at("a"), (Sums{1, 40, 20}));
  EXPECT_EQ(both.at("a/a/leaf"), (Sums{1, 5, 5}));
  EXPECT_EQ(both.at("leaf"), (Sums{1, 20, 20}));
  EXPECT_EQ(both.at("all").total_ns, 60);
}

TEST_F(CallTreeEditsTest, FoldedRecursionIsOneNode) {
  const auto sums = edited_by({.folds_recursion = true});
  EXPECT_EQ(sums.at("main/a"), (Sums{1, 40, 35}));
  EXPECT_EQ(sums.at("main/a/leaf"), (Sums{1, 5, 5}));
  EXPECT_FALSE(sums.contains("main/a/a"));
  EXPECT_EQ(sums.at("main"), (Sums{1, 100, 20}));
}

TEST_F(CallTreeEditsTest, EndsSoonOnceCancelled) {
  const std::atomic<bool> stop = true;
  AggregatedCallTree large;
  large.nodes.resize(5000);
  EXPECT_FALSE(edited(large, {}, stop).whole);
}

}  // namespace
}  // namespace cinderscope
