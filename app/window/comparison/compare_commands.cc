// The commands about comparisons.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/commands/arguments.h"
#include "app/compare/comparison_output.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/view.h"
#include "app/window/panels/save_table.h"
#include "app/window/tab.h"
#include "ingest/base/number_text.h"
#include "ingest/os/atomic_file.h"
#include "ingest/search/typed_thread.h"
#include "ingest/totals/duration_histogram.h"
#include "render/layout/track_list.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

CompareController& compare_of(AppContext& app) {
  return *app.controllers().compare;
}

ComparePage& page_of(AppContext& app) {
  return *compare_of(app).shown();
}

// "NAME" in quotes, or the text as it stands, and what is behind the quotes.
struct QuotedName {
  std::string name;
  std::string_view rest;
  bool quoted = false;
};
QuotedName quoted_name(std::string_view text) {
  QuotedName out;
  if (text.empty() || text.front() != '"') return {std::string(text), {}, false};
  std::size_t i = 1;
  for (; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out.name += text[i];
  }
  out.rest = text.substr(std::min(i + 1, text.size()));
  while (out.rest.starts_with(' ')) out.rest.remove_prefix(1);
  out.quoted = true;
  return out;
}

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
    options.per = quoted_name(arguments.text(1)).name;
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
                      page.session(kSideA).timeline().axis == TimeAxis::nanoseconds;
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
  OfSides<ComparedPart> parts = {sources[kSideA].part, sources[kSideB].part};
  const std::string& what = arguments.text();
  if (what == "all") {
    parts = {};
  } else if (what == "range") {
    for (const Side side : {kSideA, kSideB}) {
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
    for (const Side side : {kSideA, kSideB}) {
      if (const auto meant = tracks_meant(page.session(side).timeline(), *threads); !meant) {
        return refused(fmt::format("{}: {}", side == kSideA ? "A" : "B", meant.error().text));
      }
      parts[side].threads = *threads;
    }
  } else if (what == "whole") {
    for (ComparedPart& each : parts) each.whole_calls = !each.whole_calls;
  } else {
    for (ComparedPart& each : parts) each.slices = slices_of_word(what);
  }
  for (const Side side : {kSideA, kSideB}) sources[side].part = std::move(parts[side]);
  page.answers.sources_changed();
  return ok();
}

// "call NAME K": K is a number behind a name in quotes, or the last word.
Status line_up_call(ComparePage& page, std::string_view text) {
  QuotedName name = quoted_name(text);
  std::uint64_t k = 1;
  if (name.quoted) {
    if (!name.rest.empty()) k = parse_number<std::uint64_t>(name.rest).value_or(0);
  } else if (const std::size_t blank = name.name.rfind(' '); blank != std::string::npos) {
    const auto number = parse_number<std::uint64_t>(std::string_view(name.name).substr(blank + 1));
    if (number) {
      k = *number;
      name.name.resize(blank);
    }
  }
  if (k == 0) return refused("line-up call needs a number from 1 on behind the name.");
  return page.line_up_call(name.name, k);
}

Status line_up(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  app.controllers().view->stop();
  const std::string& text = arguments.text(1);
  switch (*line_up_of_word(arguments.text())) {
    case LineUpHow::starts:
      return page.line_up_starts();
    case LineUpHow::clock:
      return page.line_up_clock();
    case LineUpHow::mark:
      return page.line_up_mark(quoted_name(text).name);
    case LineUpHow::call:
      if (text.empty()) return refused("line-up call needs a name.");
      return line_up_call(page, text);
    case LineUpHow::hand:
      break;
  }
  const bool back = text.starts_with('-');
  const Result<std::int64_t> offset =
      typed_duration(back || text.starts_with('+') ? std::string_view(text).substr(1) : text);
  if (!offset) return offset.error();
  page.line_up_hand(back ? -*offset : *offset);
  return ok();
}

template <int kBy>
Status step_pair(AppContext& app, const CommandArguments& /*arguments*/) {
  app.controllers().view->stop();
  return page_of(app).step_pair(kBy);
}

Status stretch(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  const bool on = arguments.switched(page.line_up().stretch != 1);
  if (on && page.line_up().how != LineUpHow::call) {
    return refused("Only two calls that line up can be stretched to equal width.");
  }
  page.set_stretch(on);
  return ok();
}

