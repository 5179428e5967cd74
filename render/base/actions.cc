#include "render/base/actions.h"

namespace cinderscope {

std::string quoted_argument(std::string_view text) {
  if (!text.empty() && text.find_first_of(" \t\r\"") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace cinderscope
