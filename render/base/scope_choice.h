// What part of a trace a panel measures or searches, as it is chosen in the window.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cinderscope {

enum class ScopeChoice : std::uint8_t { trace, range, thread };  // in the order shown

constexpr std::string_view word_of(ScopeChoice choice) {
  return choice == ScopeChoice::trace ? "trace" : choice == ScopeChoice::range ? "range" : "thread";
}
constexpr std::optional<ScopeChoice> scope_choice(std::string_view word) {
  for (const ScopeChoice choice : {ScopeChoice::trace, ScopeChoice::range, ScopeChoice::thread}) {
    if (word == word_of(choice)) return choice;
  }
  return std::nullopt;
}

}  // namespace cinderscope
