#include "app/window/window_commands.h"

#include <fmt/format.h>

#include "app/commands/arguments.h"
#include "app/window/app_context.h"
#include "app/window/comparison/compare_controller.h"
#include "app/window/comparison/drop_chooser.h"
#include "app/window/controllers/bookmarks.h"
#include "app/window/controllers/chrome/keys.h"
#include "app/window/controllers/chrome/look.h"
#include "app/window/controllers/chrome/menus.h"
#include "app/window/controllers/chrome/palette.h"
#include "app/window/controllers/chrome/paths.h"
#include "app/window/controllers/chrome/settings_page.h"
#include "app/window/controllers/controllers.h"
#include "app/window/controllers/disk.h"
#include "app/window/controllers/export/packs.h"
#include "app/window/controllers/export/parts.h"
#include "app/window/controllers/export/pictures.h"
#include "app/window/controllers/export/prepared.h"
#include "app/window/controllers/flows.h"
#include "app/window/controllers/found_traces.h"
#include "app/window/controllers/merge.h"
#include "app/window/controllers/notices.h"
#include "app/window/controllers/panels.h"
#include "app/window/controllers/recordings.h"
#include "app/window/controllers/search.h"
#include "app/window/controllers/siblings.h"
#include "app/window/controllers/store.h"
#include "app/window/controllers/symbols.h"
#include "app/window/controllers/tabs.h"
#include "app/window/controllers/threads.h"
#include "app/window/controllers/view.h"
#include "app/window/panels/calls_panel.h"
#include "app/window/panels/flame_graph_panel.h"
#include "app/window/panels/statistics_panel.h"
#include "app/window/panels/table_saver.h"
#include "app/window/places/places.h"
#include "app/window/places/shows.h"
#include "app/window/sessions/layouts.h"
#include "app/window/sessions/missing.h"
#include "app/window/sessions/replacing.h"
#include "app/window/sessions/sessions.h"
#include "app/window/sql/sql_commands.h"

namespace cinderscope {

namespace {

Status quit(AppContext& app, const CommandArguments& /*arguments*/) {
  if (!app.controllers().sessions->asks_before_end()) app.quit();
  return ok();
}

constexpr Command kQuit[] = {
    {"quit", "", "Ctrl+Q", "Quit", CommandGroup::window, CommandNeeds::nothing, quit},
};

}  // namespace

// The order is that of the palette and of the key help within each group.
const CommandTable& window_commands() {
  static const CommandTable table({
      tab_commands(),         merge_commands(),         sibling_commands(),
      recording_commands(),   view_commands(),          bookmark_commands(),
      search_commands(),      statistics_commands(),    calls_commands(),
      flame_graph_commands(), compare_commands(),       compare_view_commands(),
      drop_commands(),        thread_commands(),        panel_commands(),
      palette_commands(),     look_commands(),          symbol_commands(),
      key_commands(),         flow_commands(),          disk_commands(),
      path_commands(),        found_trace_commands(),   store_commands(),
      menu_commands(),        notice_commands(),        kQuit,
      part_commands(),        table_commands(),         picture_commands(),
      place_commands(),       show_commands(),          missing_commands(),
      session_commands(),     pack_commands(),          layout_commands(),
      replacing_commands(),   settings_page_commands(), sql_commands(),
      prepared_commands(),
  });
  return table;
}

Status run_window_command(AppContext& app, std::string_view name, std::string_view arguments) {
  const Command* command = app.commands().named(name);
  if (command == nullptr) return refused(fmt::format("There is no command \"{}\".", name));
  if (!enabled(*command, app.command_state())) {
    return refused(fmt::format("\"{}\" can do nothing now.", name));
  }
  std::vector<std::string> choices;
  if (command->choices != nullptr) choices = command->choices(app);
  const Result<CommandArguments> read = parse_arguments(*command, arguments, choices);
  if (!read) return read.error();
  app.draw_again();
  return command->run(app, *read);
}

}  // namespace cinderscope
