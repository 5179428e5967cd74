#include "render/views/chrome/plate.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace cinderscope {

namespace {

// A window of its own: panels are windows, and would lie above a plain drawing.
Pen begin(const Theme& theme, const char* id, const Rect& area) {
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild(id, {std::max(area.width, 1.0f), std::max(area.height, 1.0f)}, false,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  return pen_of(theme);
}

}  // namespace

Plate::Plate(const Theme& theme, const char* id, const Rect& area)
    : area_(area), pen_(begin(theme, id, area)) {
  fill(pen_.list, area, rgb(0x000000, theme.kind == ThemeKind::dark ? 150 : 70));
}

Plate::~Plate() {
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

const Rect& Plate::draw(float width_px, float height_px, float margin_px) {
  plate_.width = std::min(width_px, std::max(area_.width - 2 * margin_px, 1.0f));
  plate_.height = std::min(height_px, std::max(area_.height - 2 * margin_px, 1.0f));
  plate_.x = std::round(area_.x + std::max((area_.width - plate_.width) / 2, 0.0f));
  plate_.y = std::round(area_.y + std::max((area_.height - plate_.height) / 2, 0.0f));
  const ImVec2 corner{plate_.x, plate_.y}, opposite{right_of(plate_), bottom_of(plate_)};
  pen_.list.AddRectFilled(corner, opposite, pen_.colours.raised, pen_.px(6));
  pen_.list.AddRect(corner, opposite, pen_.colours.line, pen_.px(6));
  return plate_;
}

bool Plate::pressed_beside() const {
  const bool pressed =
      ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  return pressed && !ImGui::IsWindowAppearing() && !contains(plate_, ImGui::GetIO().MousePos);
}

}  // namespace cinderscope
