// The commands about what a comparison shows: how its lanes line up, its names and flame graph.
#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "app/commands/arguments.h"
#include "app/compare/comparison_output.h"
#include "app/store/settings.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/view.h"
#include "app/window/panels/compare/compared_names_panel.h"
#include "app/window/panels/table_saver.h"
#include "app/window/tab.h"
#include "ingest/base/number_text.h"
#include "ingest/base/path_text.h"
#include "ingest/os/atomic_file.h"
#include "ingest/totals/durations/duration_histogram.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

// "call NAME K": K is a number behind a name in quotes, or the last word.
Status line_up_call(ComparePage& page, std::string_view text) {
  std::string name(text);
  std::uint64_t k = 1;
  std::string_view behind = text;
  if (const auto quoted = text.starts_with('"') ? take_word(behind) : std::nullopt) {
    name = *quoted;
    if (!behind.empty()) k = parse_number<std::uint64_t>(behind).value_or(0);
  } else if (const std::size_t blank = text.rfind(' '); blank != std::string_view::npos) {
    if (const auto number = parse_number<std::uint64_t>(text.substr(blank + 1))) {
      k = *number;
      name.resize(blank);
    }
  }
  if (k == 0) return refused("line-up call needs a number from 1 on behind the name.");
  return page.line_up_call(name, k);
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
      return page.line_up_mark(whole_rest(text));
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

Status pair_by(AppContext& app, const CommandArguments& arguments) {
  app.controllers().view->stop();
  page_of(app).set_pair_by(arguments.is("none") ? "" : arguments.text());
  return ok();
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

template <int kBy>
Status step_name(AppContext& app, const CommandArguments& /*arguments*/) {
  ComparePage& page = page_of(app);
  if (page.answers.comparison() == nullptr) return refused("The traces are still being compared.");
  if (page.lane(side_a).panel<ComparedNamesPanel>().step(kBy)) return ok();
  return refused(kBy < 0 ? "This is the first row." : "This is the last row.");
}

Status go(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  const auto name = page.selected_name();
  if (!name) return refused("No name is selected.");
  const std::string& side = arguments.text(1);
  const std::string& which = arguments.text();  // empty: the longest
  const NamedCall wanted = which == "p99"        ? NamedCall::p99
                           : which == "median"   ? NamedCall::median
                           : which == "shortest" ? NamedCall::shortest
                                                 : NamedCall::longest;
  app.controllers().view->stop();
  const std::optional<Side> only = side.empty()  ? std::nullopt
                                   : side == "a" ? std::optional(side_a)
                                                 : std::optional(side_b);
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
                                    std::span<const std::uint32_t> rows, bool spreadsheet) {
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
  if (path.ends_with(".txt")) return comparison_text(output);
  const auto form = table_text_of(path);
  if (!form) return refused("A comparison is saved as .json, .csv, .tsv, .jsonl, .md or .txt.");
  if (*form == TableText::markdown) return comparison_markdown(output);
  return comparison_table(output, {*form, spreadsheet});
}

Status save(AppContext& app, const CommandArguments& arguments) {
  ComparePage& page = page_of(app);
  if (page.answers.comparison() == nullptr) return refused("The traces are still being compared.");
  ComparedOrder order = page.choice.order;
  order.wanted = (1U << kVerdicts) - 1;
  order.filter.clear();
  const auto rows = compared_rows(*page.answers.sides(), *page.answers.comparison(), order);
  if (!rows) return rows.error();
  Result<std::string> text =
      comparison_file(page, arguments.text(), *rows, app.settings().spreadsheet_texts);
  if (!text) return text.error();
  app.controllers().tables->write(
      arguments,
      [text = std::move(*text)](const std::string& path, const std::atomic<bool>& /*ends*/) {
        return replace_file(path_of(path), text);
      },
      fmt::format("{} names saved to {}", count_text(rows->size()), arguments.text()));
  return ok();
}

std::vector<std::string> offered_path(AppContext& app) {
  return {table_path_beside(*app.tabs().shown(), "comparison", ".json")};
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
  const auto text = comparison_file(page, ".tsv", *rows, app.settings().spreadsheet_texts);
  if (!text) return text.error();
  app.copy(*text);
  app.say_of_shown(fmt::format("{} rows copied", count_text(rows->size())));
  return ok();
}

using Needs = CommandNeeds;

constexpr Command kCompareViewCommands[] = {
    {"line-up", "starts|clock|mark|call|hand [TEXT]", "", "Line up both timelines",
     CommandGroup::compare, Needs::comparison, line_up},
    {"next-pair", "", ".", "Next pair of calls", CommandGroup::compare, Needs::comparison,
     step_pair<1>},
    {"previous-pair", "", ",", "Previous pair of calls", CommandGroup::compare, Needs::comparison,
     step_pair<-1>},
    {"pair-by", "TEXT", "", "Pair calls by an argument: its key, or none", CommandGroup::compare,
     Needs::comparison, pair_by},
    {"compare-stretch", "[on|off]", "", "Stretch B to the width of A's call", CommandGroup::compare,
     Needs::comparison, stretch},
    {"compare-select", "NAME", "", "Select a compared name", CommandGroup::compare,
     Needs::comparison, select_name},
    {"compare-go", "longest|p99|median|shortest [a|b]", "", "Go to a call of the selected name",
     CommandGroup::compare, Needs::comparison, go},
    {"compare-longest", "", "Alt+Enter", "Go to the longest calls of the selected name",
     CommandGroup::compare, Needs::comparison, go},
    {"next-name", "", "Alt+Down", "Select the next compared name", CommandGroup::compare,
     Needs::comparison, step_name<1>},
    {"previous-name", "", "Alt+Up", "Select the previous compared name", CommandGroup::compare,
     Needs::comparison, step_name<-1>},
    {"compare-filter", "all|every|more|less|new|gone|new-gone|same|unclear|small", "",
     "Show names of one verdict", CommandGroup::compare, Needs::comparison, filter},
    {"compare-text", "[WORDS]", "", "Show the compared names that contain WORDS",
     CommandGroup::compare, Needs::comparison, filter_text},
    {"compare-sort",
     "COLUMN",
     "",
     "Sort the compared names",
     CommandGroup::compare,
     Needs::comparison,
     sort,
     {},
     columns},
    {"compare-column",
     "COLUMN",
     "",
     "Show or hide a column of compared names",
     CommandGroup::compare,
     Needs::comparison,
     column,
     {},
     columns},
    {"flame-width", "mean|a|b", "", "Width of boxes in the compared flame graph",
     CommandGroup::compare, Needs::comparison, flame_width},
    {"flame-by-self", "[on|off]", "", "Colour the compared flame graph by self time",
     CommandGroup::compare, Needs::comparison, flame_by_self},
    {"side-by-side", "[on|off]", "", "Names, flame graph and histogram side by side",
     CommandGroup::compare, Needs::comparison, side_by_side},
    {"save-comparison",
     "PATH [force]",
     "",
     "Save the comparison",
     CommandGroup::compare,
     Needs::comparison,
     save,
     {},
     offered_path},
    {"copy-comparison", "[row]", "", "Copy the compared names", CommandGroup::compare,
     Needs::comparison, copy},
};

}  // namespace

std::span<const Command> compare_view_commands() {
  return kCompareViewCommands;
}

}  // namespace cinderscope