Status select_name(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  if (page.answers.sides() == nullptr) return refused("The traces are still being compared.");
  const ComparedSides& sides = *page.answers.sides();
  std::optional<std::uint32_t> name = find_name(sides, arguments.text());
  if (!name && arguments.text().starts_with('#')) {  // by its number, as views say it
    name = parse_number<std::uint32_t>(std::string_view(arguments.text()).substr(1));
    if (name && *name >= sides.names.names.size()) name.reset();
  }
  if (!name) return refused(fmt::format("Neither side has calls of \"{}\".", arguments.text()));
  page.select_name(page.answers.sides()->names.names[*name].text);
  return ok();
}

Status go(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  const auto name = page.selected_name();
  if (!name) return refused("No name is selected.");
  const std::string& side = arguments.text(1);
  const std::string& which = arguments.text();
  const NamedCall wanted = which == "p99"        ? NamedCall::p99
                           : which == "median"   ? NamedCall::median
                           : which == "shortest" ? NamedCall::shortest
                                                 : NamedCall::longest;
  app.controllers().view->stop();
  const std::optional<Side> only = side.empty()  ? std::nullopt
                                   : side == "a" ? std::optional(kSideA)
                                                 : std::optional(kSideB);
  return page.go_to_call(only, *name, wanted);
}

Status filter(AppContext& app, const CommandArguments& arguments) {
  ComparedOrder& order = page_of(app).choice.order;
  if (arguments.is("all")) {
    order.wanted = 0;
  } else if (arguments.is("every")) {
    order.wanted = (1U << kVerdicts) - 1;
  } else if (arguments.is("new-gone")) {
    order.wanted = bit_of(Verdict::added) | bit_of(Verdict::gone);
  } else {
    order.wanted = bit_of(*verdict_of_word(arguments.text()));
  }
  app.controllers().panels->show("names");
  return ok();
}

Status filter_text(AppContext& app, const CommandArguments& arguments) {
  page_of(app).choice.order.filter = arguments.text();
  return ok();
}

std::vector<std::string> columns(AppContext& /*app*/) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < kComparedFields; ++i) {
    keys.emplace_back(key_of(static_cast<ComparedField>(i)));
  }
  return keys;
}

Status sort(AppContext& app, const CommandArguments& arguments) {
  ComparedOrder& order = page_of(app).choice.order;
  const ComparedField field = *compared_field(arguments.text());
  const bool same = order.field == field;
  order.descending = same ? !order.descending : field != ComparedField::name;
  order.field = field;
  return ok();
}

Status column(AppContext& app, const CommandArguments& arguments) {
  CompareChoice& choice = page_of(app).choice;
  const ComparedField field = *compared_field(arguments.text());
  if (field == ComparedField::name) return refused("The names stay.");
  const bool usual = static_cast<std::size_t>(field) < kUsualFields;
  std::vector<ComparedField>& list = usual ? choice.fewer_fields : choice.more_fields;
  if (std::erase(list, field) == 0) list.push_back(field);
  return ok();
}

Status flame_width(AppContext& app, const CommandArguments& arguments) {
  FlameChoice& flame = page_of(app).choice.flame;
  flame.width = arguments.is("a")   ? TreeWidth::a
                : arguments.is("b") ? TreeWidth::b
                                    : TreeWidth::mean;
  return ok();
}

Status flame_by_self(AppContext& app, const CommandArguments& arguments) {
  FlameChoice& flame = page_of(app).choice.flame;
  flame.by_self = arguments.switched(flame.by_self);
  return ok();
}

Status side_by_side(AppContext& app, const CommandArguments& arguments) {
  bool& on = page_of(app).choice.side_by_side;
  on = arguments.switched(on);
  return ok();
}

