// A piece of JSON text with the positions of its tokens, found by simdjson's first stage.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace cinderscope::google_json {

// Works on a copy in which control characters are blanks and bytes beyond ASCII are letters, so
// that no text is refused; positions are those of the text itself. One thread.
class IndexedBlock {
 public:
  static constexpr std::uint64_t kMaxBytes = 1u << 30;  // positions have 32 bits

  IndexedBlock();
  ~IndexedBlock();
  IndexedBlock(IndexedBlock&&) noexcept;
  IndexedBlock& operator=(IndexedBlock&&) noexcept;

  // `text` begins outside of strings and is at most kMaxBytes long. False if memory is out.
  bool index(std::string_view text);

  // A token is a bracket, comma, colon, opening quote, or the first character of a scalar.
  const std::uint32_t* tokens() const;
  std::uint32_t token_count() const { return token_count_; }
  // The copy; at least 64 bytes behind the text are readable and no token.
  const char* copy() const { return copy_.data(); }

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::vector<char> copy_;
  std::uint32_t token_count_ = 0;
};

}  // namespace cinderscope::google_json
