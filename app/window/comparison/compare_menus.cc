// The lists of a comparison's head.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/tab.h"
#include "ingest/base/number_text.h"
#include "render/text/file_name.h"
#include "render/text/label.h"
#include "render/text/time_text.h"

namespace cinderscope {

namespace {

constexpr std::size_t kMostThreads = 12, kMostAlone = 10, kNearest = 12, kMostMarks = 12;
constexpr std::size_t kShownNameBytes = 80;

std::string shown_name(std::string_view name) {
  if (name.empty()) return "(no name)";
  return drawable(name.size() > kShownNameBytes ? name.substr(0, kShownNameBytes) : name);
}

class Entries {
 public:
  MenuEntry& add(std::string label, std::string command, std::string argument, bool able = true) {
    if (line_) list.emplace_back();
    line_ = false;
    list.push_back({.label = std::move(label),
                    .calls = {{std::move(command), std::move(argument)}},
                    .enabled = able});
    return list.back();
  }
  void line() { line_ = !list.empty(); }
  std::vector<MenuEntry> list;

 private:
  bool line_ = false;
};

std::vector<MenuEntry> part_menu(const ComparePage& page, const TimelineState& used) {
  Entries menu;
  const OfSides<CompareSource>& sources = page.answers.sources();
  const auto is_whole = [](const ComparedPart& part) {
    return !part.from && !part.to && part.threads.empty();
  };
  menu.add("All of both", "compare-part", "all").checked =
      is_whole(sources[side_a].part) && is_whole(sources[side_b].part);
  menu.add("The selected range", "compare-part", "range", used.range.has_value());
  menu.add("The selected threads", "compare-part", "threads", !used.selected_tracks.empty());
  menu.line();
  std::size_t threads = 0;
  const OfSides<ShownRun>& runs = page.answers.shown_runs();
  for (const ThreadPair& pair : page.answers.thread_pairs()) {
    if (!pair.a || !pair.b || threads++ >= kMostThreads) continue;
    const RunThread& thread = runs[side_a].measured->threads[*pair.a];
    if (thread.name.empty()) continue;
    menu.add("Thread " + shown_name(thread.name), "compare-part",
             "thread " + quoted_argument(thread.name));
  }
  menu.line();
  menu.add("Calls", "compare-part", "calls");
  menu.add("Samples", "compare-part", "samples");
  menu.add("Both", "compare-part", "both");
  menu.line();
  ComparedPart whole = sources[side_a].part;
  menu.add("Include whole calls at range edges", "compare-part", "whole",
           whole.from.has_value() || whole.to.has_value())
      .checked = whole.whole_calls;
  return std::move(menu.list);
}

std::vector<MenuEntry> scale_menu(const ComparePage& page) {
  Entries menu;
  const ComparisonOptions& options = page.answers.options();
  const bool scaled = is_sum(options.measure);
  menu.add("As recorded", "compare-scale", "recorded").checked = options.scale == Scale::recorded;
  std::vector<std::string> names;
  const auto offer = [&](const std::string& name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  if (options.scale == Scale::per) offer(options.per);
  const ComparedSides* sides = page.answers.sides();
  if (sides != nullptr && sides->warnings.per) {
    offer(sides->names.names[*sides->warnings.per].text);
  }
  offer(page.choice.selected);
  for (const std::string& name : names) {
    menu.add("Per call of " + shown_name(name), "compare-scale", "per " + name, scaled).checked =
        options.scale == Scale::per && options.per == name;
  }
  menu.add("Share of the run", "compare-scale", "share", scaled).checked =
      options.scale == Scale::share;
  return std::move(menu.list);
}

std::vector<MenuEntry> names_menu(const ComparePage& page) {
  Entries menu;
  const NameRules& rules = page.answers.rules();
  menu.add("Usual rules", "compare-match", "usual").checked =
      name_rules_text(rules) == "usual" && rules.renames.empty();
  menu.add("Exactly the same text", "compare-match", "exact").checked =
      name_rules_text(rules) == "exact";
  menu.line();
  const ComparedSides* sides = page.answers.sides();
  for (std::size_t i = 0; i < kNameRules; ++i) {
    const auto rule = static_cast<NameRule>(i);
    const RuleState state = rules.of(rule);
    const RuleState next = state == RuleState::off    ? RuleState::rest
                           : state == RuleState::rest ? RuleState::always
                                                      : RuleState::off;
    std::string label = fmt::format("{}: {}", word_of(rule), word_of(state));
    if (sides != nullptr && state != RuleState::off) {
      const auto& changed = sides->names.rules.at(i).changed;
      label += fmt::format("  ({} in A, {} in B)", count_text(changed[side_a]),
                           count_text(changed[side_b]));
    }
    menu.add(std::move(label), "compare-rule", fmt::format("{}={}", word_of(rule), word_of(next)))
        .checked = state != RuleState::off;
  }
  for (const Rename& rename : rules.renames) {
    menu.line();
    menu.add(shown_name(fmt::format("{} = {}", rename.expression, rename.text)), "compare-rename",
             "none");
  }
  if (!page.answers.ignored().empty()) {
    menu.line();
    menu.add(fmt::format("Count {} ignored {} again", count_text(page.answers.ignored().size()),
                         page.answers.ignored().size() == 1 ? "name" : "names"),
             "compare-ignore", "none");
  }
  if (sides == nullptr || page.answers.comparison() == nullptr) return std::move(menu.list);
  // The most expensive names that are alone.
  const Comparison& comparison = *page.answers.comparison();
  const std::uint32_t wanted =
      1U << static_cast<unsigned>(Verdict::added) | 1U << static_cast<unsigned>(Verdict::gone);
  std::size_t alone = 0;
  menu.line();
  for (const std::uint32_t row : rows_in_order(*sides, comparison, RowSort::difference, wanted)) {
    if (alone++ >= kMostAlone) break;
    const ComparedRow& found = comparison.rows[row];
    const std::string& text = sides->names.names[found.name].text;
    menu.add(fmt::format("{} only: {} is the same as…", found.occurs[side_a] ? "A" : "B",
                         shown_name(sides->labels[found.name])),
             "context-menu", "compare-same " + text);
  }
  return std::move(menu.list);
}

// The names of the other side that are alone, the nearest spelling first.
std::vector<MenuEntry> same_menu(const ComparePage& page, std::string_view text) {
  Entries menu;
  const auto name = page.compared_name(text);
  if (!name) return {};
  const ComparedSides& sides = *page.answers.sides();
  const ComparedName& alone = sides.names.names[*name];
  const Side side = alone.in(side_a) ? side_a : side_b;
  const std::atomic<bool> never{false};
  for (const std::uint32_t near :
       nearest_names(sides.names, other(side), alone.text, kNearest, never)) {
    const ComparedName& partner = sides.names.names[near];
    const auto as_read = [&](const ComparedName& of, Side where) {
      return sides.side_names[where][of.names[where].front()];
    };
    const Rename rename = same_as(as_read(alone, side), as_read(partner, other(side)));
    menu.add(shown_name(sides.labels[near]), "compare-rename",
             rename.expression + "=" + rename.text);
  }
  if (menu.list.empty()) menu.add("No name of the other side is alone", "clear", "", false);
  return std::move(menu.list);
}

std::vector<MenuEntry> line_up_menu(const ComparePage& page) {
  Entries menu;
  const LineUp& now = page.line_up();
  menu.add("Starts", "line-up", "starts").checked = now.how == LineUpHow::starts;
  menu.add("Clock, as recorded", "line-up", "clock").checked = now.how == LineUpHow::clock;
  const auto name = page.selected_name();
  const bool in_both = name && page.answers.sides()->names.names[*name].in_both();
  menu.add(in_both ? "Calls of " + shown_name(page.choice.selected) : "Calls of the selected name",
           "line-up", "call " + quoted_argument(page.choice.selected), in_both)
      .checked = now.how == LineUpHow::call && now.name == page.choice.selected;
  if (now.how == LineUpHow::call && now.name != page.choice.selected) {
    menu.add("Calls of " + shown_name(now.name), "line-up", "call " + quoted_argument(now.name))
        .checked = true;
  }
  std::size_t marks = 0;
  for (const Bookmark& mark : page.session(side_a).state().bookmarks) {
    const auto& others = page.session(side_b).state().bookmarks;
    const bool both =
        std::ranges::any_of(others, [&](const Bookmark& other) { return other.note == mark.note; });
    if (!both || mark.note.empty() || marks++ >= kMostMarks) continue;
    menu.add("Bookmark " + shown_name(mark.note), "line-up", "mark " + mark.note).checked =
        now.how == LineUpHow::mark && now.name == mark.note;
  }
  menu.line();
  menu.add("Next pair", "next-pair", "", now.how == LineUpHow::call);
  menu.add("Previous pair", "previous-pair", "", now.how == LineUpHow::call);
  const std::string& by = page.pair_by();
  if (by.empty()) {
    menu.add("Pair by argument…", "pair-by", "");
  } else {
    menu.add("Paired by " + shown_name(by), "pair-by", "none").checked = true;
  }
  menu.add("Stretch B to equal width", "compare-stretch", now.stretch == 1 ? "on" : "off",
           now.how == LineUpHow::call)
      .checked = now.stretch != 1;
  return std::move(menu.list);
}

// "a 2": the second run of A.
std::vector<MenuEntry> run_menu(const ComparePage& page, std::string_view target) {
  const Side side = target.starts_with('a') ? side_a : side_b;
  const CompareSource& source = page.answers.sources()[side];
  const std::size_t run = parse_number<std::size_t>(target.substr(2)).value_or(0);
  if (run < 1 || run > source.runs.size()) return {};
  Entries menu;
  const CompareRun& of = source.runs[run - 1];
  menu.add("Show in its lane", "show-run", std::string(target),
           run > 1 && of.saved == nullptr && of.problem.empty());
  menu.add("Count this run", "use-run", std::string(target)).checked = !of.left_out;
  return std::move(menu.list);
}

}  // namespace

std::vector<MenuEntry> CompareController::menu(std::string_view target) const {
  const ComparePage* page = shown();
  if (page == nullptr) return {};
  if (target == "compare-part") return part_menu(*page, app_.tabs().shown()->session->state());
  if (target == "compare-scale") return scale_menu(*page);
  if (target == "compare-names") return names_menu(*page);
  if (target == "compare-line-up") return line_up_menu(*page);
  constexpr std::string_view kRun = "compare-run ";
  if (target.starts_with(kRun) && target.size() > kRun.size() + 2) {
    return run_menu(*page, target.substr(kRun.size()));
  }
  constexpr std::string_view kSame = "compare-same ";
  if (target.starts_with(kSame)) return same_menu(*page, target.substr(kSame.size()));
  return {};
}

}  // namespace cinderscope
