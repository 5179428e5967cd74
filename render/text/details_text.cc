#include "render/text/details_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/layout/track_list.h"
#include "render/text/counter_text.h"
#include "render/text/selection_facts.h"
#include "render/text/time_text.h"

namespace cinderscope {

std::vector<Fact> details_facts(const Timeline& timeline, const TimelineState& state,
                                const TraceSource* source) {
  const SelectionFacts facts = selection_facts(timeline, state, source);
  if (facts.name.empty()) return {};
  std::vector<Fact> all = {{"Name", facts.name}};
  for (const Fact& fact : facts.facts) all.push_back({fact.key, fact.value});
  if (!facts.record.args.raw.empty()) all.push_back({"Arguments", facts.record.args.raw});
  for (const LongText& more : facts.record.texts) all.push_back({more.title, more.text, true});
  for (const SeriesFacts& series : facts.counter.series) {
    const CounterMeasure& measure = series.measure;
    std::string text;
    if (series.value) text += "value " + counter_text(*series.value, series.unit);
    if (measure.points > 0) {
      text += fmt::format("{}min {}  mean {}  max {}", text.empty() ? "" : "  ",
                          counter_text(measure.min, series.unit),
                          counter_text(measure.mean, series.unit),
                          counter_text(measure.max, series.unit));
    }
    all.push_back({series.name.empty() ? "Values" : series.name, text});
  }
  const std::string callers(callers_word(facts));
  for (const ParentCall& parent : facts.parents) {
    all.push_back({callers, fmt::format("{}  {}", parent.name,
                                        exact_text(parent.duration_ns, timeline.axis))});
  }
  if (facts.more_parents > 0) all.push_back({callers, count_text(facts.more_parents) + " more"});
  constexpr std::size_t kMostFlows = 100;
  for (std::size_t i = 0; i < std::min(kMostFlows, facts.flows.size()); ++i) {
    const FlowStep& end = facts.flows[i];
    const bool there = block_of(timeline, end.slice) != nullptr;
    all.push_back(
        {end.leads_here ? "Flow from" : "Flow to",
         fmt::format("{} on {}, {}",
                     there ? display_label(timeline, slice_at(timeline, end.slice).name) : "?",
                     place_label(timeline, end.slice.track), distance_text(end, timeline.axis))});
  }
  if (facts.flows.size() > kMostFlows) {
    all.push_back({"Flow", count_text(facts.flows.size() - kMostFlows) + " more"});
  }
  for (auto call = facts.record.stack.rbegin(); call != facts.record.stack.rend(); ++call) {
    all.push_back({"Stack", *call});
  }
  return all;
}

std::string details_text(const Timeline& timeline, const TimelineState& state,
                         const TraceSource* source) {
  std::string text;
  for (const Fact& fact : details_facts(timeline, state, source)) {
    text.append(fact.key).append(fact.is_sentence ? ":\n" : ": ").append(fact.value) += '\n';
  }
  return text;
}

}  // namespace cinderscope
