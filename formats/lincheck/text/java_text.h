// Text and numbers as Java writes and prints them.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope::lincheck {

// Modified UTF-8 as plain UTF-8: pairs of surrogates are joined, C0 80 becomes a zero byte, what
// cannot be read becomes U+FFFD.
void append_java_text(std::string& out, std::string_view modified);
std::string java_text(std::string_view modified);
void append_utf16_unit(std::string& out, char16_t unit);  // a lone surrogate becomes U+FFFD

// As Float.toString and Double.toString print them (the shortest digits that tell the value).
void append_java_number(std::string& out, float value);
void append_java_number(std::string& out, double value);

}  // namespace cinderscope::lincheck
