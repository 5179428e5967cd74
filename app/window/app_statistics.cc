// What the window does for the Statistics tab: polls it, shows it when it is asked something.
#include <algorithm>

#include "app/window/app.h"

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

bool App::dialog_open() const {
  return open_dialog_.open() || std::any_of(tabs_.begin(), tabs_.end(), [](const auto& tab) {
           return tab->statistics.asks_for_path();
         });
}

}  // namespace cinderscope
