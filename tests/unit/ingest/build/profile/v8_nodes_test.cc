#include "ingest/build/profile/v8_nodes.h"

#include <gtest/gtest.h>

#include <string>

#include "ingest/model/hue.h"

namespace cinderscope {
namespace {

// The names of the stack of each sample, outermost first: "main>draw;".
std::string stacks_of(V8Profile& profile, const StringPool& names) {
  Diagnostics diagnostics;
  const V8Profile::Calls calls = profile.finish(diagnostics, 0);
  std::string out;
  for (const CallSample& sample : calls.samples) {
    std::string stack;
    for (std::uint32_t call = sample.call; call != kNoCall; call = calls.tree.parent[call]) {
      stack = std::string(names.text(calls.tree.name[call])) + (stack.empty() ? "" : ">") + stack;
    }
    out += stack + ";";
  }
  return out;
}

class V8NodesTest : public testing::Test {
 protected:
  // Nodes, then a sample of each id.
  std::string stacks(std::string_view nodes, std::initializer_list<std::string_view> ids) {
    add_v8_nodes(profile_, nodes);
    std::int64_t time_ns = 0;
    for (const std::string_view id : ids) profile_.add_sample(++time_ns, id);
    return stacks_of(profile_, names_);
  }

  StringPool names_;
  V8Profile profile_{names_};
};

constexpr std::string_view kFrames =
    R"json([{"id":1,"callFrame":{"functionName":"(root)"}},)json"
    R"({"id":2,"parent":1,"callFrame":{"functionName":"main","lineNumber":3}},)"
    R"({"id":3,"parent":2,"callFrame":{"functionName":"draw"}}])";

TEST_F(V8NodesTest, NodesNameTheirParents) {
  EXPECT_EQ(stacks(kFrames, {"3", "2"}), "main>draw;main;");
}

TEST_F(V8NodesTest, NodesNameTheirChildren) {
  EXPECT_EQ(stacks(R"json([{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},)json"
                   R"({"id":2,"callFrame":{"functionName":"main"},"children":[3]},)"
                   R"({"id":3,"callFrame":{"functionName":"draw"}}])",
                   {"3"}),
            "main>draw;");
}

TEST_F(V8NodesTest, FieldsMayStandInTheNodeItself) {
  EXPECT_EQ(stacks(R"([{"id":7,"functionName":"old"}])", {"7"}), "old;");
}

TEST_F(V8NodesTest, IdsAreComparedAsTheyAreMeant) {
  EXPECT_EQ(stacks(R"([{"id":"2","callFrame":{"functionName":"main"}},)"
                   R"({"id":3.0,"parent":2,"callFrame":{"functionName":"draw"}}])",
                   {"3"}),
            "main>draw;");
}

TEST_F(V8NodesTest, NodesOfEventsThatFollowGoOn) {
  add_v8_nodes(profile_, kFrames);
  EXPECT_EQ(stacks(R"([{"id":4,"parent":3,"callFrame":{"functionName":"blit"}}])", {"4"}),
            "main>draw>blit;");
}

TEST_F(V8NodesTest, WhatIsNoObjectIsSkipped) {
  EXPECT_EQ(stacks(R"([5,null,[1],"x",{"id":1,"callFrame":{"functionName":"f"}}])", {"1"}), "f;");
  EXPECT_EQ(profile_.node_count(), 1u);
}

TEST_F(V8NodesTest, TextThatIsNoListHasNoNodes) {
  EXPECT_EQ(stacks("7", {}), "");
  EXPECT_EQ(profile_.node_count(), 0u);
}

TEST_F(V8NodesTest, IdleTimeStandsInTheLegend) {
  add_v8_nodes(profile_, R"json([{"id":1,"callFrame":{"functionName":"(idle)"}},)json"
                         R"({"id":2,"callFrame":{"functionName":"main"}}])");
  const auto idle = names_.find("(idle)");
  ASSERT_TRUE(idle);
  ASSERT_EQ(profile_.legend().size(), 1u);
  EXPECT_EQ(profile_.legend()[0].text, "idle");
  EXPECT_EQ(colour_from_hash(profile_.legend()[0].colour), names_.colour(*idle));
  EXPECT_EQ(profile_.legend()[0].search, "=\"(idle)\"");
}

}  // namespace
}  // namespace cinderscope
