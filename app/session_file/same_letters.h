// File names that look alike: file systems keep letters with accents as one character or as
// several.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope {

// In the form that has as few characters as can be (NFC). What is no UTF-8, or too long for a
// file's name, stays as it is.
std::string composed(std::string_view name);

}  // namespace cinderscope
