// Readable names of Rust's own symbols ("_R…").
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cinderscope {

// "core::fmt::write" of "_RNvNtCs1234_4core3fmt5write", without hashes. None where the text is no
// such symbol, the name would be very long, or the build has no libiberty. Any thread.
std::optional<std::string> demangled_rust(std::string_view symbol);

}  // namespace cinderscope
