// LIKE and GLOB as SQLite does them, which end soon after they were cancelled.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace cinderscope {

// Of a text that has one, as SQLite reads them; 0: it is empty.
char32_t first_character(const std::string& text);

// SQLite's own matching looks at each character of the text for each of the pattern, at worst; up
// to so many of these it is used, which takes some 30 ms.
inline constexpr std::uint64_t kFewMatchSteps = 1u << 23;

// A letter's case does not matter where it is ASCII; `escape` 0: there is none. Both match up to
// the first NUL. False once `stop` is set.
bool like_matches(const std::string& pattern, const std::string& text, char32_t escape,
                  const std::atomic<bool>& stop, std::uint64_t few_steps = kFewMatchSteps);
bool glob_matches(const std::string& pattern, const std::string& text,
                  const std::atomic<bool>& stop, std::uint64_t few_steps = kFewMatchSteps);

}  // namespace cinderscope
