#include "app/window/display/window_icon.h"

#include <stb_image.h>

#include <cstddef>
#include <memory>

// The assembler includes the file as it is.
// NOLINTBEGIN(readability-identifier-naming)
asm(CINDERSCOPE_READ_ONLY
    "\n"
    ".balign 16\n"
    ".global cinderscope_icon\n"
    "cinderscope_icon:\n"
    ".incbin \"" CINDERSCOPE_ICON
    "\"\n"
    ".global cinderscope_icon_end\n"
    "cinderscope_icon_end:\n"
    ".byte 0\n" CINDERSCOPE_AS_BEFORE);
extern "C" const std::uint8_t cinderscope_icon[];
extern "C" const std::uint8_t cinderscope_icon_end[];
// NOLINTEND(readability-identifier-naming)

namespace cinderscope {

WindowIcon window_icon() {
  int width = 0, height = 0, channels = 0;
  const auto size = static_cast<int>(cinderscope_icon_end - cinderscope_icon);
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(cinderscope_icon, size, &width, &height, &channels, 4),
      stbi_image_free);
  if (!pixels || width != height) return {};
  const auto bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4;
  return {.side_px = width, .rgba = {pixels.get(), pixels.get() + bytes}};
}

}  // namespace cinderscope
