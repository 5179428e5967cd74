// The command of the flame graph.
#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/compare_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/panels/flame_graph_panel.h"
#include "app/window/tab.h"

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

Status flame_graph(AppContext& app, const CommandArguments& arguments) {
  const Tab& tab = *app.tabs().shown();
  const std::string &what = arguments.text(0), &name = arguments.text(1);
  if (!name.empty() && what != "function" && what != "drop" && what != "focus") {
    return refused("Only \"flame-graph function\", \"drop\" and \"focus\" take a name.");
  }
  app.controllers().panels->show(FlameGraphPanel::kWord);
  if (ComparePage* page = app.controllers().compare->shown()) return compared(*page, what, name);
  return tab.panel<FlameGraphPanel>().show(what, name, *tab.session);
}

constexpr Command kCommands[] = {
    {"flame-graph", "[callees|callers|function|time|calls|drop|focus|fold|all [NAME]]", "",
     "Flame graph: callees, callers or one function", CommandGroup::measure, CommandNeeds::trace,
     flame_graph},
};

}  // namespace

std::span<const Command> flame_graph_commands() {
  return kCommands;
}

}  // namespace cinderscope
