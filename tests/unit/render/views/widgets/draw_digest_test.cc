#include "render/views/widgets/draw_digest.h"

#include "tests/unit/render/views/view_window.h"

namespace cinderscope {
namespace {

class DrawDigestTest : public ViewWindow {
 protected:
  std::uint64_t digest_after(const std::function<void(ImDrawList&)>& draw) {
    frame([&](Actions&) { draw(*ImGui::GetWindowDrawList()); });
    return digest_of(*ImGui::GetDrawData());
  }
};

void draw_box(ImDrawList& list, float x, ImU32 colour) {
  list.AddRectFilled({x, 10}, {x + 10, 20}, colour);
}

TEST_F(DrawDigestTest, IsTheSameForFramesThatLookTheSame) {
  const auto draw = [](ImDrawList& list) { draw_box(list, 10, IM_COL32_WHITE); };
  digest_after(draw);  // the first frame of a window is another
  EXPECT_EQ(digest_after(draw), digest_after(draw));
}

TEST_F(DrawDigestTest, ChangesWithPlaceColourClipTextureAndSize) {
  std::set<std::uint64_t> digests;
  const auto add = [&](const std::function<void(ImDrawList&)>& draw) {
    digest_after(draw);
    digests.insert(digest_after(draw));
  };
  add([](ImDrawList&) {});
  add([](ImDrawList& list) { draw_box(list, 10, IM_COL32_WHITE); });
  add([](ImDrawList& list) { draw_box(list, 11, IM_COL32_WHITE); });
  add([](ImDrawList& list) { draw_box(list, 10, IM_COL32_BLACK); });
  add([](ImDrawList& list) {
    list.PushClipRect({0, 0}, {15, 15});
    draw_box(list, 10, IM_COL32_WHITE);
    list.PopClipRect();
  });
  add([&](ImDrawList& list) { list.AddImage(texture_id(2), {10, 10}, {20, 20}); });
  add([&](ImDrawList& list) { list.AddImage(texture_id(3), {10, 10}, {20, 20}); });
  ImGui::GetIO().DisplaySize.x += 1;
  add([](ImDrawList&) {});
  EXPECT_EQ(digests.size(), 8u);
}

}  // namespace
}  // namespace cinderscope
