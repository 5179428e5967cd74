// Paths as the recorder of thread streams takes them.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope {

// It puts things in place of %.
inline std::string as_recorder_path(std::string_view path) {
  std::string text;
  for (const char c : path) text += c == '%' ? "%%" : std::string(1, c);
  return text;
}

}  // namespace cinderscope