Result<std::string> comparison_file(const ComparePage& page, std::string_view path,
                                    std::span<const std::uint32_t> rows) {
  const CompareAnswers& answers = page.answers;
  const ComparisonOutput output{.sides = *answers.sides(),
                                .comparison = *answers.comparison(),
                                .rules = answers.rules(),
                                .rows = rows};
  if (path.ends_with(".json")) {
    JsonWriter out;
    write_comparison(out, output);
    return out.str() + "\n";
  }
  if (path.ends_with(".csv")) return comparison_csv(output);
  if (path.ends_with(".tsv")) return comparison_csv(output, '\t');
  if (path.ends_with(".md")) return comparison_markdown(output);
  if (path.ends_with(".txt")) return comparison_text(output);
  return refused("A comparison is saved as .json, .csv, .tsv, .md or .txt.");
}

Status save(AppContext& app, const CommandArguments& arguments) {
  if (Status allowed = may_write(arguments); !allowed) return allowed;
  ComparePage& page = page_of(app);
  if (page.answers.comparison() == nullptr) return refused("The traces are still being compared.");
  ComparedOrder order = page.choice.order;
  order.wanted = (1U << kVerdicts) - 1;
  order.filter.clear();
  const auto rows = compared_rows(*page.answers.sides(), *page.answers.comparison(), order);
  if (!rows) return rows.error();
  const Result<std::string> text = comparison_file(page, arguments.text(), *rows);
  if (!text) return text.error();
  if (const Status written = replace_file(arguments.text(), *text); !written) return written;
  app.say_of_shown(fmt::format("{} names saved to {}", count_text(rows->size()), arguments.text()));
  return ok();
}

std::vector<std::string> offered_path(AppContext& app) {
  std::string path = table_path_beside(*app.tabs().shown(), "comparison");
  path.resize(path.size() - 4);
  return {path + ".json"};
}

Status copy(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  if (page.answers.comparison() == nullptr) return refused("The traces are still being compared.");
  auto rows = compared_rows(*page.answers.sides(), *page.answers.comparison(), page.choice.order);
  if (!rows) return rows.error();
  if (arguments.is("row")) {
    const auto name = page.selected_name();
    std::erase_if(*rows, [&](std::uint32_t row) {
      return page.answers.comparison()->rows[row].name != name;
    });
  }
  const auto text = comparison_file(page, ".tsv", *rows);
  if (!text) return text.error();
  app.copy(*text);
  app.say_of_shown(fmt::format("{} rows copied", count_text(rows->size())));
  return ok();
}

Status add_runs(AppContext& app, const CommandArguments& arguments) {
  return compare_of(app).add_runs(arguments.is("a") ? kSideA : kSideB, {arguments.text(1)});
}

// N from 1 on, in the order of the panel.
Status use_run(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  CompareSource& source = page.answers.sources()[arguments.is("a") ? kSideA : kSideB];
  const auto run = static_cast<std::size_t>(arguments.number(1).value_or(0));
  if (run < 1 || run > source.paths.size()) return refused("There is no such run.");
  source.left_out.resize(source.paths.size());
  const bool leaves = arguments.is("a") || arguments.is("b");
  if (leaves) source.left_out[run - 1] = !source.left_out[run - 1];
  const auto used = std::ranges::count(source.left_out, false);
  if (used == 0) {
    source.left_out[run - 1] = false;
    return refused("A side needs a run.");
  }
  page.answers.sources_changed();
  return ok();
}

Status pair_threads_by_hand(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  const auto a = parse_number<std::uint32_t>(arguments.text(0)),
             b = parse_number<std::uint32_t>(arguments.text(1));
  const OfSides<ShownRun>& runs = page.answers.shown_runs();
  const bool known = a && b && runs[kSideA].measured != nullptr &&
                     runs[kSideB].measured != nullptr && *a >= 1 && *b >= 1 &&
                     *a <= runs[kSideA].measured->threads.size() &&
                     *b <= runs[kSideB].measured->threads.size();
  if (!known) return refused("There are no such threads.");
  page.answers.pair_by_hand({*a - 1, *b - 1});
  return ok();
}

Status dismiss(AppContext& app, const CommandArguments& arguments) {
  page_of(app).choice.dismissed.insert(arguments.text());
  return ok();
}

constexpr auto kGroup = CommandGroup::compare;
using Needs = CommandNeeds;

