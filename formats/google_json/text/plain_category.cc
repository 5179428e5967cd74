#include "formats/google_json/text/plain_category.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace cinderscope::google_json {
namespace {

constexpr std::array<bool, 256> table_of(std::string_view characters) {
  std::array<bool, 256> table{};
  for (const char c : characters) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kBlank = table_of(" \t\n\r");
constexpr std::array<bool, 256> kEndsScalar = table_of(" \t\n\r,:\"{}[]");
constexpr std::array<bool, 256> kNests = table_of("\"{}[]");

// A place in the text, which is `end` where anything is missing.
class Place {
 public:
  explicit Place(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool at_end() const { return at_ == end_; }
  char next() const { return at_ == end_ ? '\0' : *at_; }
  const char* at() const { return at_; }
  void step() { ++at_; }
  void skip_blanks() {
    while (at_ != end_ && is(kBlank)) ++at_;
  }

  // From a quote to behind the one that closes the text; true: there are escapes in it.
  bool skip_string() {
    bool escaped = false;
    for (++at_; find_special(); ++at_) {
      if (*at_ == '"') {
        ++at_;
        return escaped;
      }
      escaped = true;
      if (++at_ == end_) break;
    }
    at_ = end_;
    return escaped;
  }
  void skip_scalar() {
    while (at_ != end_ && !is(kEndsScalar)) ++at_;
  }
  void skip_nested() {
    std::size_t depth = 0;
    while (at_ != end_) {
      if (!is(kNests)) {
        ++at_;
      } else if (*at_ == '"') {
        skip_string();
      } else if (*at_ == '{' || *at_ == '[') {
        ++depth;
        ++at_;
      } else {
        ++at_;
        if (--depth == 0) return;
      }
    }
  }

 private:
  bool is(const std::array<bool, 256>& table) const {
    return table[static_cast<unsigned char>(*at_)];
  }
  // Stops at a quote or an escape; false: there is none.
  bool find_special() {
    constexpr std::uint64_t kOnes = 0x0101010101010101, kTops = kOnes << 7;
    const auto zero_bytes = [](std::uint64_t word) { return (word - kOnes) & ~word & kTops; };
    while (end_ - at_ >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at_, sizeof word);
      const std::uint64_t found = zero_bytes(word ^ kOnes * '"') | zero_bytes(word ^ kOnes * '\\');
      if (found != 0) {
        // The lowest bit that is set is right in any case; the first byte has to be the lowest.
        if constexpr (std::endian::native == std::endian::little) {
          at_ += std::countr_zero(found) / 8;
          return true;
        }
        break;
      }
      at_ += 8;
    }
    while (at_ != end_ && *at_ != '"' && *at_ != '\\') ++at_;
    return at_ != end_;
  }

  const char* at_;
  const char* end_;
};

}  // namespace

std::optional<std::string_view> plain_category(std::string_view text) {
  Place place(text);
  if (place.next() != '{') return std::nullopt;
  place.step();
  place.skip_blanks();
  std::string_view category;
  if (place.next() == '}') return category;
  for (;;) {
    if (place.next() != '"') return std::nullopt;
    const char* const key = place.at() + 1;
    if (place.skip_string()) return std::nullopt;
    const std::string_view name(key, static_cast<std::size_t>(place.at() - key));  // and a quote
    place.skip_blanks();
    if (place.next() != ':') return std::nullopt;
    place.step();
    place.skip_blanks();
    const char* const value = place.at();
    if (place.next() == '"') {
      place.skip_string();
    } else if (place.next() == '{' || place.next() == '[') {
      place.skip_nested();
    } else {
      place.skip_scalar();
    }
    if (place.at() == value || place.at_end()) return std::nullopt;
    if (name == "cat\"") category = {value, static_cast<std::size_t>(place.at() - value)};
    place.skip_blanks();
    if (place.next() == '}') return category;
    if (place.next() != ',') return std::nullopt;
    place.step();
    place.skip_blanks();
  }
}

}  // namespace cinderscope::google_json
