// Text <-> StringId. Append only; text never moves, so views of it live as long as the pool.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/ids.h"

namespace cinderscope {

// FNV-like mix over the bytes; the same on every machine, since colours come from it.
std::uint32_t stable_hash(std::string_view text);

class StringPool {
 public:
  StringPool();
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;
  ~StringPool();

  // Any thread. Equal text gives the equal id; the text is copied. Loaders that intern per event
  // keep a small cache in front, since this takes a lock.
  StringId intern(std::string_view text) { return intern(text, stable_hash(text)); }
  // With a colour of its own (see hue_from_hash); that counts where the text is new.
  StringId intern(std::string_view text, std::uint32_t colour);

  // Any thread. The id of a text that was interned before.
  std::optional<StringId> find(std::string_view text) const;

  // Any thread that was handed the id by a synchronised route; takes no lock.
  std::string_view text(StringId id) const;
  // Picks its colour: the text's stable_hash(), or what it was interned with. Inline: asked of
  // every slice that is packed.
  std::uint32_t hash(StringId id) const { return index(id) < size() ? entry(id).hash : 0; }

  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
  std::uint64_t kept_bytes() const;

 private:
  struct Entry {
    const char* data;
    std::uint32_t size;
    std::uint32_t hash;  // its colour
  };
  static constexpr std::uint32_t kFirstSegmentBits = 10;  // segment k holds 2^(10+k) entries

  const Entry& entry(StringId id) const {
    const std::uint64_t position = std::uint64_t{index(id)} + (1u << kFirstSegmentBits);
    const auto bits = static_cast<std::uint32_t>(std::bit_width(position) - 1);
    const Entry* segment = segments_[bits - kFirstSegmentBits].load(std::memory_order_acquire);
    return segment[position - (std::uint64_t{1} << bits)];
  }
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  const char* store(std::string_view text);
  void grow_table();

  std::array<std::atomic<Entry*>, 23> segments_{};
  std::atomic<std::uint32_t> size_{0};
  mutable std::mutex mutex_;
  std::vector<std::uint32_t> table_;  // open addressing: id + 1, 0 is free
  std::vector<std::unique_ptr<char[]>> text_blocks_, long_texts_;
  std::size_t block_used_ = 0, block_size_ = 0;
  std::uint64_t kept_text_bytes_ = 0;
};

}  // namespace cinderscope