constexpr Command kCommands[] = {
    {"compare", "[PATH PATH]", "", "Compare two traces", kGroup, Needs::nothing, compare},
    {"compare-with", "PATH", "", "Compare this trace with another one", kGroup, Needs::single_trace,
     compare_with},
    {"compare-range", "[as-a|as-b|rest|before|none]", "", "Compare the selected range", kGroup,
     Needs::single_trace, compare_range},
    {"compare-swap", "", "", "Swap A and B", kGroup, Needs::comparison, swap},
    {"compare-measure", "self|total|mean|median|p90|p99|count", "", "What is compared", kGroup,
     Needs::comparison, measure},
    {"compare-scale", "recorded|per|share [TEXT]", "",
     "Compare as recorded, per call of a name or as share", kGroup, Needs::comparison, scale},
    {"compare-part", "all|range|threads|thread|calls|samples|both|whole [NAME]", "",
     "What part of both is compared", kGroup, Needs::comparison, part},
    {"compare-match", "TEXT", "", "Rules for names: usual, exact, RULE=off|rest|always", kGroup,
     Needs::comparison, match},
    {"compare-rule", "TEXT", "", "Change one rule for names", kGroup, Needs::comparison, rule},
    {"compare-rename", "TEXT", "", "Rename before comparing: REGEX=TEXT, or none", kGroup,
     Needs::comparison, rename},
    {"compare-min", "TEXT", "", "Least value that is compared, or default", kGroup,
     Needs::comparison, least},
    {"compare-unit", "[TEXT]", "", "Divide the times of B", kGroup, Needs::comparison, unit},
    {"line-up", "starts|clock|mark|call|hand [TEXT]", "", "Line up both timelines", kGroup,
     Needs::comparison, line_up},
    {"next-pair", "", ".", "Next pair of calls", kGroup, Needs::comparison, step_pair<1>},
    {"previous-pair", "", ",", "Previous pair of calls", kGroup, Needs::comparison, step_pair<-1>},
    {"compare-stretch", "[on|off]", "", "Stretch B to the width of A's call", kGroup,
     Needs::comparison, stretch},
    {"compare-select", "NAME", "", "Select a compared name", kGroup, Needs::comparison,
     select_name},
    {"compare-go", "longest|p99|median|shortest [a|b]", "", "Go to a call of the selected name",
     kGroup, Needs::comparison, go},
    {"compare-filter", "all|every|more|less|new|gone|new-gone|same|unclear|small", "",
     "Show names of one verdict", kGroup, Needs::comparison, filter},
    {"compare-text", "[WORDS]", "", "Show the compared names that contain WORDS", kGroup,
     Needs::comparison, filter_text},
    {"compare-sort",
     "COLUMN",
     "",
     "Sort the compared names",
     kGroup,
     Needs::comparison,
     sort,
     {},
     columns},
    {"compare-column",
     "COLUMN",
     "",
     "Show or hide a column of compared names",
     kGroup,
     Needs::comparison,
     column,
     {},
     columns},
    {"flame-width", "mean|a|b", "", "Width of boxes in the compared flame graph", kGroup,
     Needs::comparison, flame_width},
    {"flame-by-self", "[on|off]", "", "Colour the compared flame graph by self time", kGroup,
     Needs::comparison, flame_by_self},
    {"side-by-side", "[on|off]", "", "Names, flame graph and histogram side by side", kGroup,
     Needs::comparison, side_by_side},
    {"save-comparison",
     "PATH [force]",
     "",
     "Save the comparison",
     kGroup,
     Needs::comparison,
     save,
     {},
     offered_path},
    {"copy-comparison", "[row]", "", "Copy the compared names", kGroup, Needs::comparison, copy},
    {"add-runs", "a|b PATH", "", "Add a run to a side", kGroup, Needs::comparison, add_runs},
    {"use-run", "a|b N", "", "Leave out a run, or count it again", kGroup, Needs::comparison,
     use_run},
    {"pair-threads", "N N", "", "Pair a thread of A with one of B", kGroup, Needs::comparison,
     pair_threads_by_hand},
    {"dismiss-comparison-note", "TEXT", "", "Close a sentence about the comparison", kGroup,
     Needs::comparison, dismiss},
};

}  // namespace

std::span<const Command> compare_commands() {
  return kCommands;
}

}  // namespace cinderscope
