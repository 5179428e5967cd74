// The commands about what a comparison compares: its sides, parts, rules and measures.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/tab.h"
#include "ingest/base/number_text.h"
#include "ingest/search/typed_thread.h"
#include "render/layout/track_list.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

// Without arguments the two traces that are open.
Status compare(AppContext& app, const CommandArguments& arguments) {
  if (!arguments.empty()) {
    if (arguments.text(1).empty()) return refused("compare needs A and B.");
    return compare_of(app).start(arguments.text(0), arguments.text(1));
  }
  std::vector<std::string> paths;
  for (const auto& tab : app.tabs().all) {
    if (!is_lane(*tab)) paths.push_back(tab->session->path());
  }
  if (paths.size() != 2) {
    return refused("Without A and B, \"compare\" compares the two traces that are open.");
  }
  SideText a, b;
  a.paths = {paths[0]};
  b.paths = {paths[1]};
  compare_of(app).start(std::move(a), std::move(b));
  return ok();
}

Status compare_with(AppContext& app, const CommandArguments& arguments) {
  SideText a;
  a.paths = {app.tabs().shown()->session->path()};
  const std::string quoted = a.paths.front();
  return compare_of(app).start(quoted, arguments.text());
}

Status compare_range(AppContext& app, const CommandArguments& arguments) {
  CompareController& compare = compare_of(app);
  if (arguments.is("as-b")) return compare.compare_kept_range();
  if (arguments.is("none")) {
    compare.forget_range();
    return ok();
  }
  if (arguments.is("rest")) return compare.compare_range_with_rest();
  if (arguments.is("before")) return compare.compare_range_with_before();
  return compare.keep_range();
}

Status swap(AppContext& app, const CommandArguments& /*arguments*/) {
  return compare_of(app).swap();
}

Status measure(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  ComparisonOptions options = page.answers.options();
  options.measure = *measure_of_word(arguments.text());
  if (!is_sum(options.measure)) options.scale = Scale::recorded;
  options.min.reset();  // its default depends on the measure
  return page.answers.set_options(std::move(options));
}

Status scale(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  ComparisonOptions options = page.answers.options();
  options.scale = arguments.is("per")     ? Scale::per
                  : arguments.is("share") ? Scale::share
                                          : Scale::recorded;
  options.per.clear();
  options.min.reset();
  if (options.scale == Scale::per) {
    options.per = whole_rest(arguments.text(1));
    if (options.per.empty()) return refused("compare-scale per needs a name.");
  }
  return page.answers.set_options(std::move(options));
}

Status least(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  ComparisonOptions options = page.answers.options();
  options.min.reset();
  if (!arguments.is("default")) {
    const bool time = is_duration(options.measure) && options.scale == Scale::recorded &&
                      page.axis() == TimeAxis::nanoseconds;
    if (time) {
      const Result<std::int64_t> typed = typed_duration(arguments.text());
      if (!typed) return typed.error();
      options.min = static_cast<double>(*typed);
    } else {
      options.min = parse_number<double>(arguments.text());
      if (!options.min) return refused("compare-min needs a number.");
    }
  }
  return page.answers.set_options(std::move(options));
}

Status unit(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  ComparisonOptions options = page.answers.options();
  if (!arguments.empty()) {
    const auto divisor = parse_number<double>(arguments.text());
    if (!divisor || !(*divisor > 0)) return refused("compare-unit needs a number.");
    options.b_divisor = *divisor;
  } else {
    const ComparedSides* sides = page.answers.sides();
    if (sides == nullptr || !sides->warnings.unit_factor) {
      return refused("The units of both sides look alike.");
    }
    const double factor = *sides->warnings.unit_factor;
    options.b_divisor = sides->warnings.unit_in_b ? factor : 1 / factor;
  }
  return page.answers.set_options(std::move(options));
}

Status match(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  Result<NameRules> rules = parse_name_rules(arguments.text());
  if (!rules) return rules.error();
  if (!arguments.is("usual")) rules->renames = page.answers.rules().renames;
  page.answers.set_rules(std::move(*rules));
  return ok();
}

// One rule, the others as they are.
Status rule(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  const Result<NameRules> typed = parse_name_rules(arguments.text());
  if (!typed) return typed.error();
  const std::string_view word =
      std::string_view(arguments.text()).substr(0, arguments.text().find('='));
  NameRules rules = page.answers.rules();
  for (std::size_t i = 0; i < kNameRules; ++i) {
    if (word == word_of(static_cast<NameRule>(i))) rules.states.at(i) = typed->states.at(i);
  }
  page.answers.set_rules(std::move(rules));
  return ok();
}

Status rename(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  NameRules rules = page.answers.rules();
  if (arguments.is("none")) {
    rules.renames.clear();
  } else {
    const Result<Rename> made = parse_rename(arguments.text());
    if (!made) return made.error();
    rules.renames.push_back(*made);
    if (const auto usable = Renamer::of(rules.renames); !usable) return usable.error();
  }
  page.answers.set_rules(std::move(rules));
  return ok();
}

// By compared name; the sides' names that became it are ignored as they were read.
Status ignore(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  if (arguments.is("none")) {
    page.answers.set_ignored({});
    return ok();
  }
  if (page.answers.sides() == nullptr) return refused("The traces are still being compared.");
  const ComparedSides& sides = *page.answers.sides();
  for (const CompareSource& source : page.answers.sources()) {
    if (source.has_saved()) {
      return refused("A saved side has no calls whose time could be their callers'.");
    }
  }
  const auto name = find_name(sides, arguments.text());
  if (!name) return refused(fmt::format("Neither side has calls of \"{}\".", arguments.text()));
  std::vector<std::string> ignored = page.answers.ignored();
  for (const Side side : {side_a, side_b}) {
    for (const std::uint32_t each : sides.names.names[*name].names[side]) {
      ignored.emplace_back(sides.side_names[side][each]);
    }
  }
  std::ranges::sort(ignored);
  ignored.erase(std::unique(ignored.begin(), ignored.end()), ignored.end());
  page.answers.set_ignored(std::move(ignored));
  return ok();
}

