#include "app/window/imgui_style.h"

#include <imgui.h>

namespace cinderscope {

void apply_style(const Theme& theme) {
  ImGuiStyle style;
  const ThemeColours& colours = theme.colours;
  const auto set = [&style](ImGuiCol which, Rgba colour) {
    style.Colors[which] = ImGui::ColorConvertU32ToFloat4(colour);
  };
  const Rgba none = 0;
  set(ImGuiCol_Text, colours.text);
  set(ImGuiCol_TextDisabled, colours.dim);
  set(ImGuiCol_WindowBg, colours.background);
  set(ImGuiCol_ChildBg, none);
  set(ImGuiCol_PopupBg, colours.raised);
  set(ImGuiCol_Border, colours.line);
  set(ImGuiCol_BorderShadow, none);
  set(ImGuiCol_FrameBg, colours.background);
  set(ImGuiCol_FrameBgHovered, colours.background);
  set(ImGuiCol_FrameBgActive, colours.background);
  set(ImGuiCol_ScrollbarBg, none);
  set(ImGuiCol_ScrollbarGrab, colours.line);
  set(ImGuiCol_ScrollbarGrabHovered, with_alpha(colours.dim, 160));
  set(ImGuiCol_ScrollbarGrabActive, colours.dim);
  set(ImGuiCol_CheckMark, colours.text);
  set(ImGuiCol_Button, none);
  set(ImGuiCol_ButtonHovered, colours.raised);
  set(ImGuiCol_ButtonActive, colours.line);
  set(ImGuiCol_Header, colours.line);
  set(ImGuiCol_HeaderHovered, colours.line);
  set(ImGuiCol_HeaderActive, colours.line);
  set(ImGuiCol_Separator, colours.line);
  set(ImGuiCol_TextSelectedBg, with_alpha(colours.dim, 90));
  set(ImGuiCol_NavHighlight, none);
  set(ImGuiCol_ModalWindowDimBg, none);

  style.WindowPadding = {0, 0};
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.PopupRounding = 6;
  style.FrameRounding = 4;
  style.ScrollbarRounding = 0;
  style.ScrollbarSize = 8;
  style.FramePadding = {8, 5};
  style.ItemSpacing = {8, 4};
  style.AntiAliasedLinesUseTex = false;  // the atlas has no lines baked in once it is rebuilt small
  style.ScaleAllSizes(theme.scale);
  style.PopupBorderSize = 1;
  ImGui::GetStyle() = style;
}

}  // namespace cinderscope
