// The bytes of an Input as text, waited for while they are still being inflated or received.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "ingest/input/input.h"

namespace cinderscope::google_json {

// A range of the input, by byte offsets. Empty: not there.
struct TextRange {
  std::uint64_t begin = 0, end = 0;

  explicit operator bool() const { return end > begin; }
};

// A window of the text that grows at its end and is moved on by start_at(). Each thread uses its
// own; the Input must outlive it. What was viewed is good until the next reach().
class GrowingText {
 public:
  explicit GrowingText(const Input& input) : input_(&input) {}

  // What lies before `offset` is not looked at any more.
  void start_at(std::uint64_t offset) {
    begin_ = offset;
    if (offset < pin_.begin() || offset > pin_.end()) pin_ = {};
  }
  // Holds no bytes, until it is used again.
  void release() { pin_ = {}; }

  // Waits until there are `wanted` bytes from the input's begin on; false if it ends before.
  bool reach(std::uint64_t wanted) {
    return wanted <= end() || pin_up_to(wanted, input_->wait_for(wanted));
  }
  // As far as there are some now.
  void look_ahead(std::uint64_t wanted) {
    if (wanted > end()) pin_up_to(wanted, input_->wait_for(0));
  }
  // Where the text ends.
  std::uint64_t reach_end() { return input_->size_bytes(); }

  // Up to where it was reached; begin() where it was not.
  std::uint64_t begin() const { return begin_; }
  std::uint64_t end() const { return std::max(begin_, pin_.end()); }
  char at(std::uint64_t offset) const { return pin_.text()[offset - pin_.begin()]; }
  // What was reached from `offset` on, which is not before begin().
  std::string_view from(std::uint64_t offset) const {
    return pin_.text().substr(std::min<std::uint64_t>(offset - pin_.begin(), pin_.size()));
  }
  std::string_view view(TextRange range) const {
    return from(range.begin).substr(0, range.end - range.begin);
  }
  // Moves to the range, wherever it is.
  std::string_view seek(TextRange range) {
    if (range.begin < begin_ || range.end > end()) start_at(range.begin);
    reach(range.end);
    return view(range);
  }

 private:
  // A little more at once, since the next calls will ask for it.
  static constexpr std::uint64_t kAheadBytes = 256u << 10;

  bool pin_up_to(std::uint64_t wanted, std::uint64_t there) {
    const std::uint64_t ahead = wanted > UINT64_MAX - kAheadBytes ? wanted : wanted + kAheadBytes;
    const std::uint64_t to = std::min(there, ahead);
    if (to <= end()) return false;
    Result<Pin> pin = input_->pin(begin_, to - begin_);
    if (!pin) return false;
    pin_ = std::move(*pin);
    return wanted <= end();
  }

  const Input* input_;
  std::uint64_t begin_ = 0;
  Pin pin_;
};

}  // namespace cinderscope::google_json
