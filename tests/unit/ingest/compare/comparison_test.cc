#include "ingest/compare/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "tests/support/compared_runs.h"

namespace cinderscope {
namespace {

NamedCalls random_calls(unsigned seed, std::size_t names, std::size_t calls, double factor = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  NamedCalls out;
  for (std::size_t n = 0; n < names; ++n) {
    out.push_back({"f" + std::to_string(n), {}});
    for (std::size_t i = 0; i < calls; ++i) {
      const double ns = 20'000 * std::exp(0.3 * normal(random));
      out.back().second.push_back(static_cast<std::int64_t>(ns * factor));
    }
  }
  return out;
}

Comparison compared(const ComparedSides& sides, const ComparisonOptions& options = {}) {
  return *compare_sides(sides, options);
}

TEST(Comparison, NamesWhatChangedAndNothingElse) {
  NamedCalls a = random_calls(1, 30, 100), b = a;
  for (const auto& [name, factor] : {std::pair{2, 1.2}, {5, 0.7}, {9, 1.5}, {20, 2.0}, {25, 1.1}}) {
    for (std::int64_t& ns : b[static_cast<std::size_t>(name)].second) {
      ns = std::llround(static_cast<double>(ns) * factor);
    }
  }
  b.erase(b.begin() + 13);
  b.push_back({"added", std::vector<std::int64_t>(100, 20'000)});
  const ComparedSides sides = sides_of({run_of(a)}, {run_of(b)});
  const Comparison comparison = compared(sides);
  EXPECT_EQ(comparison.tested, Tested::spread);
  std::map<std::string, double> found;
  for (const ComparedRow& row : comparison.rows) {
    if (row.verdict == Verdict::same || row.verdict == Verdict::small) continue;
    found[sides.labels[row.name]] = row.change.value_or(0);
  }
  ASSERT_EQ(found.size(), 7u);
  EXPECT_NEAR(found["f2"], 0.2, 0.001);
  EXPECT_NEAR(found["f5"], -0.3, 0.001);
  EXPECT_NEAR(found["f9"], 0.5, 0.001);
  EXPECT_NEAR(found["f20"], 1, 0.001);
  EXPECT_NEAR(found["f25"], 0.1, 0.001);
  EXPECT_EQ(row_named(sides, comparison, "f13").verdict, Verdict::gone);
  EXPECT_EQ(row_named(sides, comparison, "added").verdict, Verdict::added);
  EXPECT_EQ(counts_sentence(comparison).substr(0, 31), "29 names in both, 1 new, 1 gone");
}

TEST(Comparison, TheSameTraceTwiceDoesNotDiffer) {
  const auto run = run_of(random_calls(3, 20, 300));
  const ComparedSides sides = sides_of({run}, {run});
  for (const Measure measure : {Measure::self, Measure::total, Measure::mean, Measure::median,
                                Measure::p90, Measure::p99, Measure::count}) {
    const Comparison comparison = compared(sides, {.measure = measure});
    EXPECT_EQ(comparison.difference.whole, 0);
    EXPECT_EQ(comparison.count(Verdict::same), 20u) << word_of(measure);
    for (const ComparedRow& row : comparison.rows) {
      EXPECT_EQ(row.difference.whole, 0);
      EXPECT_DOUBLE_EQ(*row.chance, 0.5);
    }
  }
}

// Differences change sign, new and gone change places, intervals invert, p stays.
TEST(Comparison, SwappedSidesAreMirrored) {
  for (const std::size_t runs : {1u, 4u}) {
    std::vector<std::shared_ptr<const MeasuredRun>> a, b;
    for (unsigned r = 0; r < runs; ++r) {
      NamedCalls of_a = random_calls(10 + r, 12, 100), of_b = random_calls(50 + r, 13, 100, 1.06);
      of_a[0].first = "only a";
      a.push_back(run_of(of_a));
      b.push_back(run_of(of_b));
    }
    const ComparedSides one = sides_of(a, b), other = sides_of(b, a);
    for (const Measure measure : {Measure::self, Measure::p90}) {
      const Comparison forth = compared(one, {.measure = measure});
      const Comparison back = compared(other, {.measure = measure});
      for (const ComparedRow& row : forth.rows) {
        const ComparedRow& mirrored = row_named(other, back, one.names.names[row.name].text);
        EXPECT_EQ(row.difference.whole, -mirrored.difference.whole);
        if (row.p) {
          EXPECT_NEAR(*row.p, *mirrored.p, 1e-12);
        }
        if (row.p_adjusted) {
          EXPECT_NEAR(*row.p_adjusted, *mirrored.p_adjusted, 1e-12);
        }
        if (row.low) {
          EXPECT_NEAR(1 + *row.low, 1 / (1 + *mirrored.high), 1e-9);
        }
        if (row.chance) {
          EXPECT_NEAR(*row.chance, 1 - *mirrored.chance, 1e-12);
        }
        const Verdict verdict = row.verdict == Verdict::more    ? Verdict::less
                                : row.verdict == Verdict::less  ? Verdict::more
                                : row.verdict == Verdict::added ? Verdict::gone
                                : row.verdict == Verdict::gone  ? Verdict::added
                                                                : row.verdict;
        EXPECT_EQ(verdict, mirrored.verdict);
      }
    }
  }
}

TEST(Comparison, RunsAreMeansRoundedHalvesUp) {
  const ComparedSides sides =
      sides_of({run_of({{"f", {10, 20}}}), run_of({{"f", {11}}}), run_of({{"g", {100}}})},
               {run_of({{"f", {1}}}), run_of({{"f", {2}}})});
  const SideNumbers a = side_numbers(sides, side_a, *find_name(sides, "f"));
  EXPECT_EQ(a.self_ns, 14);  // 41 / 3
  EXPECT_EQ(a.count, 1u);
  EXPECT_EQ(a.mean_ns, 13);  // of 15 and 11: where it does not occur there is no mean
  EXPECT_EQ(a.min_ns, 10);
  EXPECT_EQ(a.max_ns, 20);
  EXPECT_EQ(a.runs, 2u);
  const SideNumbers b = side_numbers(sides, side_b, *find_name(sides, "f"));
  EXPECT_EQ(b.self_ns, 2);  // 1.5
  EXPECT_EQ(mean_of_runs(std::vector<std::int64_t>{-1, -2}), -1);
  EXPECT_EQ(mean_of_runs(std::vector<std::int64_t>{INT64_MAX, INT64_MAX}), INT64_MAX);
}

std::vector<std::shared_ptr<const MeasuredRun>> runs_of(const std::vector<std::int64_t>& sums,
                                                        const std::string& name = "f") {
  std::vector<std::shared_ptr<const MeasuredRun>> runs;
  for (const std::int64_t sum : sums) runs.push_back(run_of({{name, {sum}}, {"rest", {50'000}}}));
  return runs;
}

TEST(Comparison, VerdictsOfTestedRuns) {
  const auto verdict = [](const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    const ComparedSides sides = sides_of(runs_of(a), runs_of(b));
    const Comparison comparison = compared(sides);
    EXPECT_EQ(comparison.tested, Tested::runs);
    return row_named(sides, comparison, "f").verdict;
  };
  EXPECT_EQ(verdict({10'000, 10'100, 9'900}, {12'000, 12'100, 11'900}), Verdict::more);
  EXPECT_EQ(verdict({12'000, 12'100, 11'900}, {10'000, 10'100, 9'900}), Verdict::less);
  EXPECT_EQ(verdict({10'000, 10'010, 9'990}, {10'010, 10'000, 9'990}), Verdict::same);
  EXPECT_EQ(verdict({10'000, 14'000, 8'000}, {11'000, 15'000, 9'000}), Verdict::unclear);
  EXPECT_EQ(verdict({0, 10'000, 10'000}, {20'000, 20'000, 20'000}), Verdict::unclear);
  EXPECT_EQ(verdict({1, 2, 3}, {900, 800, 700}), Verdict::small);
}

TEST(Comparison, ValuesOfZeroAreNotTested) {
  const ComparedSides sides = sides_of(runs_of({0, 10'000, 10'000}), runs_of({20'000, 1, 2}));
  const Comparison comparison = compared(sides);
  const ComparedRow& row = row_named(sides, comparison, "f");
  EXPECT_FALSE(row.p);
  EXPECT_FALSE(row.low);
  EXPECT_TRUE(row.change);
}

TEST(Comparison, PercentOfCallsAndScales) {
  const ComparedSides sides =
      sides_of({run_of({{"frame", {1'000'000, 1'000'000}}, {"f", {10'000, 30'000}}})},
               {run_of({{"frame", {1'000'000}}, {"f", {60'000}}})});
  const Comparison per = compared(sides, {.scale = Scale::per, .per = "frame"});
  EXPECT_DOUBLE_EQ(row_named(sides, per, "f").value[side_a].value, 20'000);
  EXPECT_DOUBLE_EQ(row_named(sides, per, "f").value[side_b].value, 60'000);
  EXPECT_NEAR(*row_named(sides, per, "f").change, 2, 1e-12);
  EXPECT_FALSE(per.whole_numbers());
  const Comparison share = compared(sides, {.scale = Scale::share});
  EXPECT_NEAR(row_named(sides, share, "f").value[side_a].value, 40'000.0 / 2'040'000, 1e-12);
  EXPECT_DOUBLE_EQ(share.value[side_a].value, 1);
  EXPECT_FALSE(compare_sides(sides, {.measure = Measure::p90, .scale = Scale::share}));
  EXPECT_FALSE(compare_sides(sides, {.scale = Scale::per, .per = "nothing"}));
  EXPECT_EQ(run_values(sides, per, side_a, *find_name(sides, "f")), std::vector<double>{20'000});
}

TEST(Comparison, TheMinimumHidesWhatIsSmallOnBothSides) {
  const ComparedSides sides = sides_of({run_of({{"big", {90'000'000}}, {"f", {40'000}}})},
                                       {run_of({{"big", {90'000'000}}, {"f", {80'000}}})});
  EXPECT_EQ(compared(sides).min.whole, 100'000);
  EXPECT_EQ(row_named(sides, compared(sides), "f").verdict, Verdict::small);
  EXPECT_EQ(row_named(sides, compared(sides, {.min = 80'000}), "f").verdict, Verdict::more);
  EXPECT_EQ(compared(sides, {.measure = Measure::count}).min.whole, 10);
  EXPECT_EQ(compared(sides, {.measure = Measure::p99}).min.whole, 1000);
  EXPECT_EQ(rows_in_order(sides, compared(sides), RowSort::difference).size(), 1u);
  EXPECT_EQ(rows_in_order(sides, compared(sides), RowSort::difference, ~0u).size(), 2u);
}

TEST(Comparison, EventsAgainstTime) {
  const ComparedSides sides =
      sides_of({run_of({{"f", std::vector<std::int64_t>(20, 5)}})},
               {run_of({{"f", std::vector<std::int64_t>(40, 5)}}, TimeAxis::events)});
  EXPECT_FALSE(compare_sides(sides, {}));
  const Comparison calls = compared(sides, {.measure = Measure::count});
  EXPECT_EQ(row_named(sides, calls, "f").verdict, Verdict::more);
  EXPECT_FALSE(row_named(sides, calls, "f").chance);
  EXPECT_EQ(warning_sentences(sides, calls).front(),
            "A counts time, B events: durations do not compare.");
  const ComparedSides events = sides_of({run_of({{"f", {500}}}, TimeAxis::events)},
                                        {run_of({{"f", {800}}}, TimeAxis::events)});
  EXPECT_EQ(row_named(events, compared(events), "f").verdict, Verdict::more);
}

TEST(Comparison, WarnsOfWrongUnits) {
  const NamedCalls calls = random_calls(4, 25, 10);
  NamedCalls thousandfold = calls;
  for (auto& [name, durations] : thousandfold) {
    for (std::int64_t& ns : durations) ns *= 1000;
  }
  const ComparedSides sides = sides_of({run_of(calls)}, {run_of(thousandfold)});
  ASSERT_TRUE(sides.warnings.unit_factor);
  EXPECT_DOUBLE_EQ(*sides.warnings.unit_factor, 1000);
  EXPECT_TRUE(sides.warnings.unit_in_b);
  EXPECT_EQ(warning_sentences(sides, compared(sides)).front(),
            "Nearly all names take 1000 times as long in B. Is its unit of time wrong?");
  const Comparison mended = compared(sides, {.b_divisor = 1000});
  EXPECT_EQ(mended.count(Verdict::same), 25u);
  EXPECT_TRUE(warning_sentences(sides, mended).empty());
  EXPECT_FALSE(
      sides_of({run_of(calls)}, {run_of(random_calls(4, 25, 10, 3))}).warnings.unit_factor);
}

TEST(Comparison, OffersAScaleWhereOneSideHasManyMoreCalls) {
  const ComparedSides sides = sides_of({run_of({{"frame", std::vector<std::int64_t>(10, 5000)}})},
                                       {run_of({{"frame", std::vector<std::int64_t>(31, 5000)}})});
  const auto said = warning_sentences(sides, compared(sides));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0], "B has 3.1 times as many calls. Compare per call of frame?");
  // Nothing is called often enough to divide by.
  const ComparedSides few = sides_of({run_of({{"a", {5000}}})}, {run_of({{"a", {5000, 5000}}})});
  EXPECT_EQ(warning_sentences(few, compared(few)).front(),
            "B has 2.0 times as many calls. Compare shares?");
}

TEST(Comparison, SaysHowManyNamesAreTooSmallToTell) {
  const ComparedSides sides =
      sides_of({run_of({{"a", {5'000'000}}, {"b", {10}}})}, {run_of({{"c", {5'000'000}}})});
  EXPECT_EQ(counts_sentence(compared(sides)),
            "0 names in both, 1 new, 1 gone; 0 more, 0 less, 0 unclear; 1 too small");
}

TEST(Comparison, NothingInCommonAndNothingAtAll) {
  const ComparedSides sides = sides_of({run_of({{"a", {5000}}})}, {run_of({{"b", {5000}}})});
  EXPECT_TRUE(sides.warnings.nothing_in_common);
  EXPECT_EQ(compared(sides).count(Verdict::added), 1u);
  const ComparedSides empty = sides_of({run_of({})}, {run_of({})});
  EXPECT_TRUE(compared(empty).rows.empty());
  EXPECT_EQ(counts_sentence(compared(empty)),
            "0 names in both, 0 new, 0 gone; 0 more, 0 less, 0 unclear");
}

TEST(Comparison, RowsInOrder) {
  const ComparedSides sides =
      sides_of({run_of({{"a", {50'000}}, {"b", {10'000}}, {"c", {40'000}}, {"d", {9'000}}})},
               {run_of({{"a", {60'000}}, {"b", {30'000}}, {"c", {40'000}}, {"e", {8'000}}})});
  const Comparison comparison = compared(sides);
  const auto names = [&](RowSort sort, std::uint32_t wanted = 0) {
    std::string text;
    for (const std::uint32_t row : rows_in_order(sides, comparison, sort, wanted)) {
      text += sides.names.names[comparison.rows[row].name].text;
    }
    return text;
  };
  EXPECT_EQ(names(RowSort::difference), "badec");
  EXPECT_EQ(names(RowSort::change), "debac");
  EXPECT_EQ(names(RowSort::a), "acbde");
  EXPECT_EQ(names(RowSort::b), "acbed");
  EXPECT_EQ(names(RowSort::name), "abcde");
  EXPECT_EQ(names(RowSort::name, 1u << static_cast<unsigned>(Verdict::gone)), "d");
}

TEST(Comparison, BarsAreThoseOfBothSides) {
  const ComparedSides sides =
      sides_of({run_of({{"f", {1, 1, 500, 100'000}}})}, {run_of({{"f", {1, 700, 100'001}}})});
  const ComparedHistogram found = compared_histogram(sides, *find_name(sides, "f"));
  EXPECT_EQ(found.count[side_a], 4u);
  EXPECT_EQ(found.count[side_b], 3u);
  ASSERT_FALSE(found.bars.empty());
  EXPECT_LE(found.bars.size(), 48u);
  OfSides<std::uint64_t> all{};
  for (std::size_t i = 0; i < found.bars.size(); ++i) {
    all[side_a] += found.bars[i].count[side_a];
    all[side_b] += found.bars[i].count[side_b];
    if (i > 0) {
      EXPECT_EQ(found.bars[i].shortest_ns, found.bars[i - 1].longest_ns + 1);
    }
  }
  EXPECT_EQ(all, found.count);
  EXPECT_EQ(found.bars.front().count[side_a], 2u);
}

TEST(Comparison, MergedNamesAreMeasuredTogether) {
  const Timeline a = timeline_of({{"sort<int>", {10'000}}, {"sort<long>", {20'000}}});
  const Timeline b = timeline_of({{"sort<char>", {70'000}}});
  const std::atomic<bool> cancelled{false};
  std::size_t asked = 0;
  const auto run = measured(a);
  const ComparedSides sides = *compare_runs(
      {SideRuns{{run}, {}}, SideRuns{{measured(b)}, {}}}, {},
      [&](Side side, std::size_t, std::span<const NameGroup> groups) {
        ++asked;
        EXPECT_EQ(side, side_a);
        return measure_groups(*slice_set_of(a), {}, *run, groups, cancelled);
      },
      cancelled);
  EXPECT_EQ(asked, 1u);
  EXPECT_FALSE(sides.runs[side_a][0].estimated);
  const Comparison comparison = compared(sides);
  const ComparedRow& row = row_named(sides, comparison, "sort<>");
  EXPECT_EQ(row.value[side_a].whole, 30'000);
  EXPECT_EQ(row.difference.whole, 40'000);
  EXPECT_EQ(find_name(sides, "sort<long>"), find_name(sides, "sort<>"));
}

TEST(Comparison, StepsOfChange) {
  EXPECT_EQ(change_step(100, 101), 0);
  EXPECT_EQ(change_step(100, 105), 1);
  EXPECT_EQ(change_step(100, 120), 2);
  EXPECT_EQ(change_step(100, 200), 3);
  EXPECT_EQ(change_step(200, 100), -3);
  EXPECT_EQ(change_step(0, 1), 3);
  EXPECT_EQ(change_step(1, 0), -3);
  EXPECT_EQ(change_step(0, 0), 0);
  EXPECT_EQ(change_step(1, 9, 10), 0);
}

}  // namespace
}  // namespace cinderscope
