// The system's fonts for characters that the program's own fonts lack.
#pragma once

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

}  // namespace cinderscope
