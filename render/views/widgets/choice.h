// A row of words, one of which is chosen.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "render/views/widgets/widgets.h"

namespace cinderscope {

struct Choice {
  std::string_view label;
  std::string_view help;  // for the tooltip
  bool enabled = true;
};

// With a frame; `x` is its left edge, `y` its middle.
float choices_width(const Pen& pen, std::span<const Choice> choices);
// Returns the clicked word, which may be the chosen one.
std::optional<std::size_t> draw_choices(const Pen& pen, const char* id, float x, float y,
                                        std::span<const Choice> choices, std::size_t chosen);

}  // namespace cinderscope
