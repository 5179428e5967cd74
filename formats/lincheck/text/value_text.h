// Values and the paths to them, as the recorder's own printer writes them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "formats/lincheck/java_reader.h"
#include "formats/lincheck/lookup.h"

namespace cinderscope::lincheck {

template <class... Values>
void append(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
}

// A value, which `in` stands behind afterwards. Objects show what they are, not what is in them.
void append_value(std::string& out, JavaReader& in, const Lookup& names);

// "a.b[i]"; without the elements that mean "this" if so wanted.
std::string path_text(std::int32_t path, const Lookup& names, bool drop_this);

// The class, if the path is that of an object of Kotlin: it itself stands for its only instance.
// Else empty.
std::string singleton_class(std::int32_t path, const Lookup& names);

}  // namespace cinderscope::lincheck
