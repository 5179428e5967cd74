// What the window does for the Statistics and Calls tabs: polls them, shows them when they are
// asked something.
#include <algorithm>

#include "app/window/app.h"
#include "render/tables/call_table.h"

namespace cinderscope {

void App::poll_statistics(Tab& tab) {
  const bool visible = &tab == active() && panel_open_ && panel_tab_ == PanelId::statistics;
  if (tab.statistics.poll(*tab.session, visible)) draw_again();
  std::string message = tab.statistics.take_message();
  if (!message.empty()) say(std::move(message));
}

std::string App::run_measure_command(const Command& command, std::string_view argument) {
  Tab& tab = *active();
  std::string problem = tab.statistics.run(command, argument, *tab.session);
  const bool takes_away =
      command.id == CommandId::copy_statistics || command.id == CommandId::save_statistics;
  // The flame graph measures the same part of the trace, so it need not make way.
  const bool seen =
      panel_open_ && (panel_tab_ == PanelId::statistics || panel_tab_ == PanelId::flame_graph);
  if (problem.empty() && !takes_away && !seen) {
    panel_open_ = true;
    panel_tab_ = PanelId::statistics;
  }
  return problem;
}

void App::poll_calls(Tab& tab) {
  const bool visible = &tab == active() && panel_open_ && panel_tab_ == PanelId::calls;
  if (tab.calls.poll(*tab.session, visible)) draw_again();
  const std::string foreign = tab.calls.take_foreign_texts();
  if (!foreign.empty()) {
    fonts_.note(foreign);
    if (fonts_.building()) draw_again();  // a frame has them begun
  }
  std::string message = tab.calls.take_message();
  if (!message.empty()) say(std::move(message));
}

std::string App::run_calls_command(const Command& command, std::string_view argument) {
  Tab& tab = *active();
  if (!has_calls(tab.session->timeline())) return "This trace has no list of calls.";
  panel_open_ = true;
  panel_tab_ = PanelId::calls;
  return tab.calls.run(command, argument, *tab.session);
}

bool App::dialog_open() const {
  return open_dialog_.open() || std::any_of(tabs_.begin(), tabs_.end(), [](const auto& tab) {
           return tab->statistics.asks_for_path() || tab->calls.asks_for_path();
         });
}

}  // namespace cinderscope
