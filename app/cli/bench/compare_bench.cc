#include "app/cli/bench/compare_bench.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "app/cli/bench/question_bench.h"
#include "ingest/base/parallel.h"
#include "ingest/base/steady_clock.h"
#include "ingest/compare/compared_tree.h"
#include "ingest/compare/comparison.h"
#include "ingest/totals/precomputed/precompute.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

CompareCost measure_comparison(const Timeline& timeline, unsigned runs, unsigned jobs) {
  const std::atomic<bool> goes_on{false};
  const std::shared_ptr<const SliceSet> set = slice_set_of(timeline);
  const std::shared_ptr<const PrecomputedTotals> known =
      precomputed_totals_of(*set, jobs, nullptr, most_precomputed_bytes(*set));
  const RunQuestion question{.jobs = jobs};
  std::vector<double> measure, known_first, known_all, rules, table, tree;
  CompareCost cost;
  for (unsigned i = 0; i < runs; ++i) {
    OfSides<SideRuns> sides;
    double first_ms = 0;
    Clock::time_point began = Clock::now();
    for (const Side side : {side_a, side_b}) {
      const Clock::time_point began_side = Clock::now();
      sides[side].runs = {std::make_shared<MeasuredRun>(measure_run(
          *set, question, run_facts(timeline, "", ""), goes_on,
          [&](const MeasuredRun&) { first_ms += ms_since(began_side); }, known.get()))};
    }
    known_all.push_back(ms_since(began));
    known_first.push_back(first_ms);
    began = Clock::now();
    for (int side = 0; side < 2; ++side) {
      measure_run(*set, question, run_facts(timeline, "", ""), goes_on);
    }
    measure.push_back(ms_since(began));
    const MeasureGroups groups_of = [&](Side side, std::size_t run,
                                        std::span<const NameGroup> groups) {
      return measure_groups(*set, question, *sides[side].runs[run], groups, goes_on);
    };
    began = Clock::now();
    const Result<ComparedSides> compared = compare_runs(sides, {}, groups_of, goes_on);
    rules.push_back(ms_since(began));
    began = Clock::now();
    const Result<Comparison> rows = compare_sides(*compared, {.measure = Measure::total});
    table.push_back(ms_since(began));
    cost.names = rows->rows.size();
    cost.kept_bytes =
        kept_bytes(*sides[side_a].runs.front()) + kept_bytes(*sides[side_b].runs.front());
    began = Clock::now();
    OfSides<AggregatedCallTree> trees;
    // As the window does it: a side on each core.
    parallel_for(trees.size(), jobs, [&](std::size_t side) {
      const unsigned each = std::max(1u, jobs / 2);
      trees[side] = with_compared_names(unordered_calls(*set, {}, goes_on, kMaxCallTreeNodes, each),
                                        compared_of_strings(compared->runs[side].front()), goes_on);
    });
    merged_trees(trees[side_a], trees[side_b], {1, 1}, compared->names, goes_on);
    tree.push_back(ms_since(began));
  }
  cost.measure_ms = median(measure);
  cost.known_first_ms = median(known_first);
  cost.known_ms = median(known_all);
  cost.rules_ms = median(rules);
  cost.table_ms = median(table);
  cost.tree_ms = median(tree);
  return cost;
}

}  // namespace cinderscope
