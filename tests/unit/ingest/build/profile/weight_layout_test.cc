#include "ingest/build/profile/weight_layout.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "ingest/build/profile/call_nodes.h"
#include "ingest/model/measure/negative_weight.h"

namespace cinderscope {
namespace {

class WeightLayoutTest : public testing::Test {
 protected:
  std::uint32_t call(std::uint32_t caller, std::string_view name) {
    const auto function = static_cast<std::uint32_t>(index(names_.intern(name)));
    if (functions_.size() <= function) functions_.resize(function + 1, kEmptyString);
    functions_[function] = StringId{function};
    return nodes_.call(caller, function);
  }
  void measure(std::uint32_t call, std::int64_t weight) { measured_.emplace_back(call, weight); }

  NestedRows laid_out() {
    const CallTree tree = std::move(nodes_).tree(functions_);
    CallWeights weights;
    for (const auto& [call, weight] : measured_) weights.add(call, weight);
    weights.sum_up(tree.parent);
    TrackWriter writer(names_);
    end_ = lay_out_weights(tree, weights, names_, writer, diagnostics_);
    return writer.nest(0, true);
  }
  // "depth name begin+length;" of each slice.
  std::string text() {
    const NestedRows nested = laid_out();
    std::string out;
    for (std::size_t depth = 0; depth < nested.rows.size(); ++depth) {
      for (std::uint64_t i = 0; i < nested.rows[depth].count(); ++i) {
        const Slice slice = nested.rows[depth].slice(i);
        out += fmt::format("{} {} {}+{};", depth, names_.text(slice.name), slice.begin_ns,
                           slice.duration_ns);
      }
    }
    return out;
  }

  StringPool names_;
  CallNodes nodes_;
  std::vector<StringId> functions_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> measured_;
  Diagnostics diagnostics_;
  std::int64_t end_ = 0;
};

TEST_F(WeightLayoutTest, PutsTheHeaviestFirstAndLeavesWhatIsACallsOwnAtItsEnd) {
  const std::uint32_t main = call(kNoCall, "main");
  measure(call(main, "light"), 2);
  measure(call(main, "heavy"), 5);
  measure(main, 3);
  measure(call(kNoCall, "other"), 20);
  EXPECT_EQ(text(), "0 other 0+20;0 main 20+10;1 heavy 20+5;1 light 25+2;");
  EXPECT_EQ(end_, 30);
}

TEST_F(WeightLayoutTest, OrdersEqualOnesByTheBytesOfTheirNames) {
  for (const char* name : {"b", "a", "B"}) measure(call(kNoCall, name), 1);
  EXPECT_EQ(text(), "0 B 0+1;0 a 1+1;0 b 2+1;");
}

TEST_F(WeightLayoutTest, TakesEqualStacksForOneAndLeavesOutThoseWithoutWeight) {
  measure(call(call(kNoCall, "f"), "f"), 1);
  measure(call(call(kNoCall, "f"), "f"), 2);
  measure(call(kNoCall, "nothing"), 0);
  EXPECT_EQ(text(), "0 f 0+3;1 f 0+3;");
}

TEST_F(WeightLayoutTest, IsAsWideAsNegativeWeightsWouldBeOtherwise) {
  const std::uint32_t a = call(kNoCall, "a");
  measure(call(a, "less"), -4);
  measure(call(a, "more"), 3);
  EXPECT_EQ(text(), "0 a 0+7;1 less 0+4;1 more 4+3;");
}

TEST_F(WeightLayoutTest, TakesStacksOfAnyDepth) {
  constexpr std::uint32_t kDeep = 1'000'000;
  std::uint32_t innermost = kNoCall;
  for (std::uint32_t i = 0; i < kDeep; ++i) innermost = call(innermost, "f");
  measure(innermost, 7);
  const NestedRows nested = laid_out();
  EXPECT_EQ(nested.depth, kDeep);
  EXPECT_EQ(nested.slice_count, kDeep);
}

TEST_F(WeightLayoutTest, EndsWhereTimesDo) {
  measure(call(kNoCall, "a"), INT64_MAX);
  measure(call(kNoCall, "b"), INT64_MAX);
  text();
  EXPECT_EQ(end_, std::int64_t{1} << 62);
  EXPECT_TRUE(diagnostics_.by_code().contains("clamped_time"));
}

TEST_F(WeightLayoutTest, MarksWhatIsNegativeAltogether) {
  const std::uint32_t a = call(kNoCall, "a");
  measure(call(a, "less"), -4);
  measure(call(a, "more"), 5);
  const NestedRows nested = laid_out();
  EXPECT_EQ(nested.rows.at(0).flags(0), 0);
  EXPECT_EQ(nested.rows.at(1).flags(0), 0);          // more
  EXPECT_EQ(nested.rows.at(1).flags(1), kNegative);  // less
}

}  // namespace
}  // namespace cinderscope
