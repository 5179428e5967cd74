#include "render/views/widgets/imgui_versions.h"

#include <imgui_freetype.h>

#include <cfloat>
#if IMGUI_VERSION_NUM >= 19200
#include <imgui_internal.h>
#endif

namespace cinderscope {
namespace {

#if IMGUI_VERSION_NUM >= 19200
// Fonts load letters when they are asked for them there; ours have all from the start.
ImFont& lent(const ImFont& font) {
  return const_cast<ImFont&>(font);
}
#else
const ImFont& lent(const ImFont& font) {
  return font;
}
#endif

const char* end_of(std::string_view text) {
  return text.data() + text.size();
}

}  // namespace

float size_px(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.LegacySize;
#else
  return font.FontSize;
#endif
}

bool has_glyph(const ImFont& font, ImWchar character) {
#if IMGUI_VERSION_NUM >= 19200
  return lent(font).IsGlyphInFont(character);
#else
  return font.FindGlyphNoFallback(character) != nullptr;
#endif
}

ImVec2 text_size(const ImFont& font, std::string_view text, float wrap_px) {
  return lent(font).CalcTextSizeA(size_px(font), FLT_MAX, wrap_px, text.data(), end_of(text));
}

std::size_t bytes_within(const ImFont& font, std::string_view text, float width_px) {
  const char* rest = nullptr;
  lent(font).CalcTextSizeA(size_px(font), width_px, 0, text.data(), end_of(text), &rest);
  return rest == nullptr ? text.size() : static_cast<std::size_t>(rest - text.data());
}

void add_text(ImDrawList& list, const ImFont& font, ImVec2 at, ImU32 colour, std::string_view text,
              float wrap_px) {
  list.AddText(&lent(font), size_px(font), at, colour, text.data(), end_of(text), wrap_px);
}

void add_text_of_size(ImDrawList& list, const ImFont& font, float height_px, ImVec2 at,
                      ImU32 colour, std::string_view text) {
  list.AddText(&lent(font), height_px, at, colour, text.data(), end_of(text));
}

// ImTextureID is a pointer up to 1.91 and a number since: only this cast means both.
ImTextureID texture_id(std::uint64_t name) {
  return (ImTextureID)name;
}

std::uint64_t texture_name(ImTextureID id) {
  return (std::uint64_t)id;
}

std::uint64_t texture_name(const ImDrawCmd& command) {
  return texture_name(command.GetTexID());
}

void use_freetype(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
  atlas.SetFontLoader(ImGuiFreeType::GetFontLoader());
#else
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
#endif
}

void hint_lightly(ImFontConfig& font) {
#if IMGUI_VERSION_NUM >= 19200
  font.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
#else
  font.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
}

std::optional<int> add_letter_picture([[maybe_unused]] ImFontAtlas& atlas,
                                      [[maybe_unused]] ImFont& font,
                                      [[maybe_unused]] ImWchar character,
                                      [[maybe_unused]] ImVec2 size, [[maybe_unused]] ImVec2 offset,
                                      [[maybe_unused]] float advance_px) {
#if IMGUI_VERSION_NUM >= 19200
  return std::nullopt;
#else
  return atlas.AddCustomRectFontGlyph(&font, character, static_cast<int>(size.x),
                                      static_cast<int>(size.y), advance_px, offset);
#endif
}

ImVec2 place_of_picture([[maybe_unused]] ImFontAtlas& atlas, [[maybe_unused]] int picture) {
#if IMGUI_VERSION_NUM >= 19200
  return {};
#else
  const ImFontAtlasCustomRect& place = *atlas.GetCustomRectByIndex(picture);
  return {static_cast<float>(place.X), static_cast<float>(place.Y)};
#endif
}

void use_atlas(ImFontAtlas& atlas, std::uint64_t name) {
  [[maybe_unused]] ImFontAtlas* before = ImGui::GetIO().Fonts;
  ImGui::GetIO().Fonts = &atlas;
#if IMGUI_VERSION_NUM >= 19200
  if (before != &atlas) {
    ImGui::RegisterFontAtlas(&atlas);
    ImGui::UnregisterFontAtlas(before);
  }
  // An atlas that the context does not own is asked whether a frame knows it.
  if (atlas.Builder->FrameCount < 0) {
    ImFontAtlasUpdateNewFrame(&atlas, ImGui::GetFrameCount(), false);
  }
  ImGui::GetStyle().FontSizeBase = 0;  // as its first font says
#endif
  atlas.SetTexID(texture_id(name));
}

std::uint64_t atlas_texture() {
#if IMGUI_VERSION_NUM >= 19200
  return texture_name(ImGui::GetIO().Fonts->TexRef.GetTexID());
#else
  return texture_name(ImGui::GetIO().Fonts->TexID);
#endif
}

#if IMGUI_VERSION_NUM >= 18700
void set_up_context() {
  ImGuiIO& io = ImGui::GetIO();
  // Events kept for later frames would wait there while nothing else asks for a frame.
  io.ConfigInputTrickleEventQueue = false;
#if IMGUI_VERSION_NUM >= 19120
  io.ConfigDebugHighlightIdConflicts = false;  // tooltips for programmers
#endif
}
void feed_modifiers(HeldModifiers held) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, held.ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, held.shift);
  io.AddKeyEvent(ImGuiMod_Alt, held.alt);
}
void feed_key(ImGuiKey key, bool down) {
  ImGui::GetIO().AddKeyEvent(key, down);
}
void feed_pointer(float x, float y) {
  ImGui::GetIO().AddMousePosEvent(x, y);
}
void feed_button(int button, bool down) {
  ImGui::GetIO().AddMouseButtonEvent(button, down);
}
void feed_wheel(float dx, float dy) {
  ImGui::GetIO().AddMouseWheelEvent(dx, dy);
}
void feed_focus_lost() {
  ImGui::GetIO().AddFocusEvent(false);
}
bool is_key_pressed(ImGuiKey key) {
  return ImGui::IsKeyPressed(key, false);
}
#else
void set_up_context() {
  for (int key = 0; key < ImGuiKey_COUNT; ++key) ImGui::GetIO().KeyMap[key] = key;
}
void feed_modifiers(HeldModifiers held) {
  ImGuiIO& io = ImGui::GetIO();
  io.KeyCtrl = held.ctrl;
  io.KeyShift = held.shift;
  io.KeyAlt = held.alt;
}
void feed_key(ImGuiKey key, bool down) {
  ImGui::GetIO().KeysDown[key] = down;
}
void feed_pointer(float x, float y) {
  ImGui::GetIO().MousePos = {x, y};
}
void feed_button(int button, bool down) {
  ImGui::GetIO().MouseDown[button] = down;
}
void feed_wheel(float dx, float dy) {
  ImGui::GetIO().MouseWheelH += dx;
  ImGui::GetIO().MouseWheel += dy;
}
void feed_focus_lost() {
  for (bool& down : ImGui::GetIO().KeysDown) down = false;
}
bool is_key_pressed(ImGuiKey key) {
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false);
}
#endif

void focus_next_item() {
  ImGui::SetWindowFocus();  // 1.90.1 finds the item only in the window that has the focus
  ImGui::SetKeyboardFocusHere();
}

}  // namespace cinderscope
