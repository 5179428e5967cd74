#include "app/window/drawn_glyphs.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <memory>

namespace cinderscope {
namespace {

TEST(DrawnGlyphsTest, AreLettersOfTheFontAsTheyWereDrawn) {
#if IMGUI_VERSION_NUM >= 19200
  GTEST_SKIP() << "ImGui wants all letters from fonts";
#else
  auto* const context = ImGui::CreateContext();
  auto atlas = std::make_unique<ImFontAtlas>();
  ImFont* const font = atlas->AddFontDefault();
  DrawnGlyphs glyphs;
  glyphs.add(*atlas, *font,
             {{.character = U'日',
               .left = 1,
               .top = -9,
               .width = 2,
               .height = 3,
               .advance_px = 13,
               .alpha = {10, 20, 30, 40, 50, 60}}},
             10);
  ASSERT_TRUE(atlas->Build());
  glyphs.paint(*atlas);
  const ImFontGlyph* glyph = font->FindGlyphNoFallback(0x65e5);
  ASSERT_NE(glyph, nullptr);
  EXPECT_EQ(glyph->AdvanceX, 13);
  EXPECT_EQ(glyph->X0, 1);
  EXPECT_EQ(glyph->Y0, 1);  // its lowest line of pixels stands above the baseline
  EXPECT_EQ(glyph->X1 - glyph->X0, 2);
  EXPECT_EQ(glyph->Y1 - glyph->Y0, 3);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas->GetTexDataAsAlpha8(&pixels, &width, &height);
  const auto x = static_cast<int>(glyph->U0 * static_cast<float>(width) + 0.5f);
  const auto y = static_cast<int>(glyph->V0 * static_cast<float>(height) + 0.5f);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 2; ++column) {
      EXPECT_EQ(pixels[(y + row) * width + x + column], 10 * (2 * row + column + 1));
    }
  }
  atlas.reset();
  ImGui::DestroyContext(context);
#endif
}

}  // namespace
}  // namespace cinderscope
