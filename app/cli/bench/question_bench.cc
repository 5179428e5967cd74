#include "app/cli/bench/question_bench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string_view>
#include <utility>

#include "app/questions/name_totals.h"
#include "ingest/base/saturating.h"
#include "ingest/base/steady_clock.h"
#include "ingest/search/slice_search.h"
#include "ingest/totals/precomputed/precompute.h"
#include "ingest/totals/segment_totals.h"
#include "ingest/totals/slice_statistics.h"

namespace cinderscope {

namespace {

using Clock = std::chrono::steady_clock;

SearchCost measure_search(const Timeline& timeline, std::string name, std::string text,
                          unsigned runs, unsigned jobs) {
  SearchCost cost{.name = std::move(name), .text = std::move(text)};
  const Result<SearchQuery> query = parse_search(cost.text);
  if (!query) return cost;
  const std::atomic<bool> cancelled = false;
  std::vector<double> first_ms, count_ms;
  for (unsigned run = 0; run < runs; ++run) {
    double first = -1, counted = -1;
    const Clock::time_point began = Clock::now();
    const auto note = [&](const SearchAnswer& answer) {
      const std::uint64_t matches = answer.matches ? answer.matches->count() : 0;
      if (first < 0 && (matches > 0 || answer.names_done)) first = ms_since(began);
      if (counted < 0 && answer.names_done) counted = ms_since(began);
      cost.matches = matches;
    };
    const SearchQuestion question{.slices = slice_set_of(timeline), .query = *query, .jobs = jobs};
    note(search_slices(question, cancelled, note));
    first_ms.push_back(first);
    count_ms.push_back(counted);
  }
  cost.first_ms = median(first_ms);
  cost.count_ms = median(count_ms);
  return cost;
}

// The middle `1 / part` of the time that calls take.
Scope middle(const Timeline& timeline, std::int64_t part) {
  const std::int64_t length_ns =
      saturating_difference(timeline.slices_end_ns, timeline.slices_begin_ns);
  const std::int64_t begin_ns = timeline.slices_begin_ns + (length_ns - length_ns / part) / 2;
  return {.begin_ns = begin_ns, .end_ns = begin_ns + length_ns / part};
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<SearchCost> measure_searches(const Timeline& timeline, unsigned runs, unsigned jobs) {
  const std::vector<NameTotal> names = name_totals(timeline);
  if (names.empty()) return {};
  const auto text_for = [&](const NameTotal& of) {
    return search_text_for(timeline.text(of.name));
  };
  std::string absent = "nobody is called so";
  while (timeline.strings->find(absent)) absent += '?';
  return {measure_search(timeline, "frequent", text_for(names.front()), runs, jobs),
          measure_search(timeline, "rare", text_for(names.back()), runs, jobs),
          measure_search(timeline, "absent", search_text_for(absent), runs, jobs)};
}

StatisticsCosts measure_statistics(const Timeline& timeline, unsigned runs, unsigned jobs) {
  StatisticsCosts costs;
  if (timeline.slice_count == 0) return costs;
  const std::shared_ptr<const SliceSet> set = slice_set_of(timeline);
  const Clock::time_point prepares = Clock::now();
  const std::shared_ptr<const PrecomputedTotals> known =
      precomputed_totals_of(*set, jobs, nullptr, most_precomputed_bytes(*set));
  costs.prepare_ms = ms_since(prepares);
  if (known != nullptr) costs.prepared_bytes = kept_bytes(*known);
  const std::pair<const char*, std::int64_t> parts[] = {{"whole", 1}, {"half", 2}, {"tenth", 10}};
  for (const auto& [name, part] : parts) {
    StatisticsQuery query;
    if (part != 1) query.scope = middle(timeline, part);
    StatisticsCost cost{.part = name};
    std::vector<double> ms, known_first_ms, known_ms;
    for (unsigned run = 0; run < runs; ++run) {
      const Clock::time_point began = Clock::now();
      const SliceStatistics statistics = slice_statistics(*set, query, jobs);
      ms.push_back(ms_since(began));
      cost.calls = statistics.call_count;
      cost.names = statistics.names.size();
      const Clock::time_point began_again = Clock::now();
      const auto note_first = [&](const SliceStatistics&) {
        known_first_ms.push_back(ms_since(began_again));
      };
      slice_statistics(*set, query, jobs, nullptr, note_first, known.get());
      known_ms.push_back(ms_since(began_again));
    }
    cost.ms = median(ms);
    cost.known_first_ms = median(known_first_ms);
    cost.known_ms = median(known_ms);
    costs.parts.push_back(std::move(cost));
  }
  return costs;
}

}  // namespace cinderscope
