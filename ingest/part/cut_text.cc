#include "ingest/part/cut_text.h"

namespace cinderscope {

std::string cut_text(std::string_view text, std::size_t most_bytes) {
  constexpr std::string_view kMore = "…";
  constexpr std::size_t kLongestCharacter = 4;
  if (text.size() <= most_bytes) return std::string(text);
  std::size_t end = most_bytes - kMore.size();
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
  };
  // What is no UTF-8 is cut anywhere.
  std::size_t back = 0;
  while (back < kLongestCharacter && back < end && continues(end - back)) ++back;
  if (back < kLongestCharacter) end -= back;
  return std::string(text.substr(0, end)) + std::string(kMore);
}

}  // namespace cinderscope
