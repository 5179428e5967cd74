// How wide texts are in the fonts that are built in: the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "render/pictures/draw_list.h"

namespace cinderscope {

// The files of the three fonts; they outlive whatever draws with them.
struct PictureFonts {
  std::span<const std::byte> words, heads, numbers;
  std::span<const std::byte> file(PictureFont font) const {
    if (font == PictureFont::heads) return heads;
    return font == PictureFont::numbers ? numbers : words;
  }
};

// Pieces of a glyph's outline, in em squares, y downwards.
struct GlyphOutline {
  struct Step {
    enum class Kind : std::uint8_t { move, line, quadratic, cubic } kind = Kind::move;
    std::array<PicturePoint, 3> points{};
  };
  std::vector<Step> steps;
};

// One thread at a time.
class TextMeasure {
 public:
  explicit TextMeasure(const PictureFonts& fonts);
  ~TextMeasure();
  TextMeasure(const TextMeasure&) = delete;
  TextMeasure& operator=(const TextMeasure&) = delete;

  float width(PictureFont font, float size_px, std::string_view text) const;
  // How many bytes from the begin of `text` fit into `width_px`; ends between two characters.
  std::size_t fit(PictureFont font, float size_px, std::string_view text, float width_px) const;
  // From the middle of a line of text down to its baseline.
  float baseline_below_middle(PictureFont font, float size_px) const;

  bool has(PictureFont font, char32_t character) const;
  float advance(PictureFont font, char32_t character) const;  // in em squares
  GlyphOutline outline(PictureFont font, char32_t character) const;

 private:
  struct Faces;
  std::unique_ptr<Faces> faces_;
};

// The character at `text[at]`, which moves behind it; U+FFFD for a stray byte.
char32_t next_character(std::string_view text, std::size_t& at);

// True where the first letter that has a direction runs from right to left.
bool runs_to_the_left(std::string_view text);

}  // namespace cinderscope
