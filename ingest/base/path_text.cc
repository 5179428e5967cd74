#include "ingest/base/path_text.h"

#include <algorithm>
#include <type_traits>

#include "ingest/base/utf16.h"

namespace cinderscope {
namespace {

using Native = std::filesystem::path::string_type;
constexpr bool kNamesAreBytes = std::is_same_v<Native, std::string>;

}  // namespace

std::filesystem::path path_of(std::string_view utf8) {
  if constexpr (kNamesAreBytes) {
    return Native(utf8.begin(), utf8.end());
  } else {
    const std::u16string text = utf16_of(utf8);
    return Native(text.begin(), text.end());
  }
}

std::string utf8_of(const std::filesystem::path& path) {
  const Native& name = path.native();
  if constexpr (kNamesAreBytes) {
    return std::string(name.begin(), name.end());
  } else {
    std::string text = utf8_of_utf16(std::u16string(name.begin(), name.end()));
    std::ranges::replace(text, '\\', '/');
    return text;
  }
}

bool is_absolute_path(std::string_view utf8) {
  return path_of(utf8).is_absolute();
}

}  // namespace cinderscope
