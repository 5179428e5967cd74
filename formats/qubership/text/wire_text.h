// Strings of Qubership's streams as UTF-8, whole or cut.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/qubership/wire_cursor.h"

namespace cinderscope::qubership {

// A lone surrogate becomes U+FFFD. Of a longer text the first `most_units` UTF-16 units.
std::string utf8_of(const WireText& text, std::uint64_t most_units = UINT64_MAX);

bool equals(const WireText& text, std::string_view ascii);

}  // namespace cinderscope::qubership
