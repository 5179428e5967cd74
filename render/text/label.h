// Names for drawing: control characters replaced, long names shortened to their telling part.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace cinderscope {

// The longest text that is drawn; more would not fit on any screen.
inline constexpr std::size_t kMaxLabelBytes = 480;

// True if `text` can be drawn as it is: valid UTF-8 without control characters, short enough.
bool is_drawable(std::string_view text);

// `text` for one line on screen: controls (C0, DEL, C1, line separators, direction marks) become
// blanks, bytes that are no UTF-8 become U+FFFD, text beyond kMaxLabelBytes is left out.
std::string drawable(std::string_view text);

// A name of any length, drawable; a long one keeps its telling part, behind "…".
std::string drawable_name(std::string_view name);

// What a format calls a fact, as a head: "Event" for "event", "Id" for "id2".
std::string fact_title(std::string_view key);

// Where the telling part of a name begins: the last component of a::b::c, of a path or a package.
// Separators inside brackets do not count. 0 if the name has one component only.
std::size_t telling_begin(std::string_view name);

// Bytes of the UTF-8 character that begins at `text[at]`; 1 for a stray byte.
std::size_t character_bytes(std::string_view text, std::size_t at);

// A name in limited room: `lead` ("" or "…"), then `text`, then `tail` ("" or "…").
struct ShortLabel {
  std::string_view lead, text, tail;
  bool empty() const { return text.empty(); }
};

// How many bytes from the begin of `text` fit into `width_px`; ends between two characters.
using FitBytes = std::function<std::size_t(std::string_view text, double width_px)>;

// The whole name if it fits; else its telling part behind an ellipsis; else as much of the telling
// part as fits before an ellipsis; nothing if that would be under three letters. `name` is
// drawable.
ShortLabel shortened(std::string_view name, std::size_t telling, std::string_view ellipsis,
                     double ellipsis_px, double width_px, const FitBytes& fit);

}  // namespace cinderscope
