#include "app/window/imgui_input.h"

#include <imgui.h>

#include <array>
#include <cfloat>
#include <type_traits>
#include <utility>

#include "render/views/widgets/imgui_versions.h"

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

void feed_key_of(const KeyChord& chord, bool down) {
  // That chord opens a list of ImGui's own windows; here it is for the next trace.
  if (chord.key == Key::tab && chord.ctrl && down) return;
  for (const auto& [ours, theirs] : kKeys) {
    if (ours == chord.key) feed_key(theirs, down);
  }
}

HeldModifiers held(const Modifiers& modifiers) {
  return {.ctrl = modifiers.ctrl, .shift = modifiers.shift, .alt = modifiers.alt};
}

}  // namespace

void feed_imgui(const InputEvent& event) {
  std::visit(
      [](const auto& what) {
        using T = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<T, PointerMoved>) {
          feed_modifiers(held(what.modifiers));
          feed_pointer(what.x, what.y);
        } else if constexpr (std::is_same_v<T, PointerLeft>) {
          // A drag goes on outside of the window; only an idle pointer is gone.
          if (!ImGui::IsAnyMouseDown()) feed_pointer(-FLT_MAX, -FLT_MAX);
        } else if constexpr (std::is_same_v<T, ButtonChanged>) {
          feed_modifiers(held(what.modifiers));
          feed_button(static_cast<int>(what.button), what.down);
        } else if constexpr (std::is_same_v<T, WheelTurned>) {
          feed_modifiers(held(what.modifiers));
          feed_wheel(what.dx, what.dy);
        } else if constexpr (std::is_same_v<T, KeyChanged>) {
          feed_modifiers(held({what.chord.ctrl, what.chord.shift, what.chord.alt}));
          feed_key_of(what.chord, what.down);
        } else if constexpr (std::is_same_v<T, CharacterTyped>) {
          ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(what.character));
        } else if constexpr (std::is_same_v<T, FocusChanged>) {
          if (!what.focused) feed_focus_lost();
        }
      },
      event);
}

}  // namespace cinderscope
