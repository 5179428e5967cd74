#include "render/text/details_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/layout/track_list.h"
#include "render/text/counter_text.h"
#include "render/text/selection_facts.h"
#include "render/text/time_text.h"

namespace cinderscope {

std::string details_text(const Timeline& timeline, const TimelineState& state,
                         const TraceSource* source) {
  const SelectionFacts facts = selection_facts(timeline, state, source);
  if (facts.name.empty()) return {};
  std::string text = "Name: " + facts.name + "\n";
  for (const Fact& fact : facts.facts)
    text.append(fact.key).append(": ").append(fact.value) += '\n';
  if (!facts.record.args.raw.empty()) {
    text.append("Arguments: ").append(facts.record.args.raw) += '\n';
  }
  for (const LongText& more : facts.record.texts) {
    text.append(more.title).append(":\n").append(more.text) += '\n';
  }
  for (const SeriesFacts& series : facts.counter.series) {
    const CounterMeasure& measure = series.measure;
    text += series.name.empty() ? "Values:" : series.name + ":";
    if (series.value) text += " value " + counter_text(*series.value, series.unit);
    if (measure.points > 0) {
      text += fmt::format("  min {}  mean {}  max {}", counter_text(measure.min, series.unit),
                          counter_text(measure.mean, series.unit),
                          counter_text(measure.max, series.unit));
    }
    text += '\n';
  }
  for (const ParentCall& parent : facts.parents) {
    text += fmt::format("{}: {}  {}\n", callers_word(facts), parent.name,
                        exact_text(parent.duration_ns, timeline.axis));
  }
  if (facts.more_parents > 0) {
    text += fmt::format("{}: {} more\n", callers_word(facts), count_text(facts.more_parents));
  }
  constexpr std::size_t kMostFlows = 100;
  for (std::size_t i = 0; i < std::min(kMostFlows, facts.flows.size()); ++i) {
    const FlowStep& end = facts.flows[i];
    const bool there = block_of(timeline, end.slice) != nullptr;
    text += fmt::format("Flow {}: {} on {}, {}\n", end.leads_here ? "from" : "to",
                        there ? display_label(timeline, slice_at(timeline, end.slice).name) : "?",
                        place_label(timeline, end.slice.track), distance_text(end, timeline.axis));
  }
  if (facts.flows.size() > kMostFlows) {
    text += fmt::format("Flow: {} more\n", count_text(facts.flows.size() - kMostFlows));
  }
  for (auto call = facts.record.stack.rbegin(); call != facts.record.stack.rend(); ++call) {
    text.append("Stack: ").append(*call) += '\n';
  }
  return text;
}

}  // namespace cinderscope
