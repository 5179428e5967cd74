// `compare --json`.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "app/compare/comparison_output.h"
#include "ingest/base/utf8.h"

namespace cinderscope {

namespace {

std::string_view axis_word(TimeAxis axis) {
  return axis == TimeAxis::nanoseconds ? "ns" : "events";
}

std::string shown(std::string_view text) {
  return text.empty() ? std::string("(no name)") : valid_utf8(text);
}

std::string shown_name(const ComparedSides& sides, std::uint32_t name) {
  return shown(sides.names.names[name].text);
}

std::string_view unit_of(const ComparisonOutput& of) {
  const ComparisonOptions& options = of.comparison.options;
  if (options.scale == Scale::share) return "share";
  return options.measure == Measure::count ? "calls" : axis_word(of.sides.axis());
}

// Six significant digits.
double shortened(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double power = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(power) && power > 0 ? std::round(value * power) / power : value;
}

void write_value(JsonWriter& out, const Comparison& comparison, const ComparedValue& value) {
  if (comparison.whole_numbers()) {
    out.number(value.whole);
  } else {
    out.number(shortened(value.value));
  }
}

void write_optional(JsonWriter& out, std::string_view key, const std::optional<double>& value) {
  out.key(key);
  if (value) {
    out.number(*value);
  } else {
    out.null();
  }
}

void write_runs(JsonWriter& out, const ComparisonOutput& of, Side side) {
  const Comparison& comparison = of.comparison;
  out.begin_object().key("runs").begin_array();
  for (const ComparedRun& run : of.sides.runs[side]) {
    const MeasuredRun& facts = *run.run;
    out.begin_object().field("path", valid_utf8(facts.path)).field("format", facts.format);
    out.field("axis", axis_word(facts.axis));
    out.field("begin", facts.begin_ns).field("end", facts.end_ns);
    out.key("threads").begin_array();
    for (const RunThread& thread : facts.threads) {
      out.text(valid_utf8(thread.pid + "/" + thread.tid));
    }
    out.end_array();
    out.field("calls", facts.calls).field("unfinished", facts.unfinished);
    out.field("self", facts.self_ns).key("per_count");
    if (comparison.per) {
      out.number(run.numbers[*comparison.per].count);
    } else {
      out.null();
    }
    out.end_object();
  }
  out.end_array().key("left_out").begin_array();
  for (const LeftOutRun& left : of.sides.left_out[side]) {
    out.begin_object().field("path", valid_utf8(left.path));
    out.field("error", valid_utf8(left.error)).end_object();
  }
  out.end_array().key("value");
  write_value(out, comparison, comparison.value[side]);
  out.end_object();
}

void write_rules(JsonWriter& out, const ComparisonOutput& of) {
  out.key("rules").begin_array();
  const auto write = [&](const ComparedNames::Effect& effect) {
    out.field("names_a", effect.changed[side_a]).field("names_b", effect.changed[side_b]);
    out.end_object();
  };
  for (std::size_t i = 0; i < of.rules.renames.size(); ++i) {
    const Rename& rename = of.rules.renames[i];
    out.begin_object().field("rule", "rename").field("state", "always");
    out.field("rename", valid_utf8(rename.expression + "=" + rename.text));
    write(of.sides.names.renames[i]);
  }
  for (std::size_t i = 0; i < kNameRules; ++i) {
    out.begin_object().field("rule", word_of(static_cast<NameRule>(i)));
    out.field("state", word_of(of.rules.states[i]));
    write(of.sides.names.rules[i]);
  }
  out.end_array();
}

void write_all_numbers(JsonWriter& out, const SideNumbers& numbers) {
  out.begin_object().field("count", numbers.count);
  out.field("total", numbers.total_ns).field("self", numbers.self_ns);
  out.field("mean", numbers.mean_ns).field("median", numbers.median_ns);
  out.field("p90", numbers.p90_ns).field("p99", numbers.p99_ns);
  out.field("min", numbers.min_ns).field("max", numbers.max_ns).end_object();
}

}  // namespace

void write_compared_row(JsonWriter& out, const ComparisonOutput& of, std::uint32_t row_number) {
  const ComparedSides& sides = of.sides;
  const Comparison& comparison = of.comparison;
  const ComparedRow& row = comparison.rows[row_number];
  const ComparedName& name = sides.names.names[row.name];
  out.begin_object().field("name", shown(name.text));
  if (sides.labels[row.name] != shown(name.text)) {
    out.field("label", valid_utf8(sides.labels[row.name]));
  }
  for (const Side side : {side_a, side_b}) {
    out.key(side == side_a ? "names_a" : "names_b").begin_array();
    for (const std::uint32_t read : name.names[side]) out.text(shown(sides.side_names[side][read]));
    out.end_array();
  }
  out.field("verdict", word_of(row.verdict));
  out.key("a");
  write_value(out, comparison, row.value[side_a]);
  out.key("b");
  write_value(out, comparison, row.value[side_b]);
  out.key("difference");
  write_value(out, comparison, row.difference);
  write_optional(out, "change", row.change);
  write_optional(out, "low", row.low);
  write_optional(out, "high", row.high);
  write_optional(out, "p", row.p);
  write_optional(out, "p_adjusted", row.p_adjusted);
  write_optional(out, "chance", row.chance);
  for (const Side side : {side_a, side_b}) {
    out.key(side == side_a ? "runs_a" : "runs_b").begin_array();
    for (const double value : run_values(sides, comparison, side, row.name)) {
      if (std::isnan(value)) {
        out.null();
      } else if (comparison.whole_numbers()) {
        out.number(static_cast<std::int64_t>(std::llround(value)));
      } else {
        out.number(shortened(value));
      }
    }
    out.end_array();
  }
  out.key("a_all");
  write_all_numbers(out, side_numbers(sides, side_a, row.name));
  out.key("b_all");
  write_all_numbers(out, side_numbers(sides, side_b, row.name));
  out.end_object();
}

void write_verdict_counts(JsonWriter& out, const Comparison& comparison) {
  out.begin_object().field("both", comparison.in_both);
  for (const Verdict verdict : {Verdict::added, Verdict::gone, Verdict::more, Verdict::less,
                                Verdict::same, Verdict::unclear, Verdict::small}) {
    out.field(word_of(verdict), comparison.count(verdict));
  }
  out.end_object();
}

void write_comparison(JsonWriter& out, const ComparisonOutput& of) {
  const Comparison& comparison = of.comparison;
  const ComparisonOptions& options = comparison.options;
  out.begin_object().field("version", 1).field("measure", word_of(options.measure));
  out.field("unit", unit_of(of)).field("weight", of.weight);
  out.field("scale", word_of(options.scale)).key("per");
  if (comparison.per) {
    out.text(shown_name(of.sides, *comparison.per));
  } else {
    out.null();
  }
  out.field("tested", word_of(comparison.tested)).field("alpha", comparison.alpha);
  out.field("noise", options.noise).field("same", options.same).key("min");
  write_value(out, comparison, comparison.min);
  out.key("a");
  write_runs(out, of, side_a);
  out.key("b");
  write_runs(out, of, side_b);
  out.key("difference");
  write_value(out, comparison, comparison.difference);
  write_optional(out, "change", comparison.change);
  out.key("counts");
  write_verdict_counts(out, comparison);
  write_rules(out, of);
  out.key("names").begin_array();
  for (const std::uint32_t row : of.rows) write_compared_row(out, of, row);
  out.end_array().key("failed").begin_array();
  for (const FailedCondition& failed : of.failed) {
    out.begin_object().field("condition", valid_utf8(failed.condition));
    out.field("name", valid_utf8(failed.name)).field("value", shortened(failed.value));
    out.field("limit", failed.limit).end_object();
  }
  out.end_array().key("warnings").begin_array();
  for (const std::string& warning : warning_sentences(of.sides, comparison)) {
    out.text(valid_utf8(warning));
  }
  out.end_array().end_object();
}

}  // namespace cinderscope
