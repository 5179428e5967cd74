// Names of one thread's slices by their bytes, in front of the shared string pool and its lock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "ingest/string_pool.h"

namespace cinderscope::spall {

// One thread at a time. Forgets what it has no room for; the pool then finds it again.
class NameCache {
 public:
  // At least 8 readable bytes follow `text`.
  StringId id(const std::byte* text, std::size_t size, StringPool& pool) {
    const auto* characters = reinterpret_cast<const char*>(text);
    const std::uint64_t hash = hash_of(text, size);
    for (std::size_t i = 0; i < kProbes && !entries_.empty(); ++i) {
      const Entry& entry = entries_[(hash + i) & (entries_.size() - 1)];
      if (entry.hash == hash && entry.size == size &&
          std::memcmp(entry.text, characters, size) == 0) {
        return entry.id;
      }
    }
    return remember(hash, {characters, size}, pool);
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    const char* text = nullptr;  // in the pool
    std::uint32_t size = kFree;
    StringId id{};
  };
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  static constexpr std::size_t kProbes = 4;
  static constexpr std::size_t kFewestEntries = 16;  // a hostile file has millions of threads
  static constexpr std::size_t kMostEntries = 1u << 15;

  static std::uint64_t hash_of(const std::byte* text, std::size_t size) {
    std::uint64_t hash = size;
    std::uint64_t word = 0;
    for (; size >= sizeof word; text += sizeof word, size -= sizeof word) {
      std::memcpy(&word, text, sizeof word);
      hash = mixed(hash ^ word);
    }
    if (size == 0) return hash;
    std::memcpy(&word, text, sizeof word);
    return mixed(hash ^ (word & ((std::uint64_t{1} << (8 * size)) - 1)));
  }
  static std::uint64_t mixed(std::uint64_t value) {
    value *= 0x9E3779B97F4A7C15u;
    return value ^ (value >> 32);
  }

  StringId remember(std::uint64_t hash, std::string_view text, StringPool& pool) {
    if (misses_ * 2 >= entries_.size() && entries_.size() < kMostEntries) {
      const std::size_t larger = std::max(kFewestEntries, entries_.size() * 4);
      entries_.assign(larger, Entry{});
      misses_ = 0;
    }
    ++misses_;
    const StringId id = pool.intern(text);
    std::size_t slot = hash & (entries_.size() - 1);
    for (std::size_t i = 0; i < kProbes; ++i) {
      const std::size_t probed = (hash + i) & (entries_.size() - 1);
      if (entries_[probed].size == kFree) {
        slot = probed;
        break;
      }
    }
    entries_[slot] = {hash, pool.text(id).data(), static_cast<std::uint32_t>(text.size()), id};
    return id;
  }

  std::vector<Entry> entries_;
  std::size_t misses_ = 0;
};

}  // namespace cinderscope::spall
