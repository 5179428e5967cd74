// The commands of the lower panel: which one is shown, and where keys go.
#include <string>
#include <vector>

#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/panels.h"
#include "app/window/panels/panel.h"
#include "app/window/tab.h"

namespace cinderscope {

namespace {

std::vector<std::string> panel_words(AppContext& app) {
  std::vector<std::string> words;
  const Tab* tab = app.tabs().page();
  if (tab == nullptr) return words;
  for (const auto& panel : tab->panels) {
    if (panel->available(*tab->session)) words.emplace_back(panel->word());
  }
  return words;
}

Status panel(AppContext& app, const CommandArguments& arguments) {
  PanelsController& panels = *app.controllers().panels;
  if (arguments.empty()) {
    panels.toggle();
  } else {
    panels.show(arguments.text());
  }
  return ok();
}

Status give_keys(AppContext& app, const CommandArguments& arguments) {
  PanelsController& panels = *app.controllers().panels;
  if (arguments.empty()) return panels.give_keys_on();
  return panels.give_keys(arguments.is("panel")    ? KeysAt::table
                          : arguments.is("editor") ? KeysAt::editor
                                                   : KeysAt::timeline);
}

constexpr Command kPanelsCommands[] = {
    {"panel",
     "[PANEL]",
     "P",
     "Show or hide the lower panel",
     CommandGroup::window,
     CommandNeeds::tab,  // a comparison of saved sides has panels and no trace
     panel,
     {},
     panel_words},
    {"focus", "[timeline|panel|editor]", "F6",
     "Give the keys to the panel's table, to its editor, or back", CommandGroup::window,
     CommandNeeds::tab, give_keys},
};

}  // namespace

std::span<const Command> panel_commands() {
  return kPanelsCommands;
}

}  // namespace cinderscope
