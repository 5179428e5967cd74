// Bytes that packets are read from: the file, or what its bundles unpacked to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "ingest/input/growing_file.h"
#include "ingest/input/input.h"

namespace cinderscope::perfetto {

class ByteSource {
 public:
  explicit ByteSource(const Input& input) : input_(&input) {}
  // Of a closed file, or a part of it.
  explicit ByteSource(const GrowingFile& unpacked)
      : ByteSource(unpacked, 0, unpacked.wait_for(UINT64_MAX).size()) {}
  ByteSource(const GrowingFile& unpacked, std::uint64_t begin, std::uint64_t length)
      : unpacked_(&unpacked), begin_(begin), length_(length) {}

  std::uint64_t size_bytes() const { return input_ != nullptr ? input_->size_bytes() : length_; }
  // Fewer bytes only where they end, or where they cannot be read.
  Pin pin(std::uint64_t offset, std::uint64_t length) const {
    if (input_ != nullptr) {
      Result<Pin> pin = input_->pin(offset, length);
      return pin ? std::move(*pin) : Pin();
    }
    if (offset >= length_) return {};
    const std::uint64_t there = std::min(length, length_ - offset);
    return {offset, unpacked_->wait_for(UINT64_MAX).subspan(begin_ + offset, there)};
  }

 private:
  const Input* input_ = nullptr;
  const GrowingFile* unpacked_ = nullptr;
  std::uint64_t begin_ = 0, length_ = 0;
};

// Looks at a few bytes here and there, mostly going on: a window of them stays pinned.
class ByteWindow {
 public:
  ByteWindow(ByteSource source, std::uint64_t window_bytes)
      : source_(source), window_bytes_(std::max<std::uint64_t>(window_bytes, 64)) {}

  // Good until the next call; shorter only at the end.
  std::string_view at(std::uint64_t offset, std::uint64_t length) {
    if (offset < pin_.begin() || offset + length > pin_.end()) {
      pin_ = source_.pin(offset, std::max(length, window_bytes_));
      if (pin_.size() == 0) return {};
    }
    if (offset >= pin_.end()) return {};
    return pin_.text().substr(offset - pin_.begin(), length);
  }

  // All from there on that is pinned; good until the next call.
  std::string_view from(std::uint64_t offset) const {
    if (offset < pin_.begin() || offset >= pin_.end()) return {};
    return pin_.text().substr(offset - pin_.begin());
  }

 private:
  ByteSource source_;
  std::uint64_t window_bytes_;
  Pin pin_;
};

}  // namespace cinderscope::perfetto
