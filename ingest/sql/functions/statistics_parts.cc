#include "ingest/sql/functions/statistics_parts.h"

#include <algorithm>
#include <utility>

#include "ingest/model/measure/timeline_weights.h"
#include "ingest/totals/precomputed/precompute.h"

namespace cinderscope {

namespace {

enum Parameter : std::size_t { kFrom, kTo, kThread, kWhole, kSlices, kWeight };

Error wrong(std::string text) {
  return refused(std::move(text));
}

bool has_own_weights(const QueryData& data) {
  return std::ranges::any_of(
      data.inputs(), [](const QueryInput& input) { return !input.timeline->weights.empty(); });
}

// A trace is laid out by one of its weights: only that one is there to be measured.
bool is_of_lengths(const QueryData& data, std::string_view weight) {
  return std::ranges::any_of(data.inputs(), [&](const QueryInput& input) {
    const Timeline& timeline = *input.timeline;
    return find_weight(weights_of(timeline), weight) == timeline.weight;
  });
}

}  // namespace

std::vector<SqlColumn> statistics_parameters() {
  using enum ColumnKind;
  return {{"from_ts", time, "Calls that overlap [from_ts, to_ts)", true},
          {"to_ts", time, {}, true},
          {"in_thread", integer, "thread_id", true},
          {"whole", integer, "1: calls count with what lies outside of the range, too", true},
          {"slices", text, "calls, samples or both", true},
          {"weight", text, "time, calls, or the weight of a profile", true}};
}

Result<StatisticsParts> statistics_parts(const QueryData& data, const Arguments& arguments) {
  StatisticsParts out;
  StatisticsQuery query;
  for (const Parameter each : {kFrom, kTo, kThread, kWhole}) {
    if (arguments.has(each) && !arguments.integer(each)) {
      return wrong("from_ts, to_ts, in_thread and whole are whole numbers");
    }
  }
  query.scope.begin_ns = arguments.integer(kFrom).value_or(INT64_MIN);
  query.scope.end_ns = arguments.integer(kTo).value_or(INT64_MAX);
  query.whole_calls = arguments.integer(kWhole).value_or(0) != 0;
  std::optional<SlicesOf> slices;
  if (arguments.has(kSlices)) {
    slices = slices_of_word(arguments.text(kSlices));
    if (!slices) return wrong("slices is 'calls', 'samples' or 'both'");
  }
  if (arguments.has(kWeight)) {
    const std::string weight = arguments.text(kWeight);
    if (weight == "calls" || (weight == "1" && !has_own_weights(data))) {
      out.weight = CallWeight::calls;
    } else if (weight != "time" && !is_of_lengths(data, weight)) {
      return wrong("weight is 'time', 'calls', or what the trace was opened by (--weight)");
    }
  }
  std::optional<QueryData::Place<ThreadId>> thread;
  if (arguments.has(kThread)) {
    thread = data.thread_of(*arguments.integer(kThread));
    if (!thread) return out;
  }
  for (std::size_t t = 0; t < data.traces().size(); ++t) {
    const QueryTrace& trace = data.traces()[t];
    if (thread && thread->input != trace.input) continue;
    StatisticsPart part{static_cast<std::int64_t>(t) + 1, trace.input, query};
    Scope& scope = part.query.scope;
    scope.slices = slices ? *slices : slices_worth_measuring(data.timeline(trace.input), scope);
    if (thread || trace.file != kNoFile) {
      for (const TrackSlices& track : data.slices(trace.input).tracks) {
        if (!is_measured(track, part.query.scope)) continue;
        if (thread && track.thread != thread->id) continue;
        if (data.trace_key(trace.input, track.track) != part.trace) continue;
        scope.tracks.push_back(track.track);
      }
      if (scope.tracks.empty()) continue;  // none would mean all
    }
    out.parts.push_back(std::move(part));
  }
  return out;
}

const PrecomputedTotals* KeptStatistics::totals_for(const StatisticsPart& part) {
  const auto& given = data_.run().totals;
  if (part.input < given.size() && given[part.input] != nullptr) return given[part.input].get();
  inputs_.resize(data_.inputs().size());
  OfInput& input = inputs_[part.input];
  if (!part.query.scope.has_range() || part.query.whole_calls) return input.totals.get();
  if (++input.ranges > kRangesBeforeTotals && !std::exchange(input.tried, true)) {
    input.totals = precomputed_totals_of(data_.slices(part.input), data_.jobs(), &data_.stop_flag(),
                                         kMostTotalsBytes);
    if (data_.stopped()) input = {};
  }
  return input.totals.get();
}

std::shared_ptr<const SliceStatistics> KeptStatistics::of(const StatisticsPart& part) {
  const auto known = std::ranges::find(kept_, part, &Kept::part);
  if (known != kept_.end()) {
    std::rotate(known, known + 1, kept_.end());
    return kept_.back().statistics;
  }
  const PrecomputedTotals* totals = totals_for(part);
  auto statistics = std::make_shared<const SliceStatistics>(slice_statistics(
      data_.slices(part.input), part.query, data_.jobs(), &data_.stop_flag(), {}, totals));
  data_.count_added_up(statistics->call_count);
  if (data_.stopped()) return statistics;
  if (kept_.size() == kMostKept) kept_.erase(kept_.begin());
  kept_.push_back({part, statistics});
  return statistics;
}

}  // namespace cinderscope
