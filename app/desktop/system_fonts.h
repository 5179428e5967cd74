// The system's fonts for characters that the program's own fonts lack.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace cinderscope {

struct SystemFont {
  std::string path;
  int face = 0;                      // which of the fonts in the file
  std::vector<char32_t> characters;  // of those asked for, ascending
};

// Fonts that together have as many of `characters` as can be had, the best one first; each
// character is of one font. Empty where the system names none. Any thread, one at a time.
std::vector<SystemFont> system_fonts_with(const std::set<char32_t>& characters);

// A character as the system drew it. Positions in pixels, from where the pen stood on the baseline
// to the right and down.
struct DrawnCharacter {
  char32_t character = 0;
  int left = 0, top = 0, width = 0, height = 0;
  float advance_px = 0;
  std::vector<std::uint8_t> alpha;  // row by row
};

// For a system that draws texts but shows nobody its fonts' files: the characters in a sans-serif
// font of that size. None of a system that does. Any thread.
std::vector<DrawnCharacter> drawn_characters(const std::set<char32_t>& characters, float em_px,
                                             bool bold);

}  // namespace cinderscope
