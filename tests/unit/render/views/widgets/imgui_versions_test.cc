#include "render/views/widgets/imgui_versions.h"

#include <array>
#include <utility>

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class ImGuiVersionsTest : public ViewWindow {};

TEST_F(ImGuiVersionsTest, MeasuresTextAsItIsDrawn) {
  frame([&](Actions&) {
    const ImFont& font = *ImGui::GetFont();
    const ImVec2 line = text_size(font, "some words");
    EXPECT_EQ(line.y, size_px(font));
    EXPECT_EQ(text_size(font, "some words", line.x - 1).y, 2 * size_px(font));
    EXPECT_EQ(bytes_within(font, "some words", line.x + 1), 10u);
    const float four_px = text_size(font, "some").x;
    EXPECT_EQ(bytes_within(font, "some words", four_px + 1), 4u);
    EXPECT_TRUE(has_glyph(font, 'a'));
    EXPECT_FALSE(has_glyph(font, 0x4e00));
  });
}

TEST_F(ImGuiVersionsTest, AddsSixIndicesALetter) {
  frame([](Actions&) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const int before = list.IdxBuffer.Size;
    add_text(list, *ImGui::GetFont(), {20, 20}, IM_COL32_WHITE, "words and more");
    EXPECT_EQ(list.IdxBuffer.Size - before, 6 * 12);  // blanks have none
  });
}

TEST_F(ImGuiVersionsTest, ATextureKeepsItsNameInADrawList) {
  EXPECT_EQ(texture_name(texture_id(42)), 42u);
  EXPECT_EQ(atlas_texture(), NullImGui::kFontTexture);
  frame([](Actions&) { ImGui::GetWindowDrawList()->AddImage(texture_id(42), {10, 10}, {20, 20}); });
  bool found = false;
  for (const ImDrawCmd& command : ImGui::GetDrawData()->CmdLists[0]->CmdBuffer) {
    found |= texture_name(command) == 42;
  }
  EXPECT_TRUE(found);
}

TEST_F(ImGuiVersionsTest, AnotherAtlasIsDrawnWithFromTheNextFrameOn) {
  ImFontAtlas other;
  ImFontConfig config;
  hint_lightly(config);
  use_freetype(other);
  config.SizePixels = 26;
  other.AddFontDefault(&config);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  other.GetTexDataAsRGBA32(&pixels, &width, &height);
  frame([](Actions&) {});
  ImFontAtlas* const before = ImGui::GetIO().Fonts;
  use_atlas(other, 9);
  frame([](Actions&) {
    EXPECT_EQ(size_px(*ImGui::GetFont()), 26);
    EXPECT_EQ(ImGui::GetFontSize(), 26);
  });
  EXPECT_EQ(atlas_texture(), 9u);
  use_atlas(*before, NullImGui::kFontTexture);  // the context deletes its own
}

TEST_F(ImGuiVersionsTest, AKeyIsPressedInOneFrame) {
  const auto pressed = [&] {
    bool is_pressed = false;
    frame([&](Actions&) { is_pressed = is_key_pressed(ImGuiKey_Escape); });
    return is_pressed;
  };
  EXPECT_FALSE(pressed());
  feed_key(ImGuiKey_Escape, true);
  EXPECT_TRUE(pressed());
  EXPECT_FALSE(pressed());
  feed_key(ImGuiKey_Escape, false);
  EXPECT_FALSE(pressed());
  feed_key(ImGuiKey_Escape, true);
  EXPECT_TRUE(pressed());
}

TEST_F(ImGuiVersionsTest, TheNextFrameTakesAllInput) {
  const ImGuiIO& io = ImGui::GetIO();
  feed_pointer(70, 80);
  feed_modifiers({.ctrl = true, .alt = true});
  feed_button(0, true);
  feed_wheel(1, -2);
  feed_key(ImGuiKey_A, true);
  frame([&](Actions&) {
    EXPECT_EQ(io.MousePos.x, 70);
    EXPECT_EQ(io.MousePos.y, 80);
    EXPECT_TRUE(io.KeyCtrl && io.KeyAlt && !io.KeyShift);
    EXPECT_TRUE(ImGui::IsMouseClicked(ImGuiMouseButton_Left));
    EXPECT_EQ(io.MouseWheelH, 1);
    EXPECT_EQ(io.MouseWheel, -2);
    EXPECT_TRUE(is_key_pressed(ImGuiKey_A));
  });
  feed_focus_lost();
  frame([](Actions&) {});
  feed_key(ImGuiKey_A, true);
  frame([](Actions&) { EXPECT_TRUE(is_key_pressed(ImGuiKey_A)); });
}

// Keys and letters come mixed, as a keyboard makes them.
TEST_F(ImGuiVersionsTest, AFieldInAnyWindowTakesWhatIsTyped) {
  std::array<char, 16> outer{}, inner{};
  bool focus_outer = true, focus_inner = false;
  const auto draw = [&](Actions&) {
    if (std::exchange(focus_outer, false)) focus_next_item();
    ImGui::InputText("outer", outer.data(), outer.size());
    ImGui::BeginChild("child", {300, 100}, false, ImGuiWindowFlags_NoNav);
    if (std::exchange(focus_inner, false)) focus_next_item();
    ImGui::InputText("inner", inner.data(), inner.size());
    ImGui::EndChild();
  };
  const auto type_a_and_c = [&] {
    for (int i = 0; i < 3; ++i) frame(draw);
    for (const auto& [key, letter] : {std::pair{ImGuiKey_A, 'a'}, std::pair{ImGuiKey_C, 'c'}}) {
      feed_key(key, true);
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
    }
    frame(draw);
    for (const auto key : {ImGuiKey_A, ImGuiKey_C}) feed_key(key, false);
    frame(draw);
  };
  type_a_and_c();
  EXPECT_STREQ(outer.data(), "ac");
  focus_inner = true;
  type_a_and_c();
  EXPECT_STREQ(inner.data(), "ac");
  EXPECT_STREQ(outer.data(), "ac");
}

}  // namespace
}  // namespace cinderscope
