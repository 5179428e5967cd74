#include "app/window/panels/compare/compared_flame_panel.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/questions/most_drawn_nodes.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/tab.h"
#include "app/window/window.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/parallel.h"
#include "ingest/search/name_mask.h"
#include "render/tables/change_text.h"

namespace cinderscope {

namespace {

struct SideTree {
  std::shared_ptr<const SliceSet> slices;
  Scope scope;
  std::vector<std::uint32_t> compared;
};

AggregatedCallTree tree_of(const SideTree& side, ComparedDirection direction, StringId function,
                           unsigned jobs, const std::atomic<bool>& cancelled) {
  AggregatedCallTree tree = with_compared_names(
      unordered_calls(*side.slices, side.scope, cancelled, most_drawn_nodes(), jobs), side.compared,
      cancelled);
  if (direction == ComparedDirection::callers) return reversed(tree, cancelled, most_drawn_nodes());
  if (direction == ComparedDirection::function) {
    return std::move(function_totals(tree, function, cancelled).callees);
  }
  return tree;
}

}  // namespace

ComparedFlamePanel::ComparedFlamePanel(ComparePage& page)
    : page_(page), tree_([] { Window::wake(); }) {}

bool ComparedFlamePanel::poll(Session& /*session*/, bool visible) {
  bool news = false;
  if (tree_.poll()) {
    if (tree_.out_of_memory()) message_ = "There is not enough memory to add up all calls.";
    ++version_;
    news = true;
  }
  if (visible) ask();
  return news;
}

void ComparedFlamePanel::ask() {
  const CompareAnswers& answers = page_.answers;
  if (answers.sides() == nullptr) return;
  const FlameChoice& choice = page_.choice.flame;
  const Question question{answers.names_version(), page_.session(side_a).version(),
                          page_.session(side_b).version(), choice.direction,
                          choice.direction == ComparedDirection::function ? choice.function : ""};
  if (!tree_.is_due(question, tree_.asked() && tree_.asked()->direction == choice.direction &&
                                  tree_.asked()->function == question.function)) {
    return;
  }
  OfSides<SideTree> sides;
  for (const Side side : {side_a, side_b}) {
    const ShownRun& shown = answers.shown_runs()[side];
    sides[side].slices = shown.slices;
    sides[side].scope = shown.question.query.scope;
    for (const ComparedRun& run : answers.sides()->runs[side]) {
      if (run.run == shown.measured) sides[side].compared = compared_of_strings(run);
    }
  }
  const auto function = page_.compared_name(question.function);
  tree_.ask(question, [sides = std::move(sides), direction = choice.direction,
                       function = StringId{function.value_or(kNoComparedName)},
                       compared = answers.shared_sides()](const BackgroundQuestion<Answer>& asked) {
    // A side on each core: fewer trees have to be joined than with all cores on each side.
    OfSides<AggregatedCallTree> trees;
    parallel_for(trees.size(), core_count(), [&](std::size_t side) {
      trees[side] = tree_of(sides[side], direction, function, std::max(1u, core_count() / 2),
                            asked.cancelled);
    });
    return std::make_shared<const ComparedTree>(
        merged_trees(trees[side_a], trees[side_b], {1, 1}, compared->names, asked.cancelled));
  });
}

const std::function<bool(std::uint32_t)>* ComparedFlamePanel::found() {
  const std::string& text = page_.lane(side_a).search.text();
  if (found_.text != text || found_.names != page_.answers.names_version()) {
    found_ = {.text = text, .names = page_.answers.names_version()};
    if (const auto query = parse_search(text); query && asks_names(*query)) {
      found_.query = *query;
      found_.test = [this](std::uint32_t name) {
        const auto [known, is_new] = found_.tested.try_emplace(name, false);
        for (const Side side : {side_a, side_b}) {
          if (!is_new || known->second) break;
          const StringPool& pool = *page_.session(side).timeline().strings;
          const std::vector<StringId> strings = page_.strings_of(side, name);
          known->second = std::ranges::any_of(
              strings, [&](StringId id) { return name_holds(found_.query, pool, id); });
        }
        return known->second;
      };
    }
  }
  return found_.test ? &found_.test : nullptr;
}

void ComparedFlamePanel::draw(const PanelFrame& frame, Actions& actions) {
  ask();
  const CompareAnswers& answers = page_.answers;
  const FlameChoice& choice = page_.choice.flame;
  const bool fits = tree_.answer() != nullptr && answers.sides() != nullptr &&
                    tree_.answered()->names == answers.names_version() &&
                    tree_.answered()->direction == choice.direction;
  ComparedFlameFrame shown{.theme = frame.theme,
                           .area = frame.area,
                           .tree = fits ? tree_.answer()->get() : nullptr,
                           .version = version_,
                           .direction = choice.direction,
                           .function = page_.choice.selected,
                           .width = choice.width,
                           .weight = choice.weight,
                           .by_self = choice.by_self,
                           .selected = page_.selected_name(),
                           .found = found(),
                           .working = tree_.busy() || answers.busy()};
  if (answers.sides() != nullptr) {
    shown.labels = &answers.sides()->labels;
    shown.axis = answers.sides()->axis();
    shown.only_calls = answers.sides()->warnings.time_against_events;
    if (shown.only_calls) shown.weight = CallWeight::calls;
    const bool several =
        answers.sides()->run_count(side_a) > 1 || answers.sides()->run_count(side_b) > 1;
    if (several) shown.note = "of the runs that the lanes show";
    for (const Side side : {side_a, side_b}) {
      if (!answers.numbers_only(side)) continue;
      shown.tree = nullptr;  // all of the other side would look new
      shown.note = side == side_a ? "A has only numbers: a flame graph needs its calls"
                                  : "B has only numbers: a flame graph needs its calls";
    }
  }
  if (const Comparison* comparison = answers.comparison()) {
    const bool same_unit =
        (comparison->options.measure == Measure::count) == (shown.weight == CallWeight::calls);
    if (same_unit && comparison->whole_numbers()) shown.min = comparison->min.value;
  }
  view_.draw(shown, actions);
}

void ComparedFlamePanel::write_state(JsonWriter& out) const {
  if (tree_.answer() == nullptr || (*tree_.answer())->nodes.empty()) {
    out.null();
    return;
  }
  const ComparedTree& tree = **tree_.answer();
  const FlameChoice& choice = page_.choice.flame;
  constexpr std::array<const char*, 3> kWidths = {"mean", "a", "b"};
  out.begin_object().field("width", kWidths.at(static_cast<std::size_t>(choice.width)));
  out.field("nodes", tree.nodes.size());
  out.field("boxes", view_.drawn_boxes());
  out.key("root_a").number(tree.weight(0, side_a, choice.weight));
  out.key("root_b").number(tree.weight(0, side_b, choice.weight));
  out.end_object();
}

}  // namespace cinderscope
