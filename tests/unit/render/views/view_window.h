// A window without a GPU for the tests of views: ImGui with fonts in memory, driven like by a
// mouse.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "render/base/actions.h"
#include "render/base/theme.h"
#include "render/views/timeline/timeline.h"
#include "tests/unit/render/views/null_imgui.h"

namespace cinderscope {

class ViewWindow : public testing::Test {
 protected:
  static constexpr Rect kArea{0, 0, 1200, 400};
  using Draw = std::function<void(Actions&)>;

  ViewWindow() { theme_.colours = theme_colours(theme_.kind); }

  Actions frame(const Draw& draw) {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({kArea.width, kArea.height});
    ImGui::Begin(
        "window", nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    Actions actions;
    draw(actions);
    ImGui::End();
    ImGui::Render();
    return actions;
  }

  // Moves there, presses and releases; what all these frames asked for.
  Actions click(float x, float y, const Draw& draw, int button = 0) {
    ImGuiIO& io = ImGui::GetIO();
    frame(draw);  // windows can be hovered from their second frame on
    io.MousePos = {x, y};
    Actions all;
    for (const bool down : {false, true, false}) {
      io.MouseDown[button] = down;
      for (const Action& action : frame(draw)) all.push_back(action);
    }
    return all;
  }

  // Clicks on a grid of points over the window, `step` px apart, until `wanted` holds for an
  // action.
  template <class T>
  std::vector<T> click_everywhere(const Draw& draw, float step) {
    std::vector<T> found;
    for (float y = step / 2; y < kArea.height; y += step) {
      for (float x = step / 2; x < kArea.width; x += step) {
        for (const Action& action : click(x, y, draw)) {
          if (const auto* one = std::get_if<T>(&action)) found.push_back(*one);
        }
      }
    }
    return found;
  }

  static std::size_t vertices() {
    return static_cast<std::size_t>(ImGui::GetDrawData()->TotalVtxCount);
  }

  NullImGui imgui_{kArea.width, kArea.height};
  Theme theme_;
};

}  // namespace cinderscope
