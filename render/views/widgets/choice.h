// A row of words of which one is chosen.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "render/views/widgets/widgets.h"

namespace cinderscope {

struct Choice {
  std::string_view label;
  std::string_view help;  // for the note on hover
  bool enabled = true;
};

// Framed; `x` is its left edge, `y` its middle.
float choices_width(const Pen& pen, std::span<const Choice> choices);
// The one that was clicked, which may be the one that is chosen already.
std::optional<std::size_t> draw_choices(const Pen& pen, const char* id, float x, float y,
                                        std::span<const Choice> choices, std::size_t chosen);

}  // namespace cinderscope
