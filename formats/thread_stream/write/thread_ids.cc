#include "formats/thread_stream/write/thread_ids.h"

#include <fmt/format.h>

#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"

namespace cinderscope::thread_stream {

std::optional<std::uint64_t> thread_number(std::string_view text) {
  const std::size_t sign = text.find('#');
  if (sign != std::string_view::npos && !is_number(text.substr(sign + 1))) return std::nullopt;
  const std::string_view digits = text.substr(0, sign);
  const auto number = parse_number<std::uint64_t>(digits);
  // As it would be written again: "007" is a text.
  return number && fmt::to_string(*number) == digits ? number : std::nullopt;
}

}  // namespace cinderscope::thread_stream
