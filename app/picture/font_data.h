// The font files that are built into the program.
#pragma once

#include <cstddef>
#include <span>

namespace cinderscope {

std::span<const std::byte> words_font_file();    // Inter
std::span<const std::byte> heads_font_file();    // Inter, weight 600
std::span<const std::byte> numbers_font_file();  // JetBrains Mono
std::span<const std::byte> bold_font_file();     // JetBrains Mono, bold
std::span<const std::byte> icons_font_file();    // Fork Awesome

}  // namespace cinderscope
