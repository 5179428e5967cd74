// What the versions of Dear ImGui (1.86 to 1.92) spell differently about fonts, textures and input.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace cinderscope {

float size_px(const ImFont& font);  // that it was made for
bool has_glyph(const ImFont& font, ImWchar character);
// Width and height of `text` in `font`, broken into lines of `wrap_px` where that is not 0.
ImVec2 text_size(const ImFont& font, std::string_view text, float wrap_px = 0);
// How many bytes of `text` fit into one line of `width_px`.
std::size_t bytes_within(const ImFont& font, std::string_view text, float width_px);
void add_text(ImDrawList& list, const ImFont& font, ImVec2 at, ImU32 colour, std::string_view text,
              float wrap_px = 0);
// Larger or smaller than the font was made.
void add_text_of_size(ImDrawList& list, const ImFont& font, float height_px, ImVec2 at,
                      ImU32 colour, std::string_view text);

// A texture's name in OpenGL as ImGui's draw lists carry it.
ImTextureID texture_id(std::uint64_t name);
std::uint64_t texture_name(ImTextureID id);
std::uint64_t texture_name(const ImDrawCmd& command);

// Has FreeType draw the letters of an atlas, and the letters of one font with light hinting.
void use_freetype(ImFontAtlas& atlas);
void hint_lightly(ImFontConfig& font);
// Room in an atlas that is not built yet for a picture of a character; `offset` is from a line's
// top left corner. None where ImGui wants all of its letters from fonts (1.92).
std::optional<int> add_letter_picture(ImFontAtlas& atlas, ImFont& font, ImWchar character,
                                      ImVec2 size, ImVec2 offset, float advance_px);
// Its top left corner in the texture, once the atlas is built.
ImVec2 place_of_picture(ImFontAtlas& atlas, int picture);
// Between two frames: the current context draws with `atlas`, which is built, from now on. Its
// texture is `name` in OpenGL. The atlas before may go then.
void use_atlas(ImFontAtlas& atlas, std::uint64_t name);
std::uint64_t atlas_texture();  // its name, of the current context's atlas

void set_up_context();  // the current one, once it is made

// Input of the current context. The next frame takes all that it was fed, so what happens twice,
// like a press and a release, needs two frames.
struct HeldModifiers {
  bool ctrl = false, shift = false, alt = false;
};
void feed_modifiers(HeldModifiers held);
void feed_key(ImGuiKey key, bool down);
void feed_pointer(float x, float y);
void feed_button(int button, bool down);
void feed_wheel(float dx, float dy);
void feed_focus_lost();  // no key is down any more

bool is_key_pressed(ImGuiKey key);  // in this frame, repetitions not counted
void focus_next_item();             // takes what is typed from the next frame on

}  // namespace cinderscope
