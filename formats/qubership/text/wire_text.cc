#include "formats/qubership/text/wire_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/base/utf8.h"

namespace cinderscope::qubership {
namespace {

std::uint32_t unit_at(const WireText& text, std::size_t i) {
  return std::to_integer<std::uint32_t>(text.units[2 * i]) << 8 |
         std::to_integer<std::uint32_t>(text.units[2 * i + 1]);
}

}  // namespace

std::string utf8_of(const WireText& text, std::uint64_t most_units) {
  constexpr std::uint32_t kReplacement = 0xfffd;
  const auto count =
      static_cast<std::size_t>(std::min<std::uint64_t>(text.units.size() / 2, most_units));
  std::string out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t unit = unit_at(text, i);
    if (unit < 0x80) {
      out += static_cast<char>(unit);
    } else if (unit < 0xd800 || unit > 0xdfff) {
      append_utf8(out, unit);
    } else {
      const std::uint32_t low = unit < 0xdc00 && i + 1 < count ? unit_at(text, i + 1) : 0;
      const bool paired = low >= 0xdc00 && low <= 0xdfff;
      append_utf8(out, paired ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : kReplacement);
      if (paired) ++i;
    }
  }
  return out;
}

bool equals(const WireText& text, std::string_view ascii) {
  if (text.units.size() != 2 * ascii.size()) return false;
  for (std::size_t i = 0; i < ascii.size(); ++i) {
    if (unit_at(text, i) != static_cast<unsigned char>(ascii[i])) return false;
  }
  return true;
}

}  // namespace cinderscope::qubership
