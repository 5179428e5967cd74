#include "app/window/panels/compare/compared_histogram_panel.h"

#include "app/window/comparison/compare_page.h"
#include "app/window/tab.h"
#include "render/tables/bar_table.h"

namespace cinderscope {

void ComparedHistogramPanel::draw(const PanelFrame& frame, Actions& actions) {
  const CompareAnswers& answers = page_.answers;
  const auto name = page_.selected_name();
  ComparedHistogramFrame shown{.theme = frame.theme, .area = frame.area};
  shown.note = answers.sides() == nullptr ? "Comparing the two traces"
                                          : "Select a name to see how long its calls take";
  if (name && answers.sides() != nullptr) {
    const ComparedSides& sides = *answers.sides();
    if (name_ != name || version_ != answers.names_version()) {
      name_ = name;
      version_ = answers.names_version();
      histogram_ = compared_histogram(sides, *name);
    }
    if (sides.warnings.time_against_events) {
      shown.note = "One side counts time, the other events: durations do not compare.";
    } else if (histogram_ && !histogram_->bars.empty()) {
      shown.histogram = &*histogram_;
    } else {
      shown.note = "Sorting the durations";
    }
    shown.label = sides.labels[*name];
    shown.axis = sides.axis();
    for (const Side side : {side_a, side_b}) {
      shown.numbers[side] = side_numbers(sides, side, *name);
      const std::vector<StringId> strings = page_.strings_of(side, *name);
      if (shown.name_hash == 0 && !strings.empty()) {
        shown.name_hash = page_.session(side).timeline().strings->hash(strings.front());
      }
    }
    if (answers.comparison() != nullptr) {
      for (const ComparedRow& row : answers.comparison()->rows) {
        if (row.name == *name) shown.chance = row.chance;
      }
    }
  }
  view_.draw(shown, actions);
}

Result<TakenTable> ComparedHistogramPanel::take_table(Session& /*session*/, TableText /*form*/) {
  const ComparedSides* sides = page_.answers.sides();
  const auto name = page_.selected_name();
  if (sides == nullptr || !name) return refused("No name is selected.");
  return taken_bars(compared_histogram(*sides, *name), sides->axis());
}

}  // namespace cinderscope
