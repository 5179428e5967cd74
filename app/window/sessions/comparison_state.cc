// Comparisons as a session has them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/window/comparison/compare_page.h"
#include "app/window/sessions/tab_state.h"
#include "app/window/tab.h"
#include "ingest/base/text_hash.h"
#include "ingest/compare/compared_sides.h"
#include "ingest/compare/name_rules.h"

namespace cinderscope {

namespace {

constexpr std::uint32_t kEvery = (1U << kVerdicts) - 1;

std::string filter_word(std::uint32_t wanted) {
  if (wanted == kEvery) return "every";
  if (wanted == (bit_of(Verdict::added) | bit_of(Verdict::gone))) return "new-gone";
  for (std::size_t i = 0; i < kVerdicts; ++i) {
    if (wanted == bit_of(static_cast<Verdict>(i))) {
      return std::string(word_of(static_cast<Verdict>(i)));
    }
  }
  return "all";
}

std::uint32_t wanted_of(std::string_view word) {
  if (word == "every") return kEvery;
  if (word == "new-gone") return bit_of(Verdict::added) | bit_of(Verdict::gone);
  const auto verdict = verdict_of_word(word);
  return verdict ? bit_of(*verdict) : 0;
}

}  // namespace

SavedComparison comparison_state(const ComparePage& page) {
  SavedComparison saved;
  const ComparisonOptions& options = page.answers.options();
  saved.measure = word_of(options.measure);
  saved.scale = word_of(options.scale);
  saved.per = options.per;
  saved.min = options.min;
  const NameRules& rules = page.answers.rules();
  for (std::size_t i = 0; i < kNameRules; ++i) {
    if (rules.states.at(i) == NameRules().states.at(i)) continue;
    saved.names += fmt::format("{}{}={}", saved.names.empty() ? "" : ",",
                               word_of(static_cast<NameRule>(i)), word_of(rules.states.at(i)));
  }
  for (const Rename& rename : rules.renames) {
    saved.renames.emplace_back(rename.expression, rename.text);
  }
  const LineUp& line_up = page.line_up();
  saved.line_up = word_of(line_up.how);
  saved.line_up_a_ns = line_up.a_ns;
  saved.line_up_b_ns = line_up.b_ns;
  saved.line_up_name = line_up.name;
  saved.line_up_k = line_up.k;
  saved.stretch = line_up.stretch != 1;
  const CompareChoice& choice = page.choice;
  saved.sort = key_of(choice.order.field);
  saved.filter = filter_word(choice.order.wanted);
  saved.selected = choice.selected;
  saved.width = choice.flame.width == TreeWidth::a   ? "a"
                : choice.flame.width == TreeWidth::b ? "b"
                                                     : "mean";
  saved.side_by_side = choice.side_by_side;
  return saved;
}

std::uint64_t change_key(const ComparePage& page) {
  const SavedComparison of = comparison_state(page);
  std::string text = fmt::format("{} {} {} {} {} {};", of.measure, of.scale, of.per, of.names,
                                 of.min.value_or(-1), of.renames.size());
  for (const auto& [expression, renamed] : of.renames) {
    text.append(expression).append(1, '\n').append(renamed).append(1, '\n');
  }
  for (const Side side : {side_a, side_b}) {
    const CompareSource& source = page.answers.sources()[side];
    text += source.part_text + words_of(source.part) + '\n';
    for (const CompareRun& run : source.runs) text += run.path + (run.left_out ? "\n1" : "\n0");
  }
  return text_hash(text);
}

void restore_comparison(const SavedComparison& saved, ComparePage& page) {
  NameRules rules = page.answers.rules();
  if (auto read = parse_name_rules(saved.names.empty() ? "usual" : saved.names)) {
    rules = std::move(*read);
  }
  rules.renames.clear();
  for (const auto& [expression, text] : saved.renames) rules.renames.push_back({expression, text});
  if (!Renamer::of(rules.renames)) rules.renames.clear();
  page.answers.set_rules(std::move(rules));
  ComparisonOptions options = page.answers.options();
  options.measure = measure_of_word(saved.measure).value_or(options.measure);
  options.scale = saved.scale == "per"     ? Scale::per
                  : saved.scale == "share" ? Scale::share
                                           : Scale::recorded;
  options.per = saved.per;
  options.min = saved.min;
  static_cast<void>(page.answers.set_options(std::move(options)));  // else they stay as they are
  CompareChoice& choice = page.choice;
  choice.order.field = compared_field(saved.sort).value_or(choice.order.field);
  choice.order.descending = choice.order.field != ComparedField::name;
  choice.order.wanted = wanted_of(saved.filter);
  choice.flame.width = saved.width == "a"   ? TreeWidth::a
                       : saved.width == "b" ? TreeWidth::b
                                            : TreeWidth::mean;
  choice.side_by_side = saved.side_by_side;
}

bool restore_line_up(const SavedComparison& saved, ComparePage& page) {
  if (page.answers.sides() == nullptr) return !page.answers.problem().empty();
  Status lined = ok();
  if (saved.line_up == "clock") lined = page.line_up_clock();
  if (saved.line_up == "mark") lined = page.line_up_mark(saved.line_up_name);
  if (saved.line_up == "hand") page.line_up_hand(saved.line_up_a_ns, saved.line_up_b_ns);
  if (saved.line_up == "call") lined = page.line_up_call(saved.line_up_name, saved.line_up_k);
  if (lined && saved.stretch) page.set_stretch(true);
  if (find_name(*page.answers.sides(), saved.selected)) page.select_name(saved.selected);
  return true;
}

}  // namespace cinderscope
