#include "app/session_file/same_letters.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>

namespace cinderscope {

std::string composed(std::string_view name) {
  constexpr std::size_t kLongestName = 4096;
  if (name.size() > kLongestName) return std::string(name);
  utf8proc_uint8_t* out = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                   static_cast<utf8proc_ssize_t>(name.size()), &out,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(out, &std::free);
  if (size < 0 || out == nullptr) return std::string(name);
  return {reinterpret_cast<const char*>(out), static_cast<std::size_t>(size)};
}

}  // namespace cinderscope
