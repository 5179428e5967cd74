// Bytes that are no text within JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cinderscope {

std::string base64(std::string_view bytes);
// nullopt: it is none.
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace cinderscope
