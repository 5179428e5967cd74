// Sentences of sub-commands, on standard error.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace cinderscope {

inline void tell(std::string_view sentence) {
  fmt::print(stderr, "{}\n", sentence);
}

// Gives `status` back: the exit status that goes with the sentence.
inline int say(int status, std::string_view sentence) {
  tell(sentence);
  return status;
}

}  // namespace cinderscope
