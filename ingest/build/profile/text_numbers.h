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

  template <class Word>
  static std::uint64_t word_at(std::string_view text, std::size_t at) {
    Word word = 0;
    std::memcpy(&word, text.data() + at, sizeof(word));
    return word;
  }
  // Of a text below 8 bytes, two texts of one length have the same only if they are equal.
  static std::uint64_t short_word(std::string_view text) {
    const std::size_t size = text.size();
    if (size >= 4) {
      return word_at<std::uint32_t>(text, 0) << 32 | word_at<std::uint32_t>(text, size - 4);
    }
    if (size >= 2) {
      return word_at<std::uint16_t>(text, 0) << 16 | word_at<std::uint16_t>(text, size - 2);
    }
    return size == 0 ? 0 : word_at<std::uint8_t>(text, 0);
  }

  // Words at a time without a call of the library; the last one may have bytes of the one before.
  static std::uint64_t hash_of(std::string_view text) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
    const std::size_t size = text.size();
    std::uint64_t hash = size * kOdd;
    const auto mix = [&](std::uint64_t word) {
      hash = (hash ^ word) * kOdd;
      hash ^= hash >> 29;
    };
    if (size < 8) {
      mix(short_word(text));
    } else {
      for (std::size_t at = 0; at + 8 < size; at += 8) mix(word_at<std::uint64_t>(text, at));
      mix(word_at<std::uint64_t>(text, size - 8));
    }
    return hash * kOdd;
  }
  static bool is_same(std::string_view a, std::string_view b) {
    const std::size_t size = a.size();
    if (size != b.size()) return false;
    if (size < 8) return short_word(a) == short_word(b);
    for (std::size_t at = 0; at + 8 < size; at += 8) {
      if (word_at<std::uint64_t>(a, at) != word_at<std::uint64_t>(b, at)) return false;
    }
    return word_at<std::uint64_t>(a, size - 8) == word_at<std::uint64_t>(b, size - 8);
  }

  Slot& slot_of(std::string_view text, std::uint64_t hash) {
    const auto upper = static_cast<std::uint32_t>(hash >> 32);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = upper & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.number == kFree) return slot;
      if (slot.hash == upper && is_same(texts_[slot.number], text)) return slot;
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
