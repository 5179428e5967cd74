// How well a few typed letters fit a text that has them in this order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cinderscope {

struct FuzzyMatch {
  int score = 0;                       // higher is better
  std::vector<std::uint32_t> offsets;  // of the matched characters, in bytes, ascending
};

// Letters at the begin of words and letters in a row score most. Ignores the case of ASCII and
// blanks of the pattern; an empty pattern fits everything. Only the first 256 characters of `text`
// are matched; a pattern of more than 64 fits nothing. UTF-8; any thread.
std::optional<FuzzyMatch> fuzzy_match(std::string_view pattern, std::string_view text);

// The pattern as it stands, without regard to the case of ASCII; scores most at the begin. For
// choices of many at once, where letters strewn over a text would be a surprise.
std::optional<FuzzyMatch> part_match(std::string_view pattern, std::string_view text);

}  // namespace cinderscope
