#include "app/compare/side_file.h"

#include <gtest/gtest.h>

#include <string>

#include "app/compare/side_loader.h"
#include "tests/support/compared_runs.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

SideRuns some_side() {
  NamedCalls calls = {{"f \"quoted\"", {10, 20, 30}}, {"g", {}}};
  for (int i = 0; i < 500; ++i) calls[1].second.push_back(1000 + i * 7 % 300);
  return {{run_of(calls), run_of({{"f", {5}}}, TimeAxis::events)}, {}};
}

TEST(SideFile, KeepsAllNumbers) {
  const SideRuns side = some_side();
  const Result<SideRuns> read = read_side(saved_side(side));
  ASSERT_TRUE(read) << read.error().text;
  ASSERT_EQ(read->runs.size(), 2u);
  for (std::size_t r = 0; r < 2; ++r) {
    const MeasuredRun &was = *side.runs[r], &is = *read->runs[r];
    EXPECT_EQ(is.path, was.path);
    EXPECT_EQ(is.axis, was.axis);
    EXPECT_EQ(is.self_ns, was.self_ns);
    EXPECT_EQ(is.busy_ns, was.busy_ns);
    EXPECT_EQ(is.threads.size(), was.threads.size());
    ASSERT_EQ(is.names.size(), was.names.size());
    for (std::uint32_t i = 0; i < is.names.size(); ++i) {
      EXPECT_EQ(is.names[i].text, was.names[i].text);
      EXPECT_EQ(is.numbers[i].p99_ns, was.numbers[i].p99_ns);
      EXPECT_EQ(is.numbers[i].sum_ns, was.numbers[i].sum_ns);
      EXPECT_TRUE(std::ranges::equal(is.durations.of(i), was.durations.of(i)));
      EXPECT_EQ(is.spans.of(i).size(), was.spans.of(i).size());
    }
  }
}

TEST(SideFile, ASavedSideComparesAsItsRunsDo) {
  const SideRuns side{{some_side().runs[0]}, {}};
  const auto other = run_of({{"g", {2000, 3000}}, {"h", {1'000'000}}});
  const ComparedSides direct = sides_of(side.runs, {other});
  const ComparedSides saved = sides_of(read_side(saved_side(side))->runs, {other});
  const Comparison one = *compare_sides(direct, {}), two = *compare_sides(saved, {});
  ASSERT_EQ(one.rows.size(), two.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].verdict, two.rows[i].verdict);
    EXPECT_EQ(one.rows[i].difference.whole, two.rows[i].difference.whole);
    EXPECT_EQ(one.rows[i].chance, two.rows[i].chance);
    EXPECT_EQ(one.rows[i].low, two.rows[i].low);
  }
}

TEST(SideFile, SingleRunsAreLeftOut) {
  const TempDir folder;
  const std::string path = folder.write("base.json", saved_side(some_side())).string();
  SideLoader loader({});
  ASSERT_TRUE(loader.add(side_a, path, {}, {0}));
  ASSERT_EQ(loader.runs()[side_a].runs.size(), 1u);
  EXPECT_EQ(loader.runs()[side_a].runs[0]->axis, TimeAxis::events);
}

// Cut at any place, or with any byte changed, it is refused or read, and never does harm.
TEST(SideFile, DamageIsToldOf) {
  const std::string text = saved_side(some_side());
  for (std::size_t cut = 0; cut + 2 < text.size(); cut += 97) {
    EXPECT_FALSE(read_side(text.substr(0, cut)));
  }
  for (std::size_t i = 0; i < text.size(); i += 13) {
    std::string changed = text;
    changed[i] = changed[i] == '9' ? '-' : '9';
    const Result<SideRuns> read = read_side(changed);
    if (read) sides_of(read->runs, read->runs);
  }
  EXPECT_FALSE(read_side(""));
  EXPECT_FALSE(read_side("{}"));
  EXPECT_FALSE(read_side(R"({"cinderscope_side":2,"runs":[]})"));
  EXPECT_FALSE(read_side(R"({"cinderscope_side":1,"runs":[]})"));
  EXPECT_FALSE(read_side(R"({"cinderscope_side":1,"runs":[{}]})"));
}

}  // namespace
}  // namespace cinderscope
