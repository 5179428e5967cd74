#include "app/picture/font_data.h"

// The assembler includes the files as they are: no generated sources of some megabytes of text.
// NOLINTBEGIN(readability-identifier-naming)
#define CINDERSCOPE_EMBED(name, file)              \
  asm(CINDERSCOPE_READ_ONLY                        \
      "\n"                                         \
      ".balign 16\n"                               \
      ".global cinderscope_" #name                 \
      "\n"                                         \
      "cinderscope_" #name                         \
      ":\n"                                        \
      ".incbin \"" file                            \
      "\"\n"                                       \
      ".global cinderscope_" #name                 \
      "_end\n"                                     \
      "cinderscope_" #name                         \
      "_end:\n"                                    \
      ".byte 0\n" CINDERSCOPE_AS_BEFORE);          \
  extern "C" const std::byte cinderscope_##name[]; \
  extern "C" const std::byte cinderscope_##name##_end[]

CINDERSCOPE_EMBED(words, CINDERSCOPE_FONT_WORDS);
CINDERSCOPE_EMBED(heads, CINDERSCOPE_FONT_HEADS);
CINDERSCOPE_EMBED(numbers, CINDERSCOPE_FONT_NUMBERS);
CINDERSCOPE_EMBED(bold, CINDERSCOPE_FONT_BOLD);
CINDERSCOPE_EMBED(icons, CINDERSCOPE_FONT_ICONS);
// NOLINTEND(readability-identifier-naming)

namespace cinderscope {

std::span<const std::byte> words_font_file() {
  return {cinderscope_words, cinderscope_words_end};
}
std::span<const std::byte> heads_font_file() {
  return {cinderscope_heads, cinderscope_heads_end};
}
std::span<const std::byte> numbers_font_file() {
  return {cinderscope_numbers, cinderscope_numbers_end};
}
std::span<const std::byte> bold_font_file() {
  return {cinderscope_bold, cinderscope_bold_end};
}
std::span<const std::byte> icons_font_file() {
  return {cinderscope_icons, cinderscope_icons_end};
}

}  // namespace cinderscope
