// A row of words, one of which is chosen.
#pragma once

#include <array>
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

// The choices of a ScopeChoice, in its order.
constexpr std::array<Choice, 3> scope_choices(const std::array<std::string_view, 3>& help,
                                              bool has_range = true, bool has_thread = true) {
  return {Choice{"Whole trace", help[0]}, Choice{"Selected range", help[1], has_range},
          Choice{"Thread", help[2], has_thread}};
}

// With a frame; `x` is its left edge, `y` its middle.
float choices_width(const Pen& pen, std::span<const Choice> choices);
// Returns the clicked word, which may be the chosen one.
std::optional<std::size_t> draw_choices(const Pen& pen, const char* id, float x, float y,
                                        std::span<const Choice> choices, std::size_t chosen);

}  // namespace cinderscope
