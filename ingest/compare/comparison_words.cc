// What a comparison says in sentences.
#include <fmt/format.h>

#include "ingest/compare/comparison.h"

namespace cinderscope {

namespace {

std::string_view name_of(Side side) {
  return side == side_a ? "A" : "B";
}

// "1000", "3.1"
std::string factor_text(double factor) {
  return factor >= 10 ? fmt::format("{:.0f}", factor) : fmt::format("{:.1f}", factor);
}

}  // namespace

std::string tested_sentence(const ComparedSides& sides, const Comparison& comparison) {
  const std::size_t a = sides.run_count(side_a), b = sides.run_count(side_b);
  std::string runs = a == b ? fmt::format("{} runs each", a) : fmt::format("{} and {} runs", a, b);
  if (a == 1 && b == 1) runs = "One run each";
  if (comparison.tested == Tested::runs) return runs + ", tested.";
  std::string text = runs +
                     ": what differs here may differ between any two runs. "
                     "Three runs a side or more are tested.";
  return text;
}

std::string counts_sentence(const Comparison& comparison) {
  const auto count = [&](Verdict verdict) { return comparison.count(verdict); };
  std::string text = fmt::format("{} {} in both, {} new, {} gone; {} more, {} less, {} unclear",
                                 comparison.in_both, comparison.in_both == 1 ? "name" : "names",
                                 count(Verdict::added), count(Verdict::gone), count(Verdict::more),
                                 count(Verdict::less), count(Verdict::unclear));
  // Else "0 gone" would be read as if there were none.
  if (count(Verdict::small) > 0) text += fmt::format("; {} too small", count(Verdict::small));
  return text;
}

std::vector<std::string> warning_sentences(const ComparedSides& sides,
                                           const Comparison& comparison) {
  std::vector<std::string> out;
  const ComparisonWarnings& warnings = sides.warnings;
  if (warnings.time_against_events) {
    const bool a_counts_time = !sides.runs[side_a].empty() &&
                               sides.runs[side_a].front().run->axis == TimeAxis::nanoseconds;
    out.push_back(fmt::format("{} counts time, {} events: durations do not compare.",
                              name_of(a_counts_time ? side_a : side_b),
                              name_of(a_counts_time ? side_b : side_a)));
  }
  if (warnings.nothing_in_common) {
    out.emplace_back(
        "No name is on both sides. Rules for names may help: "
        "templates=always, numbers=always, case=always, or a rename.");
  }
  if (warnings.unit_factor && comparison.options.b_divisor == 1) {
    const Side longer = warnings.unit_in_b ? side_b : side_a;
    out.push_back(
        fmt::format("Nearly all names take {} times as long in {}. Is its unit of time "
                    "wrong?",
                    factor_text(*warnings.unit_factor), name_of(longer)));
  }
  const bool offers_scale = warnings.calls_factor && !warnings.nothing_in_common &&
                            comparison.options.scale == Scale::recorded;
  if (offers_scale) {
    const Side more = warnings.more_calls_in_b ? side_b : side_a;
    std::string text = fmt::format("{} has {} times as many calls.", name_of(more),
                                   factor_text(*warnings.calls_factor));
    if (warnings.per) {
      text += fmt::format(" Compare per call of {}?", sides.labels[*warnings.per]);
    } else if (is_sum(comparison.options.measure)) {
      text += " Compare shares?";
    }
    out.push_back(std::move(text));
  }
  for (const Side side : {side_a, side_b}) {
    bool estimated = false;
    for (const ComparedRun& run : sides.runs[side]) estimated = estimated || run.estimated;
    if (!estimated) continue;
    out.push_back(fmt::format(
        "{}: of names that became one, totals are added up and percentiles are 1.6 % exact, since "
        "only numbers of the runs were kept.",
        name_of(side)));
  }
  return out;
}

}  // namespace cinderscope
