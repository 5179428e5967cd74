// The bytes of an Input as text, waited for while they are still being inflated or received.
#pragma once

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

// Each thread uses its own; the Input must outlive it.
class GrowingText {
 public:
  explicit GrowingText(const Input& input) : input_(&input) {}

  // Waits until there are `wanted` bytes; false if the input ends before.
  bool reach(std::uint64_t wanted) {
    if (wanted <= known_.size()) return true;
    // All that is there: the next calls will ask for a little more each.
    const std::uint64_t there = input_->wait_for(wanted);
    if (there == known_.size()) return false;
    Result<Pin> pin = input_->pin(0, there);
    if (!pin) return false;
    pin_ = std::move(*pin);
    known_ = pin_.text();
    return wanted <= known_.size();
  }

  // The bytes reached so far.
  std::string_view known() const { return known_; }
  char at(std::uint64_t offset) const { return known_[offset]; }
  std::string_view view(TextRange range) const {
    return known_.substr(range.begin, range.end - range.begin);
  }

 private:
  const Input* input_;
  Pin pin_;
  std::string_view known_;  // of the pin
};

}  // namespace cinderscope::google_json
