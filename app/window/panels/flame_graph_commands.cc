// The command of the flame graph.
#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/panels/flame_graph_panel.h"
#include "app/window/tab.h"
#include "ingest/model/measure/timeline_weights.h"

namespace cinderscope {

namespace {

// Of the flame graph of a comparison.
Status compared(ComparePage& page, const std::string& what, const std::string& name) {
  FlameChoice& flame = page.choice.flame;
  if (what == "callees") {
    flame.direction = ComparedDirection::callees;
  } else if (what == "callers") {
    flame.direction = ComparedDirection::callers;
  } else if (what == "function") {
    if (!name.empty() && !page.compared_name(name)) {
      return refused("Neither side has calls of \"" + name + "\".");
    }
    flame.function = name.empty() ? page.choice.selected : name;
    if (flame.function.empty()) return refused("No name is selected.");
    flame.direction = ComparedDirection::function;
  } else if (what == "time" || what == "calls") {
    flame.weight = what == "time" ? CallWeight::time : CallWeight::calls;
  } else if (!what.empty()) {
    return refused("The flame graph of a comparison has callees, callers, function, time, calls.");
  }
  return ok();
}

// The same calls laid out by another weight of the source's list are another timeline.
Status weigh(Tab& tab, std::string_view wanted) {
  Session& session = *tab.session;
  const Timeline& timeline = session.timeline();
  const std::span<const Weight> weights = weights_of(timeline);
  const std::optional<std::size_t> found = find_weight(weights, wanted);
  if (!found) return refused("There are these weights: " + weight_names(weights) + ".");
  auto& panel = tab.panel<FlameGraphPanel>();
  if (timeline.weights.empty()) return panel.show(weights[*found].name, {}, session);
  if (*found == timeline.weight) return ok();
  if (!session.can_reload()) return refused("Standard input can be read only once.");
  panel.keep_zoom();
  LoadOptions load = session.load_options();
  // Of several that share a name the number tells which.
  const std::string& name = weights[*found].name;
  load.weight = find_weight(weights, name) == found ? name : std::to_string(*found);
  session.reload_with(std::move(load));
  return ok();
}

Status flame_graph(AppContext& app, const CommandArguments& arguments) {
  Tab& tab = *app.tabs().shown();
  const std::string &what = arguments.text(0), &name = arguments.text(1);
  if (!name.empty() && what != "function" && what != "drop" && what != "focus" &&
      what != "weight") {
    return refused("Only \"function\", \"drop\", \"focus\" and \"weight\" take a name.");
  }
  app.controllers().panels->show(FlameGraphPanel::kWord);
  if (ComparePage* page = app.controllers().compare->shown()) return compared(*page, what, name);
  if (what == "weight") return weigh(tab, name);
  const bool by_weight = what == "time" || what == "calls";
  if (by_weight && !tab.session->timeline().weights.empty()) return weigh(tab, what);
  return tab.panel<FlameGraphPanel>().show(what, name, *tab.session);
}

constexpr Command kFlameGraphCommands[] = {
    {"flame-graph", "[callees|callers|function|time|calls|weight|drop|focus|fold|all [NAME]]", "",
     "Flame graph: callees, callers or one function", CommandGroup::measure, CommandNeeds::trace,
     flame_graph},
};

}  // namespace

std::span<const Command> flame_graph_commands() {
  return kFlameGraphCommands;
}

}  // namespace cinderscope
