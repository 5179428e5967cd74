// What bytes of a text are to whoever moves about in it.
#pragma once

namespace cinderscope {

// Belongs to the UTF-8 character that a byte before it begins.
inline bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
}

}  // namespace cinderscope
