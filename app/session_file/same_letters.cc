#include "app/session_file/same_letters.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

namespace cinderscope {
namespace {

constexpr std::size_t kLongestName = 4096;

std::optional<std::string> composed(std::string_view text) {
  if (text.size() > kLongestName) return std::nullopt;
  utf8proc_uint8_t* out = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &out,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(out, &std::free);
  if (size < 0 || out == nullptr) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(out), static_cast<std::size_t>(size));
}

}  // namespace

bool same_letters(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto of_a = composed(a), of_b = composed(b);
  return of_a && of_b && *of_a == *of_b;
}

}  // namespace cinderscope
