#include "render/base/actions.h"

#include <algorithm>

#include "ingest/base/ascii.h"

namespace cinderscope {

std::string quoted_argument(std::string_view text) {
  const bool is_word =
      !text.empty() && std::ranges::none_of(text, [](char c) { return is_blank(c) || c == '"'; });
  if (is_word) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace cinderscope
