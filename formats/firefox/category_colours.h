// The colours that a Firefox profile gives its categories, as hues of ours.
#pragma once

#include <cstdint>
#include <string_view>

namespace cinderscope::firefox {

// As StringPool::intern() takes it, of a word of section 8.4 of the profiles specification; one
// that is not known is that of `grey`.
std::uint32_t colour_of_category(std::string_view word);

}  // namespace cinderscope::firefox
