#include "app/window/search_panel.h"

namespace cinderscope {

bool SearchPanel::poll(Session& /*session*/) {
  return false;
}

void SearchPanel::draw(const PanelFrame& /*frame*/, Actions& /*actions*/) {}

std::string SearchPanel::run(const Command& /*command*/, std::string_view /*argument*/,
                             Session& /*session*/) {
  return "not there yet";
}

}  // namespace cinderscope
