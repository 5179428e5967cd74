// Arguments of commands that switch something on and off.
#pragma once

#include <optional>
#include <string_view>

namespace cinderscope {

// "on", "off", or nothing for the other one than `now`; nullopt for anything else.
inline std::optional<bool> switched(std::string_view argument, bool now) {
  if (argument.empty()) return !now;
  if (argument == "on") return true;
  if (argument == "off") return false;
  return std::nullopt;
}

}  // namespace cinderscope
