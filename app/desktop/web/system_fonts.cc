#include "app/desktop/system_fonts.h"

namespace cinderscope {

// A page does not see the files of fonts.
std::vector<SystemFont> system_fonts_with(const std::set<char32_t>&) {
  return {};
}

}  // namespace cinderscope
