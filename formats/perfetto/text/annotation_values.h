// Single values of annotations, where loading needs them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cinderscope::perfetto {

// Text or JSON; empty for anything else.
std::string annotation_text(std::string_view annotation);
std::optional<double> annotation_number(std::string_view annotation);

}  // namespace cinderscope::perfetto