// The threads that are selected in the gutter, by name.
Result<std::vector<TypedThread>> selected_threads_of(const Session& session) {
  std::vector<TypedThread> threads;
  const Timeline& timeline = session.timeline();
  for (const TrackId track : selected_threads(session.state())) {
    Result<TypedThread> typed =
        typed_thread(quoted_argument(track_label(timeline, timeline.tracks[index(track)])));
    if (!typed) return typed.error();
    threads.push_back(std::move(*typed));
  }
  if (threads.empty()) return refused("No thread is selected in the gutter.");
  return threads;
}

Status part(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  OfSides<CompareSource>& sources = page.answers.sources();
  OfSides<ComparedPart> parts = {sources[side_a].part, sources[side_b].part};
  const std::string& what = arguments.text();
  if (sources[side_a].has_saved() || sources[side_b].has_saved()) {
    return refused("A saved side has no calls of which a part could be taken.");
  }
  if (what == "all") {
    parts = {};
  } else if (what == "range") {
    for (const Side side : {side_a, side_b}) {
      const std::optional<TimeRange>& range = page.session(side).state().range;
      if (!range) return refused("No range is selected.");
      const auto from = typed_time(std::to_string(range->begin_ns)),
                 to = typed_time(std::to_string(range->end_ns));
      if (!from || !to) return (from ? to : from).error();
      parts[side].from = *from;
      parts[side].to = *to;
    }
  } else if (what == "threads" || what == "thread") {
    Result<std::vector<TypedThread>> threads =
        what == "threads" ? selected_threads_of(*app.tabs().shown()->session)
                          : Result<std::vector<TypedThread>>(std::vector<TypedThread>());
    if (!threads) return threads.error();
    if (what == "thread") {
      const std::string& name = arguments.text(1);
      Result<TypedThread> typed = typed_thread(name);
      if (!typed) return typed.error();
      threads->push_back(std::move(*typed));
    }
    for (const Side side : {side_a, side_b}) {
      if (const auto meant = tracks_meant(page.session(side).timeline(), *threads); !meant) {
        return refused(fmt::format("{}: {}", side == side_a ? "A" : "B", meant.error().text));
      }
      parts[side].threads = *threads;
    }
  } else if (what == "whole") {
    for (ComparedPart& each : parts) each.whole_calls = !each.whole_calls;
  } else {
    for (ComparedPart& each : parts) each.slices = slices_of_word(what);
  }
  for (const Side side : {side_a, side_b}) sources[side].part = std::move(parts[side]);
  page.answers.sources_changed();
  return ok();
}

Status dismiss(AppContext& app, const CommandArguments& arguments) {
  page_of(app).choice.dismissed.insert(without_numbers(arguments.text()));
  return ok();
}

using Needs = CommandNeeds;

constexpr Command kCompareCommands[] = {
    {"compare", "[PATH PATH]", "", "Compare two traces", CommandGroup::compare, Needs::nothing,
     compare},
    {"compare-with", "PATH", "", "Compare this trace with another one", CommandGroup::compare,
     Needs::single_trace, compare_with},
    {"compare-range", "[as-a|as-b|rest|before|none]", "", "Compare the selected range",
     CommandGroup::compare, Needs::single_trace, compare_range},
    {"compare-swap", "", "", "Swap A and B", CommandGroup::compare, Needs::comparison, swap},
    {"compare-measure", "self|total|mean|median|p90|p99|count", "", "What is compared",
     CommandGroup::compare, Needs::comparison, measure},
    {"compare-scale", "recorded|per|share [TEXT]", "",
     "Compare as recorded, per call of a name or as share", CommandGroup::compare,
     Needs::comparison, scale},
    {"compare-part", "all|range|threads|thread|calls|samples|both|whole [NAME]", "",
     "What part of both is compared", CommandGroup::compare, Needs::comparison, part},
    {"compare-match", "TEXT", "", "Rules for names: usual, exact, RULE=off|rest|always",
     CommandGroup::compare, Needs::comparison, match},
    {"compare-rule", "TEXT", "", "Change one rule for names", CommandGroup::compare,
     Needs::comparison, rule},
    {"compare-rename", "TEXT", "", "Rename before comparing: REGEX=TEXT, or none",
     CommandGroup::compare, Needs::comparison, rename},
    {"compare-ignore", "NAME", "", "Give the time of a name to its callers, or none",
     CommandGroup::compare, Needs::comparison, ignore},
    {"compare-min", "TEXT", "", "Least value that is compared, or default", CommandGroup::compare,
     Needs::comparison, least},
    {"compare-unit", "[TEXT]", "", "Divide the times of B", CommandGroup::compare,
     Needs::comparison, unit},
    {"dismiss-comparison-note", "TEXT", "", "Close a sentence about the comparison",
     CommandGroup::compare, Needs::comparison, dismiss},
};

}  // namespace

std::span<const Command> compare_commands() {
  static const std::vector<Command> all = [] {
    const std::span<const Command> of_runs = compare_run_commands();
    std::vector<Command> commands(std::begin(kCompareCommands), std::end(kCompareCommands));
    commands.insert(commands.end(), of_runs.begin(), of_runs.end());
    return commands;
  }();
  return all;
}

}  // namespace cinderscope
