// Texts that are too long for a format.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cinderscope {

// At most `most_bytes` of a text: cut at a character's border, with "…" where something is missing.
std::string cut_text(std::string_view text, std::size_t most_bytes);

}  // namespace cinderscope
