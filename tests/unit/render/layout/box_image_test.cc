#include "render/layout/box_image.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cinderscope {
namespace {

class BoxImageTest : public testing::Test {
 protected:
  // Boxes of one line, left to right, in a view of ten pixels.
  void lay(std::vector<DrawBox> boxes) {
    layout_.line_boxes = {std::move(boxes)};
    layout_.lines = {{.track = TrackId(0), .boxes = layout_.line_boxes[0]}};
    layout_.slice_lines = 1;
    ++layout_.version;
  }
  DrawBox wide(float x_px, float width_px, const char* name, std::uint64_t first = 0) {
    return {.x_px = x_px, .width_px = width_px, .name = names_.intern(name), .first = first};
  }
  static DrawBox thin(float x_px, std::uint8_t busy) {
    return {.x_px = x_px, .width_px = 1, .count = 2, .tint = {.busy = busy, .colour = 7}};
  }
  void paint(const SliceRef& hovered = {}, ThemeKind theme = ThemeKind::dark) {
    image_.paint({.layout = layout_,
                  .palette = palette_of(theme, false),
                  .names = names_,
                  .hovered = hovered,
                  .width_px = 10});
  }
  Rgba colour(const char* name) { return palette_.box(names_.hash(names_.intern(name))); }
  // The line as letters: `names` for their boxes, '.' for none, '?' for any other colour.
  std::string text(const std::vector<const char*>& names) {
    std::string result;
    for (const Rgba pixel : image_.line(0)) {
      char letter = pixel == 0 ? '.' : '?';
      for (const char* name : names) letter = pixel == colour(name) ? *name : letter;
      result += letter;
    }
    return result;
  }

  StringPool names_;
  Layout layout_;
  BoxImage image_;
  const Palette& palette_ = palette_of(ThemeKind::dark, false);
};

TEST_F(BoxImageTest, BoxesStandOnePixelApartOnWholePixels) {
  lay({wide(-2, 4.2f, "a"), wide(2.2f, 3.4f, "b"), wide(5.6f, 1, "c"), wide(6.6f, 5.4f, "a")});
  paint();
  EXPECT_EQ(image_.lines(), 1u);
  EXPECT_EQ(text({"a", "b", "c"}), "a.bbb.caaa");  // the last one ends beyond the view
}

TEST_F(BoxImageTest, ColumnsOfThinSlicesHaveTheirMeanColour) {
  lay({thin(2, 10), thin(3, 255)});
  paint();
  EXPECT_EQ(image_.line(0)[1], 0u);
  EXPECT_EQ(image_.line(0)[2], palette_.merged({.busy = 10, .colour = 7}));
  EXPECT_EQ(image_.line(0)[3], palette_.merged({.busy = 255, .colour = 7}));
}

TEST_F(BoxImageTest, AThinColumnLiesOverTheBoxThatSharesItsPixel) {
  lay({thin(2, 255), wide(2.3f, 4, "a")});
  paint();
  EXPECT_EQ(image_.line(0)[2], palette_.merged({.busy = 255, .colour = 7}));
  EXPECT_EQ(image_.line(0)[3], colour("a"));
  lay({thin(2, 1), wide(2.3f, 4, "a")});
  paint();
  const Rgba mixed = image_.line(0)[2];  // what is seen through is mixed
  EXPECT_EQ(mixed >> 24, 255u);
  EXPECT_NE(mixed, colour("a"));
  EXPECT_NE(mixed, palette_.merged({.busy = 1, .colour = 7}));
}

TEST_F(BoxImageTest, IsPaintedAgainOnlyWhereItLooksDifferent) {
  lay({wide(0, 5, "a", 7)});
  paint();
  const std::uint64_t version = image_.version();
  paint();
  EXPECT_EQ(image_.version(), version);
  paint({TrackId(0), BlockId(0), 0, 7});
  EXPECT_NE(image_.version(), version);
  EXPECT_EQ(image_.line(0)[0], palette_.hovered(names_.hash(names_.intern("a"))));
  paint({TrackId(0), BlockId(0), 1, 7});  // on another row
  EXPECT_EQ(image_.line(0)[0], colour("a"));
  paint({}, ThemeKind::light);
  EXPECT_NE(image_.line(0)[0], colour("a"));
  lay({wide(1, 5, "a")});
  paint({}, ThemeKind::light);
  EXPECT_EQ(image_.line(0)[0], 0u);
}

TEST_F(BoxImageTest, LeavesOutInstantsAndTakesAnyWidth) {
  lay({wide(0, 5, "a")});
  layout_.lines.insert(layout_.lines.begin(), {.track = TrackId(0), .instants = true});
  paint();
  EXPECT_EQ(image_.lines(), 1u);
  EXPECT_EQ(text({"a"}), "aaaa......");
  image_.paint({.layout = layout_, .palette = palette_, .names = names_, .width_px = 0});
  EXPECT_TRUE(image_.pixels().empty());
}

}  // namespace
}  // namespace cinderscope
