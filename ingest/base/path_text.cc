#include "ingest/base/path_text.h"

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "ingest/base/utf16.h"

namespace cinderscope {
namespace {

using Native = std::filesystem::path::string_type;
constexpr bool kNamesAreBytes = std::is_same_v<Native, std::string>;

// Windows takes names of 260 units and more only with this before them, and then as they are: with
// no ".", no ".." and no "/". Folders made with a name in them have to be shorter by 12.
constexpr std::u16string_view kAsItIs = u"\\\\?\\", kOfServer = u"UNC\\";
constexpr std::size_t kShortUnits = 240;

// Templates, since where names are bytes nobody calls them.
template <class Path>
Path with_any_length(Path path) {
  if (path.native().size() < kShortUnits || !path.is_absolute()) return path;
  path = path.lexically_normal().make_preferred();
  typename Path::string_type name = path.native();
  const auto insert = [&name](std::size_t at, std::u16string_view text) {
    name.insert(name.begin() + static_cast<std::ptrdiff_t>(at), text.begin(), text.end());
  };
  if (name[1] == ':') {
    insert(0, kAsItIs);
  } else if (name[2] != '?' && name[2] != '.') {
    insert(2, kOfServer);
    insert(2, kAsItIs.substr(2));
  }
  return name;
}

template <class Text>
Text without_prefix(Text name) {
  if (!name.starts_with(kAsItIs)) return name;
  const Text rest = name.substr(kAsItIs.size());
  if (rest.starts_with(kOfServer)) return u"\\\\" + rest.substr(kOfServer.size());
  return rest.size() > 1 && rest[1] == u':' ? rest : name;
}

}  // namespace

std::filesystem::path path_of(std::string_view utf8) {
  if constexpr (kNamesAreBytes) {
    return Native(utf8.begin(), utf8.end());
  } else {
    const std::u16string text = utf16_of(utf8);
    return with_any_length(std::filesystem::path(Native(text.begin(), text.end())));
  }
}

std::string utf8_of(const std::filesystem::path& path) {
  const Native& name = path.native();
  if constexpr (kNamesAreBytes) {
    return std::string(name.begin(), name.end());
  } else {
    std::string text = utf8_of_utf16(without_prefix(std::u16string(name.begin(), name.end())));
    std::ranges::replace(text, '\\', '/');
    return text;
  }
}

bool is_absolute_path(std::string_view utf8) {
  return path_of(utf8.substr(0, kShortUnits / 2)).is_absolute();  // its begin tells
}

}  // namespace cinderscope
