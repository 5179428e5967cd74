#include "app/picture/other_fonts.h"

#include <utility>

namespace cinderscope {
namespace {

FindFonts& find_fonts() {
  static FindFonts find;
  return find;
}

}  // namespace

void use_other_fonts(FindFonts find) {
  find_fonts() = std::move(find);
}

std::vector<OtherFont> other_fonts(const std::set<char32_t>& characters) {
  if (!find_fonts() || characters.empty()) return {};
  return find_fonts()(characters);
}

}  // namespace cinderscope
