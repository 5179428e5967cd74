// A forgiving reader of JSON text: one token at a time, no recursion, nothing thrown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cinderscope {

enum class JsonToken : std::uint8_t {
  end,  // of the text
  open_object,
  close_object,
  open_array,
  close_array,
  comma,
  colon,
  string,      // text() is what stands between the quotes, escapes as written
  scalar,      // a number, true, false, null or any other bare word
  cut_string,  // a string without its closing quote: goes to the end of the text
};

// Reads tokens from `text`, which must outlive it. Accepts any bytes: text that is no JSON comes
// out as bare words, and the caller decides what is an error.
class JsonTokens {
 public:
  explicit JsonTokens(std::string_view text, std::uint64_t at = 0) : text_(text), next_(at) {}

  JsonToken next();
  std::string_view text() const { return token_; }
  std::uint64_t offset() const { return begin_; }     // where the last token begins
  std::uint64_t end_offset() const { return next_; }  // just behind it
  void seek(std::uint64_t offset) { next_ = offset; }

  // Skips the rest of a value whose first token was `first`: to behind its closing bracket. False
  // if the text ends before. Brackets are counted, not matched by kind.
  bool skip_rest(JsonToken first);

 private:
  std::string_view text_;
  std::string_view token_;
  std::uint64_t begin_ = 0, next_ = 0;
};

// Text of a JSON string with its escapes decoded: surrogate pairs joined, a lone one U+FFFD.
// Unknown escapes and bytes that are no UTF-8 stay as they are.
std::string decode_json_string(std::string_view escaped);

}  // namespace cinderscope
