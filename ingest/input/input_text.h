// The content of an input that is text, as UTF-8: for readers of formats that Windows tools write
// as UTF-16 or with a byte order mark.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ingest/input/input.h"

namespace cinderscope {

// Of the head, for probes: without byte order mark.
std::string head_text(const Input& input);

// All of the text. Lives as long as the input that it was made of, which is not moved.
class InputText {
 public:
  // Waits for the end of the input.
  static Result<InputText> of(const Input& input);

  // Without byte order mark, and 64 more bytes may be read behind it.
  std::string_view text() const { return pin_.text().substr(skipped_); }
  // Where `text` begins in what is kept as converted, or in the input.
  std::size_t skipped_bytes() const { return skipped_; }
  // The packed stream was cut, which is counted as `truncated` already.
  bool stream_cut() const { return stream_cut_; }
  // For formats of lines: without the last one, where the stream was cut within it.
  std::string_view whole_lines() const {
    return stream_cut_ ? text().substr(0, text().rfind('\n') + 1) : text();
  }

 private:
  bool stream_cut_ = false;
  std::optional<Input> converted_;
  Pin pin_;
  std::size_t skipped_ = 0;
};

}  // namespace cinderscope
