#include "app/window/flame_graph_panel.h"

namespace cinderscope {

bool FlameGraphPanel::poll(Session& /*session*/) {
  return false;
}

void FlameGraphPanel::draw(const PanelFrame& /*frame*/, Actions& /*actions*/) {}

std::string FlameGraphPanel::run(const Command& /*command*/, std::string_view /*argument*/,
                                 Session& /*session*/) {
  return "not there yet";
}

}  // namespace cinderscope
