// The marks that Android's libraries print into the kernel's trace: "B|123|name".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cinderscope::perfetto {

struct AtraceMark {
  char letter = 0;
  bool has_pid = false;
  std::uint32_t pid = 0;
  std::string_view name, track;
  std::int64_t number = 0;  // a cookie or a value
};

// None where the text is no mark, or not written as it should be.
std::optional<AtraceMark> parse_atrace(std::string_view text);

}  // namespace cinderscope::perfetto
