// Readable names of C++ and Rust symbols.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cinderscope {

// Cheap: whether demangled() is worth asking.
inline bool looks_mangled(std::string_view text) {
  return text.size() > 3 && text[0] == '_' &&
         (text[1] == 'Z' || (text[1] == '_' && text[2] == 'Z'));  // a second one on macOS
}

// "ns::Vector<int>::push_back" of "_ZN2ns6VectorIiE9push_backERKi": without the types of parameters
// and what compilers add (".part.0", a Rust hash). None where the text is no symbol of the Itanium
// ABI, or one that might become very long: few bytes can stand for gigabytes. Any thread.
std::optional<std::string> demangled(std::string_view symbol);


// The same with all that the symbol says: types of parameters, clones and hashes, as c++filt writes
// it. Of overloads each has its own.
std::optional<std::string> demangled_in_full(std::string_view symbol);

}  // namespace cinderscope
