// What part of a trace a panel measures or searches, as it is chosen in the window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cinderscope {

enum class ScopeChoice : std::uint8_t { trace, range, thread, connected };  // in the order shown

constexpr std::string_view word_of(ScopeChoice choice) {
  switch (choice) {
    case ScopeChoice::range:
      return "range";
    case ScopeChoice::thread:
      return "thread";
    case ScopeChoice::connected:
      return "connected";
    case ScopeChoice::trace:
      break;
  }
  return "trace";
}
constexpr std::optional<ScopeChoice> scope_choice(std::string_view word) {
  for (const ScopeChoice choice :
       {ScopeChoice::trace, ScopeChoice::range, ScopeChoice::thread, ScopeChoice::connected}) {
    if (word == word_of(choice)) return choice;
  }
  return std::nullopt;
}

// Which choices can be made: there is a range, a thread, a call. `connected` is offered only where
// the trace has flows.
struct ScopesThere {
  bool range = true, thread = true, call = true;
  bool flows = false;
  std::size_t threads = 1;  // that "thread" means: several may be selected in the gutter
};

}  // namespace cinderscope
