#include <algorithm>
#include <cmath>
#include <utility>

#include "render/key_table_view.h"
#include "render/start_view.h"
#include "render/widgets_view.h"

namespace cinderscope {
namespace {

constexpr float kColumnPx = 400;
constexpr float kPadPx = 28;
constexpr float kGroupGapPx = 16;

bool any_key_pressed() {
  for (int key = 0; key < IM_ARRAYSIZE(ImGui::GetIO().KeysDown); ++key) {
    if (ImGui::IsKeyPressed(key, false)) return true;
  }
  return false;
}

float height_of(const Pen& pen, const std::vector<KeyGroup>& groups, std::size_t begin,
                std::size_t end) {
  float height = 0;
  for (std::size_t i = begin; i < end; ++i) {
    height += key_group_height(pen, groups[i]) + (i == begin ? 0 : pen.px(kGroupGapPx));
  }
  return height;
}

// Groups [0, split) make the left column: where the longer of the two is shortest.
std::size_t best_split(const Pen& pen, const std::vector<KeyGroup>& groups) {
  std::size_t best = groups.size();
  float lowest = height_of(pen, groups, 0, groups.size());
  for (std::size_t split = 1; split < groups.size(); ++split) {
    const float height =
        std::max(height_of(pen, groups, 0, split), height_of(pen, groups, split, groups.size()));
    if (height < lowest) {
      lowest = height;
      best = split;
    }
  }
  return best;
}

void draw_plate(const Pen& pen, const Rect& area, const std::vector<KeyHelp>& keys) {
  const std::vector<KeyGroup> groups = key_groups(keys);
  const std::size_t split = best_split(pen, groups);
  const float pad = pen.px(kPadPx), column = pen.px(kColumnPx);
  const float height =
      std::max(height_of(pen, groups, 0, split), height_of(pen, groups, split, groups.size()));
  Rect plate{0, 0, 2 * column + 3 * pad, height + 2 * pad};
  plate.x = std::round(area.x + std::max((area.width - plate.width) / 2, 0.0f));
  plate.y = std::round(area.y + std::max((area.height - plate.height) / 2, 0.0f));
  const ImVec2 corner{plate.x, plate.y}, opposite{right_of(plate), bottom_of(plate)};
  pen.list.AddRectFilled(corner, opposite, pen.colours.raised, pen.px(6));
  pen.list.AddRect(corner, opposite, pen.colours.line, pen.px(6));
  float x = plate.x + pad, y = plate.y + pad;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i == split) {
      x += column + pad;
      y = plate.y + pad;
    }
    const float group_px = key_group_height(pen, groups[i]);
    draw_key_group(pen, groups[i], {x, y, column, group_px},
                   {pen.px(150), pen.colours.text, pen.colours.text, pen.colours.dim});
    y += group_px + pen.px(kGroupGapPx);
  }
}

}  // namespace

bool draw_key_help(const Theme& theme, const Rect& area, const std::vector<KeyHelp>& keys) {
  // A window of its own: the columns of the panel are windows, and would lie above a mere drawing.
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("key help", {std::max(area.width, 1.0f), std::max(area.height, 1.0f)}, false,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const Pen pen = pen_of(theme);
  fill(pen.list, area, rgb(0x000000, theme.kind == ThemeKind::dark ? 150 : 70));
  draw_plate(pen, area, keys);
  // The key or click that opened it may still count as pressed in its first frame.
  const bool opened_now = ImGui::IsWindowAppearing();
  const Press press = press_area("anywhere", area);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return !opened_now && (press.clicked || press.right_clicked || any_key_pressed());
}

}  // namespace cinderscope
