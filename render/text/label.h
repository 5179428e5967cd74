// Names made fit for drawing: made safe, and shortened so that the telling part stays.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace cinderscope {

// Longest text that is ever drawn; more would not fit on any screen.
inline constexpr std::size_t kMaxLabelBytes = 480;

// True if `text` can be drawn as it is: valid UTF-8 without control characters, short enough.
bool is_drawable(std::string_view text);

// `text` for one line on screen: controls (C0, DEL, C1, line separators, direction marks) become
// blanks, bytes that are no UTF-8 become U+FFFD, what goes beyond kMaxLabelBytes is left out.
std::string drawable(std::string_view text);

// Where the telling part of a name begins: the last component of a::b::c, of a path or a package.
// Separators inside brackets do not count. 0 if the name has one component only.
std::size_t telling_begin(std::string_view name);

// Bytes of the UTF-8 character that begins at `text[at]`; 1 for a stray byte.
std::size_t character_bytes(std::string_view text, std::size_t at);

// How a name is shown in limited room: `lead` ("" or "…"), then `part`, then `tail` ("" or "…").
struct ShortLabel {
  std::string_view lead, part, tail;
  bool empty() const { return part.empty(); }
};

// How much of `text` from its begin fits into `width_px`, in bytes, at a character's border.
using FitBytes = std::function<std::size_t(std::string_view text, double width_px)>;

// The whole name if it fits; else its telling part behind an ellipsis; else as much of the telling
// part as fits before an ellipsis; nothing if that would be under three letters. `name` is
// drawable.
ShortLabel shortened(std::string_view name, std::size_t telling, std::string_view ellipsis,
                     double ellipsis_px, double width_px, const FitBytes& fit);

}  // namespace cinderscope
