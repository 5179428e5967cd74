#include "app/desktop/file_uri.h"

#include <fmt/format.h>

#include <charconv>

#include "ingest/base/ascii.h"
#include "ingest/base/path_text.h"

namespace cinderscope {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
         c == '.' || c == '-' || c == '_' || c == '~';
}

}  // namespace

std::optional<std::string> path_of_file_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "file:";
  if (ascii_lower(uri.substr(0, kScheme.size())) != kScheme) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    const std::size_t slash = uri.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const std::string host = ascii_lower(uri.substr(0, slash));
    if (!host.empty() && host != "localhost") return std::nullopt;
    uri.remove_prefix(slash);
  }
  if (!uri.starts_with('/')) return std::nullopt;
  std::string path;
  path.reserve(uri.size());
  for (std::size_t i = 0; i < uri.size(); ++i) {
    char c = uri[i];
    if (c == '%') {
      const std::string_view digits = uri.substr(i + 1, 2);
      unsigned value = 0;
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
      if (digits.size() != 2 || read.ptr != digits.data() + 2) return std::nullopt;
      c = static_cast<char>(value);
      i += 2;
    }
    if (c == '\0') return std::nullopt;
    path += c;
  }
  // "file:///C:/x" on Windows
  return is_absolute_path(path) ? path : path.substr(1);
}

std::string file_uri_of(const std::string& path) {
  std::string uri = "file://";
  for (const char c : path) {
    if (is_plain(c)) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return uri;
}

}  // namespace cinderscope
