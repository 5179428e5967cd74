// Bytes of an input that stay where they are for as long as the pin lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace cinderscope {

// Zeros behind bytes in memory.
inline constexpr std::size_t kPaddingBytes = 64;

// Made by Input::pin(). A pointer and a length where the input is mapped or in memory; cheap to
// copy. The Input must outlive it.
class Pin {
 public:
  Pin() = default;
  Pin(std::uint64_t offset, std::span<const std::byte> bytes,
      std::shared_ptr<const void> owner = nullptr)
      : offset_(offset), bytes_(bytes), owner_(std::move(owner)) {}

  // Fewer than were asked for only where the input ends. kPaddingBytes more may be read behind
  // them, which are zeros at the input's end.
  std::span<const std::byte> bytes() const { return bytes_; }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }
  std::size_t size() const { return bytes_.size(); }

  // The same bytes as seen by an input in which they begin at `offset`.
  Pin counted_from(std::uint64_t offset) const { return {offset, bytes_, owner_}; }

  // By places in the input.
  std::uint64_t begin() const { return offset_; }
  std::uint64_t end() const { return offset_ + bytes_.size(); }
  const std::byte* at(std::uint64_t offset) const { return bytes_.data() + (offset - offset_); }

 private:
  std::uint64_t offset_ = 0;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;  // null: the input itself
};

}  // namespace cinderscope
