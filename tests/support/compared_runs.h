// Runs for tests of comparisons: calls one after the other, measured as the program does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ingest/build/timeline_builder.h"
#include "ingest/compare/comparison.h"
#include "ingest/compare/measured_run.h"

namespace cinderscope {

using NamedCalls = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;  // durations

inline Timeline timeline_of(const NamedCalls& calls, TimeAxis axis = TimeAxis::nanoseconds) {
  TimelineBuilder builder(axis);
  TrackWriter& writer = builder.slices(builder.thread(builder.process("1"), "1"));
  std::int64_t now = 0;
  RecordOffset record = 0;
  std::size_t most = 0;
  for (const auto& [name, durations] : calls) most = std::max(most, durations.size());
  for (std::size_t i = 0; i < most; ++i) {
    for (const auto& [name, durations] : calls) {
      if (i >= durations.size()) continue;
      writer.complete(now, durations[i], builder.intern(name), record++);
      now += durations[i] + 1;
    }
  }
  return builder.finish();
}

inline std::shared_ptr<const MeasuredRun> measured(const Timeline& timeline,
                                                   const StatisticsQuery& query = {},
                                                   std::string path = "run") {
  const std::atomic<bool> cancelled{false};
  return std::make_shared<MeasuredRun>(measure_run(*slice_set_of(timeline), {.query = query},
                                                   run_facts(timeline, std::move(path), "test"),
                                                   cancelled));
}

inline std::shared_ptr<const MeasuredRun> run_of(const NamedCalls& calls,
                                                 TimeAxis axis = TimeAxis::nanoseconds) {
  return measured(timeline_of(calls, axis));
}

// Without slices: names that become one are estimated.
inline ComparedSides sides_of(std::vector<std::shared_ptr<const MeasuredRun>> a,
                              std::vector<std::shared_ptr<const MeasuredRun>> b,
                              const NameRules& rules = {}) {
  const std::atomic<bool> cancelled{false};
  return *compare_runs({SideRuns{std::move(a), {}}, SideRuns{std::move(b), {}}}, rules, {},
                       cancelled);
}

inline const ComparedRow& row_named(const ComparedSides& sides, const Comparison& comparison,
                                    std::string_view name) {
  return comparison.rows.at(*find_name(sides, name));
}

}  // namespace cinderscope
