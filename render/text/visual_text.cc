#include "render/text/visual_text.h"

#include <fribidi.h>

#include <algorithm>
#include <vector>

#include "ingest/base/utf8.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMaxCharacters = 4096;  // of one line; more would not fit on any screen
constexpr FriBidiChar kBox = 0x25a1;
constexpr FriBidiChar kFill = 0xfeff;  // what FriBidi leaves where two letters became one

unsigned char byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

}  // namespace

bool needs_visual(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char lead = byte_at(text, i);
    if (lead < 0xd6) continue;
    const unsigned char next = byte_at(text, i + 1);
    if (lead <= 0xdf || lead >= 0xf0) return true;                  // U+0580 to U+07FF, past U+FFFF
    if (lead == 0xe0 && next < 0xa4) return true;                   // U+0800 to U+08FF
    if (lead == 0xef && next >= 0xac && next <= 0xbb) return true;  // presentation forms
  }
  return false;
}

std::string visual_text(std::string_view text, char32_t last_character) {
  std::vector<FriBidiChar> characters;
  characters.reserve(std::min(text.size(), kMaxCharacters));
  while (!text.empty() && characters.size() < kMaxCharacters) {
    const Utf8Char next = first_char(text);
    characters.push_back(static_cast<FriBidiChar>(next.code));
    text.remove_prefix(next.size);
  }
  const auto count = static_cast<FriBidiStrIndex>(characters.size());
  if (count == 0) return {};
  std::vector<FriBidiCharType> types(characters.size());
  std::vector<FriBidiBracketType> brackets(characters.size());
  std::vector<FriBidiLevel> levels(characters.size());
  std::vector<FriBidiJoiningType> joins(characters.size());
  fribidi_get_bidi_types(characters.data(), count, types.data());
  fribidi_get_bracket_types(characters.data(), count, types.data(), brackets.data());
  FriBidiParType direction = FRIBIDI_PAR_ON;
  const bool levelled = fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), count,
                                                            &direction, levels.data()) != 0;
  if (levelled) {
    fribidi_get_joining_types(characters.data(), count, joins.data());
    fribidi_join_arabic(types.data(), count, levels.data(), joins.data());
    fribidi_shape(FRIBIDI_FLAGS_DEFAULT | FRIBIDI_FLAGS_ARABIC, levels.data(), count, joins.data(),
                  characters.data());
    // Fails only for want of memory; the characters then stay as they are read.
    [[maybe_unused]] const FriBidiLevel highest =
        fribidi_reorder_line(FRIBIDI_FLAGS_DEFAULT, types.data(), count, 0, direction,
                             levels.data(), characters.data(), nullptr);
  }
  std::string out;
  for (const FriBidiChar character : characters) {
    if (character == kFill) continue;
    append_utf8(out, character > last_character ? kBox : character);
  }
  return out;
}

}  // namespace cinderscope
