// UTF-8 as Windows takes it.
#pragma once

#include <string>
#include <string_view>

#include "ingest/base/utf16.h"

namespace cinderscope {

inline std::wstring wide(std::string_view text) {
  const std::u16string units = utf16_of(text);
  return {units.begin(), units.end()};
}

inline std::string narrow(std::wstring_view text) {
  return utf8_of_utf16(std::u16string(text.begin(), text.end()));
}

}  // namespace cinderscope
