#include "app/window/imgui_input.h"

#include <gtest/gtest.h>

#include "app/commands/keys.h"
#include "tests/unit/render/views/null_imgui.h"

namespace cinderscope {
namespace {

class ImGuiInputTest : public testing::Test {
 protected:
  // What ImGui knows in the next frame.
  static bool pressed_after(const InputEvent& event, ImGuiKey key) {
    feed_imgui(event);
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    const bool pressed = is_key_pressed(key);
    ImGui::EndFrame();
    return pressed;
  }
  static KeyChanged change(std::string_view chord, bool down) {
    return {*parse_chord(chord), down, false};
  }

  NullImGui imgui_{400, 300};
};

TEST_F(ImGuiInputTest, KeysComeWithTheirModifiers) {
  EXPECT_TRUE(pressed_after(change("Ctrl+Shift+Left", true), ImGuiKey_LeftArrow));
  EXPECT_TRUE(ImGui::GetIO().KeyCtrl && ImGui::GetIO().KeyShift && !ImGui::GetIO().KeyAlt);
  EXPECT_FALSE(pressed_after(change("Left", false), ImGuiKey_LeftArrow));
  EXPECT_FALSE(ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeyShift);
  EXPECT_TRUE(pressed_after(change("Left", true), ImGuiKey_LeftArrow));
}

TEST_F(ImGuiInputTest, AWindowWithoutTheKeyboardHoldsNoKey) {
  EXPECT_TRUE(pressed_after(change("A", true), ImGuiKey_A));
  EXPECT_FALSE(pressed_after(FocusChanged{false}, ImGuiKey_A));
  EXPECT_TRUE(pressed_after(change("A", true), ImGuiKey_A));
}

TEST_F(ImGuiInputTest, CtrlTabIsForTheNextTraceAlone) {
  EXPECT_FALSE(pressed_after(change("Ctrl+Tab", true), ImGuiKey_Tab));
  EXPECT_FALSE(pressed_after(change("Ctrl+Tab", false), ImGuiKey_Tab));
  EXPECT_FALSE(pressed_after(change("Ctrl+Shift+Tab", true), ImGuiKey_Tab));
  EXPECT_FALSE(pressed_after(change("Ctrl+Shift+Tab", false), ImGuiKey_Tab));
  EXPECT_TRUE(pressed_after(change("Tab", true), ImGuiKey_Tab));
}

}  // namespace
}  // namespace cinderscope
