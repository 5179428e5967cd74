// For readers of JSON that may end anywhere: values one after the other, no recursion, and all that
// is whole before a cut comes out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cinderscope::json {

// Who walks knows what it is in: enters an object or array, takes its members or elements until
// next_key() or next_item() is false, and goes on behind it. Missing, double and trailing commas
// are tolerated; text that is no JSON is taken as the end of the input. From there on cut() is
// true, and nothing more comes: what was being read then is not whole.
class JsonWalk {
 public:
  explicit JsonWalk(std::string_view text) : text_(text) {}

  // How the next value begins: `{`, `[`, `"`, `0` for any other; '\0' if none comes.
  char kind();
  // Enters the next value if it is an object or array, as `bracket` says; else skips it.
  bool enter(char bracket);
  // False at the closing bracket, which is taken. The key is raw: escapes as written.
  bool next_key();
  std::string_view key() const { return key_; }
  bool next_item();

  // The next value whole, as raw text; what there is of it if it is cut.
  std::string_view value();
  void skip() { value(); }

  bool cut() const { return cut_; }
  // Where the walk is.
  std::size_t offset() const { return at_; }

 private:
  void skip_blanks();
  bool next_of(char closing);
  bool skip_string();
  bool skip_scalar();
  bool skip_nested();
  void end_here() { cut_ = true; }

  std::string_view text_, key_;
  std::size_t at_ = 0;
  bool cut_ = false;
};

// Whether a raw value is a number, as JSON writes it.
bool is_number(std::string_view value);

}  // namespace cinderscope::json
