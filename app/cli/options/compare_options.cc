#include "app/cli/options/compare_options.h"

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "app/cli/options/common_options.h"
#include "ingest/base/number_text.h"

namespace cinderscope {

namespace {

constexpr const char* kSides =
    "SIDE: PATH[@TIME..TIME]{#THREAD}: a trace, a folder (each trace in it is a run), or what\n"
    "--save-side wrote. A is the old side, B the new one; + means that B takes more.\n"
    "Three runs a side or more are tested (Welch's test of logarithms, Benjamini-Hochberg).\n"
    "CONDITION: METRIC[(NAME | /REGEX/ | *)] OP LIMIT [surely], several with \" and \":\n"
    "  total self mean median p90 p99 max count, or new and gone without a limit;\n"
    "  > < >= <=; +5% change, +3ms difference, 20ms the value of B, x1.5 ratio.\n"
    "  'self>+3%'  'total(RenderFrame)>+5% surely'  'p99(/^Request/)>20ms'  'new(/alloc/)'\n"
    "Exit status: 0 compared, 1 a side cannot be opened, 2 wrong usage, 3 a condition holds,\n"
    "4 a name of --per or of a condition is on neither side.\n";

// Whatever `parse` reads, handed to `take`.
template <class Parse, class Take>
auto taking(Parse parse, Take take) {
  return [parse, take](const std::string& text) -> Status {
    auto read = parse(text);
    if (!read) return read.error();
    take(std::move(*read));
    return ok();
  };
}

Result<double> percent_of(std::string_view text) {
  if (text.ends_with('%')) text.remove_suffix(1);
  const auto number = parse_number<double>(text);
  if (number && *number >= 0 && *number <= 1e6) return *number / 100;
  return refused("give percents, e.g. 5");
}

Status take_only(CompareOptions& compare, std::string_view text) {
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    const auto verdict = verdict_of_word(word);
    if (verdict) {
      compare.only.push_back(*verdict);
    } else if (word == "all") {
      compare.with_small = true;
    } else {
      return refused("give more, less, same, new, gone, unclear, small or all, with commas");
    }
    if (comma == std::string_view::npos) return ok();
    text.remove_prefix(comma + 1);
  }
}

void add_what_is_measured(CLI::App& command, CompareOptions& compare) {
  command
      .add_option_function<std::string>(
          "--measure",
          [&compare](const std::string& word) { compare.measure = measure_of_word(word); },
          "what is compared of each name (default: self)")
      ->check(CLI::IsMember({"self", "total", "mean", "median", "p90", "p99", "count"}));
  auto* per = command.add_option_function<std::string>(
      "--per",
      [&compare](const std::string& name) {
        compare.numbers.scale = Scale::per;
        compare.numbers.per = name;
      },
      "divide by how many calls of this name a run has");
  command
      .add_flag_callback(
          "--share", [&compare] { compare.numbers.scale = Scale::share; },
          "divide by the run's self time")
      ->excludes(per);
  add_time(command, "--from", compare.part.from, "begin of the range to compare, of both sides");
  add_time(command, "--to", compare.part.to, "its end, which is no longer part of it");
  add_threads(command, compare.part.threads, "only this thread of both sides; may be repeated");
  command
      .add_option_function<std::string>(
          "--slices",
          [&compare](const std::string& word) { compare.part.slices = slices_of_word(word); },
          "what is measured: calls, samples or both; calls by default, samples where there are "
          "no calls")
      ->check(CLI::IsMember({"calls", "samples", "both"}));
  command.add_flag("--whole", compare.part.whole_calls,
                   "count calls that overlap the range with all of their time");
}

void add_names_and_verdicts(CLI::App& command, CompareOptions& compare) {
  add_read(command, "--match",
           "rules for names: usual, exact, or RULE=off|rest|always with commas; rules: demangle, "
           "addresses, lambdas, hashes, lines, templates, numbers, case",
           "RULES", taking(parse_name_rules, [&compare](const NameRules& rules) {
             compare.rules.states = rules.states;
           }));
  add_read(command, "--rename",
           "names that match become TEXT, where \\1 is the first group; may be repeated",
           "REGEX=TEXT", taking(parse_rename, [&compare](Rename rename) {
             compare.rules.renames.push_back(std::move(rename));
           }));
  command
      .add_option("--min", compare.min,
                  "what the larger side must reach: 1ms, a number of calls, or 0.1% of shares")
      ->type_name("VALUE");
  add_read(command, "--noise", "where nothing can be tested, larger changes count (default: 5)",
           "PERCENT",
           taking(percent_of, [&compare](double noise) { compare.numbers.noise = noise; }));
  add_read(command, "--same", "an interval within is no change (default: 2)", "PERCENT",
           taking(percent_of, [&compare](double same) { compare.numbers.same = same; }));
  add_read(command, "--fail-if", "exit status 3 if this holds; may be repeated", "CONDITION",
           taking(parse_condition, [&compare](Condition condition) {
             compare.conditions.push_back(std::move(condition));
           }));
}

void add_output(CLI::App& command, CompareOptions& compare) {
  using Form = CompareOptions::Form;
  constexpr std::pair<const char*, Form> kForms[] = {{"--json", Form::json},
                                                     {"--csv", Form::csv},
                                                     {"--markdown", Form::markdown},
                                                     {"--tree", Form::tree}};
  constexpr const char* kHelp[] = {"as JSON", "as CSV", "as a table in Markdown",
                                   "chains of calls with the self times of A and B"};
  std::vector<CLI::Option*> before;
  CLI::Option* csv = nullptr;
  for (std::size_t i = 0; i < std::size(kForms); ++i) {
    CLI::Option* flag = command.add_flag_callback(
        kForms[i].first, [&compare, form = kForms[i].second] { compare.form = form; }, kHelp[i]);
    for (CLI::Option* other : before) flag->excludes(other);
    before.push_back(flag);
    if (kForms[i].second == Form::csv) csv = flag;
  }
  command
      .add_flag("--spreadsheet", compare.spreadsheet,
                "in the CSV ' stands before names that a spreadsheet would take for a formula")
      ->needs(csv);
  add_read(command, "--only",
           "verdicts that are listed: more, less, same, new, gone, unclear, "
           "small, all",
           "VERDICT,...", [&compare](const std::string& text) { return take_only(compare, text); });
  command
      .add_option_function<std::string>(
          "--sort", [&compare](const std::string& word) { compare.sort = *row_sort_of_word(word); },
          "largest first, names from A, p the smallest first (default: difference)")
      ->check(CLI::IsMember({"difference", "change", "a", "b", "name", "p"}));
  command.add_option("--names", compare.names,
                     "how many names; 0 for all (default: 40 as text, else all)");
  command
      .add_option("--save-side", compare.save_side,
                  "write the numbers of B's runs, or of the only SIDE, to this file: a side for "
                  "later comparisons")
      ->type_name("FILE");
  command.add_option("-o,--out", compare.out, "write to this file; - is standard output")
      ->type_name("PATH");
  command.add_flag("--force", compare.force, "replace files that exist");
}

}  // namespace

CLI::App* add_compare_command(CLI::App& app, CompareOptions& compare) {
  CLI::App* command =
      app.add_subcommand("compare", "compare two traces, or two sets of runs, name by name");
  command->footer(kSides + std::string(kTimes));
  for (const auto& [name, help] : {std::pair{"A", "the old side"}, {"B", "the new side"}}) {
    command
        ->add_option_function<std::string>(
            name, [&compare](const std::string& side) { compare.sides.push_back(side); }, help)
        ->type_name("SIDE");
  }
  command->add_option("--a", compare.a, "runs of A, one by one")->type_name("FILE...");
  command->add_option("--b", compare.b, "runs of B, one by one")->type_name("FILE...");
  add_what_is_measured(*command, compare);
  add_names_and_verdicts(*command, compare);
  add_output(*command, compare);
  add_load_options(*command, compare.load);
  return command;
}

}  // namespace cinderscope
