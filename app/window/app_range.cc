// What the menu of the selected range offers.
#include <imgui.h>

#include "app/window/app.h"

namespace cinderscope {

void App::draw_range_menu(Actions& actions) {
  const bool has_range = active() != nullptr && active()->session->state().range.has_value();
  const auto item = [&](const char* label) {
    return ImGui::MenuItem(label, nullptr, false, has_range);
  };
  if (item("Zoom to the range")) actions.push_back(RunCommand{"zoom-range", {}});
  if (item("Clear the range")) actions.push_back(SetRange{});
  ImGui::Separator();
  for (const auto& [label, panel] : {std::pair{"Statistics of the range", "statistics"},
                                     std::pair{"Flame graph of the range", "flame-graph"}}) {
    if (!item(label)) continue;
    actions.push_back(RunCommand{"scope", "range"});
    actions.push_back(RunCommand{"panel", panel});
  }
}

}  // namespace cinderscope
