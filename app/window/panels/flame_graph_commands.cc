// The command of the flame graph.
#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/panels/flame_graph_panel.h"
#include "app/window/tab.h"

namespace cinderscope {

namespace {

Status flame_graph(AppContext& app, const CommandArguments& arguments) {
  const Tab& tab = *app.tabs().shown();
  const std::string &what = arguments.text(0), &name = arguments.text(1);
  if (!name.empty() && what != "function" && what != "drop" && what != "focus") {
    return refused("Only \"flame-graph function\", \"drop\" and \"focus\" take a name.");
  }
  app.controllers().panels->show(FlameGraphPanel::kWord);
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
