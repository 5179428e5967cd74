#include "ingest/build/sample_stacks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "ingest/model/string_pool.h"

namespace cinderscope {
namespace {

class SampleStacksTest : public testing::Test {
 protected:
  std::uint32_t call(std::string_view name, std::uint32_t parent = kNoCall) {
    tree_.name.push_back(names_.intern(name));
    tree_.parent.push_back(parent);
    return static_cast<std::uint32_t>(tree_.name.size() - 1);
  }
  // "depth name begin+duration;" of each slice.
  std::string written(std::vector<CallSample> samples, std::int64_t end_ns) {
    TrackWriter writer(names_);
    write_samples(tree_, samples, end_ns, 7, writer, budget_, diagnostics_);
    std::string text;
    const NestedRows nested = writer.nest(0, true);
    for (std::size_t depth = 0; depth < nested.rows.size(); ++depth) {
      for (std::uint64_t i = 0; i < nested.rows[depth].count(); ++i) {
        const Slice slice = nested.rows[depth].slice(i);
        text += fmt::format("{} {} {}+{};", depth, names_.text(slice.name), slice.begin_ns,
                            slice.duration_ns);
      }
    }
    return text;
  }

  StringPool names_;
  CallTree tree_;
  SampleBudget budget_;
  Diagnostics diagnostics_;
};

TEST_F(SampleStacksTest, JoinsSamplesOfTheSameCallsToOneSliceEach) {
  const std::uint32_t a = call("a"), b = call("b", a), c = call("c", a);
  EXPECT_EQ(written({{10, b}, {20, b}, {30, c}}, 40), "0 a 10+30;1 b 10+20;1 c 30+10;");
}

TEST_F(SampleStacksTest, SortsSamplesAndLeavesGapsWhereNothingRan) {
  const std::uint32_t a = call("a");
  EXPECT_EQ(written({{30, a}, {10, a}, {20, kNoCall}}, 35), "0 a 10+10;0 a 30+5;");
}

TEST_F(SampleStacksTest, CutsCallsThatAreTheirOwnCallers) {
  const std::uint32_t a = call("a", 1), b = call("b", 0);
  call("c", 99);
  EXPECT_EQ(tree_.cut_cycles(), 2u);
  EXPECT_EQ(written({{0, a}, {1, b}}, 2).empty(), false);
}

TEST_F(SampleStacksTest, CutsStacksThatAreTooDeep) {
  std::uint32_t deepest = kNoCall;
  for (int i = 0; i < 2000; ++i) deepest = call("f", deepest);
  written({{0, deepest}}, 1);
  EXPECT_TRUE(diagnostics_.by_code().contains("deep_stack"));
}

TEST_F(SampleStacksTest, EndsWhereTheBudgetDoes) {
  const std::uint32_t a = call("a"), b = call("b", a);
  budget_.slices_left = 1;
  EXPECT_EQ(written({{10, a}, {20, b}, {30, a}}, 40), "0 a 10+10;");
  EXPECT_TRUE(diagnostics_.by_code().contains("samples_cut"));
}

}  // namespace
}  // namespace cinderscope
