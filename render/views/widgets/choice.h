// A row of words, one of which is chosen.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "render/base/scope_choice.h"
#include "render/views/widgets/widgets.h"

namespace cinderscope {

struct Choice {
  std::string_view label;
  std::string_view help;  // for the tooltip
  bool enabled = true;
};

// The choices of a ScopeChoice, in its order, with their help.
inline std::vector<Choice> scope_choices(const std::array<std::string_view, 4>& help,
                                         const ScopesThere& there) {
  std::vector<Choice> choices = {{"Whole trace", help[0]},
                                 {"Selected range", help[1], there.range},
                                 {there.threads > 1 ? "Threads" : "Thread", help[2], there.thread}};
  if (there.flows) choices.push_back({"Connected", help[3], there.call});
  return choices;
}

// With a frame; `x` is its left edge, `y` its middle.
float choices_width(const Pen& pen, std::span<const Choice> choices);
// Returns the clicked word, which may be the chosen one.
std::optional<std::size_t> draw_choices(const Pen& pen, const char* id, float x, float y,
                                        std::span<const Choice> choices, std::size_t chosen);

}  // namespace cinderscope
