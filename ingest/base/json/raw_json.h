// For readers of JSON traces: raw JSON text, one value after the other, tolerantly and without
// recursion. What is read stays where it lies in the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cinderscope::json {

// Raw control characters count as blanks, as they do in the structural index.
constexpr bool is_blank(char c) {
  return static_cast<unsigned char>(c) <= 0x20;
}

std::string_view trim_blanks(std::string_view text);

// Offset behind the value that begins at `text[pos]`; text.size() if it is cut. Brackets are
// counted, not matched by kind. Linear.
std::size_t skip_value(std::string_view text, std::size_t pos);
// Offset behind the closing quote of the string that begins at `text[pos]`, or npos if it is cut.
std::size_t skip_string(std::string_view text, std::size_t pos);

// A raw value as text: a string decoded, anything else trimmed. `null` and nothing give "".
std::string text_of(std::string_view value);
void append_text_of(std::string& out, std::string_view value);
std::optional<double> number_of(std::string_view value);  // a number, or a string that holds one

constexpr bool is_string(std::string_view value) {
  return !value.empty() && value[0] == '"';
}
constexpr bool is_object(std::string_view value) {
  return !value.empty() && value[0] == '{';
}
constexpr bool is_array(std::string_view value) {
  return !value.empty() && value[0] == '[';
}

// The members of an object, or the elements of an array, one after the other as raw text that
// points into `value`. Anything else has none; at damage the walk ends.
class MemberReader {
 public:
  explicit MemberReader(std::string_view value);

  bool next();                                       // false at the end
  std::string_view raw_key() const { return key_; }  // between its quotes; empty in an array
  std::string key() const;
  std::string_view value() const { return value_; }

 private:
  std::size_t skip_blanks(std::size_t pos) const;

  std::string_view text_, key_, value_;
  std::size_t pos_ = 0;
  bool object_ = false;
};

// The value of a key that is written without escapes; the last one wins. Empty if there is none.
std::string_view member(std::string_view object, std::string_view key);

}  // namespace cinderscope::json
