#include "app/window/statistics_panel.h"

namespace cinderscope {

bool StatisticsPanel::poll(Session& /*session*/) {
  return false;
}

void StatisticsPanel::draw(const PanelFrame& /*frame*/, Actions& /*actions*/) {}

std::string StatisticsPanel::run(const Command& /*command*/, std::string_view /*argument*/,
                                 Session& /*session*/) {
  return "not there yet";
}

}  // namespace cinderscope
