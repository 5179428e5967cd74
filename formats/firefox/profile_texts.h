// Texts of a Firefox profile by number, each looked at once.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cinderscope::firefox {

using TextNumber = std::uint32_t;
inline constexpr TextNumber kEmptyText = 0;

// Equal texts have the same number. Tables name texts by a byte or two, so that a small file can
// name a long one many thousand times: nobody copies, hashes or compares it each time.
class ProfileTexts {
 public:
  ProfileTexts() { number_of({}); }

  TextNumber number_of(std::string_view text);
  // Of a JSON value that stays where it is.
  TextNumber number_of_raw(std::string_view raw);
  const std::string& text(TextNumber number) const { return texts_[number]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, TextNumber> numbers_;  // of these
  std::unordered_map<const char*, TextNumber> by_place_;      // of JSON values
};

}  // namespace cinderscope::firefox
