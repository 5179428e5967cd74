// Texts numbered densely in the order in which they first come: functions, lines of frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace cinderscope {

// Keeps views: the texts stay where they are as long as this is used.
class TextNumbers {
 public:
  std::uint32_t number_of(std::string_view text) {  // new where it is not known
    const std::uint64_t hash = hash_of(text);
    if (slots_.size() < 2 * (texts_.size() + 1)) grow();
    Slot& slot = slot_of(text, hash);
    if (slot.number == kFree) {
      slot = {static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint32_t>(texts_.size())};
      texts_.push_back(text);
    }
    return slot.number;
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }
  std::string_view text(std::uint32_t number) const { return texts_[number]; }
  std::span<const std::string_view> texts() const { return texts_; }

 private:
  static constexpr std::uint32_t kFree = 0xffffffffu;
  struct Slot {
    std::uint32_t hash = 0, number = kFree;
  };

  static std::uint64_t hash_of(std::string_view text) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
    std::uint64_t hash = text.size() * kOdd;
    std::size_t at = 0;
    std::uint64_t word = 0;
    const auto mix = [&] {
      hash = (hash ^ word) * kOdd;
      hash ^= hash >> 29;
    };
    for (; at + 8 <= text.size(); at += 8) {
      std::memcpy(&word, text.data() + at, 8);
      mix();
    }
    word = 0;
    if (at < text.size()) std::memcpy(&word, text.data() + at, text.size() - at);
    mix();
    return hash * kOdd;
  }

  Slot& slot_of(std::string_view text, std::uint64_t hash) {
    const auto upper = static_cast<std::uint32_t>(hash >> 32);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = upper & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.number == kFree || (slot.hash == upper && texts_[slot.number] == text)) return slot;
    }
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? std::size_t{1024} : 2 * slots_.size());
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.number == kFree) continue;
      std::size_t at = slot.hash & mask;
      while (slots_[at].number != kFree) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<std::string_view> texts_;
  std::vector<Slot> slots_;  // open addressing
};

}  // namespace cinderscope
