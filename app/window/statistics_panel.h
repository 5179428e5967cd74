// The Statistics tab: a table of names over what is measured.
#pragma once

#include <string>
#include <string_view>

#include "app/commands.h"
#include "app/window/measure_scope.h"
#include "app/window/panel.h"

namespace cinderscope {

// One per tab. UI thread only.
class StatisticsPanel {
 public:
  explicit StatisticsPanel(MeasureScope& scope) : scope_(scope) {}
  // Takes what was found in the background; true if anything is to be drawn again.
  bool poll(Session& session);
  // Something is under way, so that frames go on.
  bool busy() const { return false; }
  void draw(const PanelFrame& frame, Actions& actions);
  // A command of its own; returns what is wrong, empty if nothing.
  std::string run(const Command& command, std::string_view argument, Session& session);

 private:
  MeasureScope& scope_;
};

}  // namespace cinderscope
