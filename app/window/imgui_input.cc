#include "app/window/imgui_input.h"

#include <imgui.h>

#include <array>
#include <cfloat>
#include <type_traits>
#include <utility>

namespace cinderscope {
namespace {

// The keys that ImGui's own widgets know what to do with.
constexpr auto kKeys = std::to_array<std::pair<Key, ImGuiKey>>({
    {Key::tab, ImGuiKey_Tab},
    {Key::left, ImGuiKey_LeftArrow},
    {Key::right, ImGuiKey_RightArrow},
    {Key::up, ImGuiKey_UpArrow},
    {Key::down, ImGuiKey_DownArrow},
    {Key::page_up, ImGuiKey_PageUp},
    {Key::page_down, ImGuiKey_PageDown},
    {Key::home, ImGuiKey_Home},
    {Key::end, ImGuiKey_End},
    {Key::insert, ImGuiKey_Insert},
    {Key::del, ImGuiKey_Delete},
    {Key::backspace, ImGuiKey_Backspace},
    {Key::space, ImGuiKey_Space},
    {Key::enter, ImGuiKey_Enter},
    {Key::escape, ImGuiKey_Escape},
    {Key::a, ImGuiKey_A},
    {Key::c, ImGuiKey_C},
    {Key::v, ImGuiKey_V},
    {Key::x, ImGuiKey_X},
    {Key::y, ImGuiKey_Y},
    {Key::z, ImGuiKey_Z},
});

#if IMGUI_VERSION_NUM >= 18700
void set_modifiers(bool ctrl, bool shift, bool alt) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Alt, alt);
}
void set_pointer(float x, float y) {
  ImGui::GetIO().AddMousePosEvent(x, y);
}
void set_button(int button, bool down) {
  ImGui::GetIO().AddMouseButtonEvent(button, down);
}
void turn_wheel(float dx, float dy) {
  ImGui::GetIO().AddMouseWheelEvent(dx, dy);
}
void set_key(Key key, bool down) {
  for (const auto& [ours, theirs] : kKeys) {
    if (ours == key) ImGui::GetIO().AddKeyEvent(theirs, down);
  }
}
void release_keys() {
  ImGui::GetIO().AddFocusEvent(false);
}
#else
void set_modifiers(bool ctrl, bool shift, bool alt) {
  ImGuiIO& io = ImGui::GetIO();
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
  io.KeyAlt = alt;
}
void set_pointer(float x, float y) {
  ImGui::GetIO().MousePos = {x, y};
}
void set_button(int button, bool down) {
  ImGui::GetIO().MouseDown[button] = down;
}
void turn_wheel(float dx, float dy) {
  ImGui::GetIO().MouseWheel += dy;
  ImGui::GetIO().MouseWheelH += dx;
}
void set_key(Key key, bool down) {
  ImGui::GetIO().KeysDown[static_cast<int>(key)] = down;
}
void release_keys() {
  for (bool& down : ImGui::GetIO().KeysDown) down = false;
}
#endif

}  // namespace

void set_up_imgui_keys() {
#if IMGUI_VERSION_NUM < 18700
  for (const auto& [ours, theirs] : kKeys) ImGui::GetIO().KeyMap[theirs] = static_cast<int>(ours);
#endif
}

void feed_imgui(const InputEvent& event) {
  std::visit(
      [](const auto& what) {
        using T = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<T, PointerMoved>) {
          set_modifiers(what.modifiers.ctrl, what.modifiers.shift, what.modifiers.alt);
          set_pointer(what.x, what.y);
        } else if constexpr (std::is_same_v<T, PointerLeft>) {
          // A drag goes on outside of the window; only an idle pointer is gone.
          if (!ImGui::IsAnyMouseDown()) set_pointer(-FLT_MAX, -FLT_MAX);
        } else if constexpr (std::is_same_v<T, ButtonChanged>) {
          set_modifiers(what.modifiers.ctrl, what.modifiers.shift, what.modifiers.alt);
          set_button(static_cast<int>(what.button), what.down);
        } else if constexpr (std::is_same_v<T, WheelTurned>) {
          set_modifiers(what.modifiers.ctrl, what.modifiers.shift, what.modifiers.alt);
          turn_wheel(what.dx, what.dy);
        } else if constexpr (std::is_same_v<T, KeyChanged>) {
          set_modifiers(what.chord.ctrl, what.chord.shift, what.chord.alt);
          if (what.chord.key != Key::none) set_key(what.chord.key, what.down);
        } else if constexpr (std::is_same_v<T, CharacterTyped>) {
          ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(what.character));
        } else if constexpr (std::is_same_v<T, FocusChanged>) {
          if (!what.focused) release_keys();
        }
      },
      event);
}

}  // namespace cinderscope
