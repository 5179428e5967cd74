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
    tree_.find_depths();
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

TEST_F(SampleStacksTest, KeepsEarlierSamplesOfEqualTimesAsSlicesOfNoLength) {
  const std::uint32_t a = call("a"), b = call("b", a), c = call("c", a);
  EXPECT_EQ(written({{10, b}, {20, c}, {20, b}}, 25), "0 a 10+15;1 b 10+10;1 c 20+0;1 b 20+5;");
}

TEST_F(SampleStacksTest, StacksMayBeOfAnyDepth) {
  constexpr std::uint32_t kDeep = 200'000;
  std::uint32_t deepest = kNoCall;
  for (std::uint32_t i = 0; i < kDeep; ++i) deepest = call("f", deepest);
  const std::uint32_t one = call("g", deepest), other = call("h", deepest);
  tree_.find_depths();
  // Were each looked at from its outermost call on, this would take minutes.
  std::vector<CallSample> samples;
  for (std::uint32_t i = 0; i < kDeep; ++i) samples.push_back({i, i % 2 == 0 ? one : other});
  TrackWriter writer(names_);
  write_samples(tree_, samples, kDeep, 7, writer, budget_, diagnostics_);
  const NestedRows nested = writer.nest(0, true);
  EXPECT_EQ(nested.depth, kDeep + 1);
  EXPECT_EQ(nested.slice_count, 2 * kDeep);
}

TEST_F(SampleStacksTest, CountsSamplesThatAreEarlierThanTheOneBefore) {
  std::vector<CallSample> samples = {{30, 1}, {10, 2}, {20, 3}, {15, 4}, {15, 5}};
  EXPECT_EQ(sort_samples(samples), 2u);
  number_samples(samples);
  EXPECT_EQ(samples[2].call, 5u);
  EXPECT_EQ(samples[2].time_ns, 2);
}

TEST_F(SampleStacksTest, EndsWhereTheBudgetDoes) {
  const std::uint32_t a = call("a"), b = call("b", a);
  budget_.slices_left = 1;
  EXPECT_EQ(written({{10, a}, {20, b}, {30, a}}, 40), "0 a 10+10;");
  EXPECT_TRUE(diagnostics_.by_code().contains("samples_cut"));
}

}  // namespace
}  // namespace cinderscope
