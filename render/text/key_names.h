// The keys of commands for the texts of views: users change keys, so no view spells them out.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace cinderscope {

// The keys of a command, by its name: "Ctrl+O"; empty if it has none.
using KeysOf = std::function<std::string(std::string_view command)>;

// "Open a trace (Ctrl+O)". A null `keys_of` knows no keys.
inline std::string with_keys(std::string_view help, const KeysOf& keys_of,
                             std::string_view command) {
  std::string text(help);
  const std::string keys = keys_of ? keys_of(command) : std::string();
  return keys.empty() ? text : text.append(" (").append(keys).append(")");
}

}  // namespace cinderscope
