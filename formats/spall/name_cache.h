// Names of one thread's slices by their bytes, in front of the shared string pool and its lock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "ingest/model/string_pool.h"

namespace cinderscope::spall {

// One thread at a time. Forgets what it has no room for; the pool then finds it again.
class NameCache {
 public:
  // At least 8 readable bytes follow `text`.
  StringId id(const std::byte* text, std::size_t size, StringPool& pool) {
    const Words words(text, size);
    const std::uint64_t hash = words.hash();
    for (std::size_t i = 0; i < kProbes && !entries_.empty(); ++i) {
      const Entry& entry = entries_[(hash + i) & (entries_.size() - 1)];
      if (entry.hash == hash && entry.size == size && entry.first == words.first &&
          words.same_rest(entry.text)) {
        return entry.id;
      }
    }
    return remember(words, pool);
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint64_t first = 0;     // as in Words
    const char* text = nullptr;  // in the pool
    std::uint32_t size = kFree;
    StringId id{};
  };
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  static constexpr std::size_t kProbes = 4;
  static constexpr std::size_t kFewestEntries = 16;  // a hostile file has millions of threads
  static constexpr std::size_t kMostEntries = 1u << 15;

  // A text as words of 8 bytes. Up to four, which is most names, they are read at once whatever the
  // length, reaching into each other: lengths change from record to record, so that a loop over the
  // words ends where the processor did not expect it. A text shorter than a word is one word with
  // zeros behind it.
  struct Words {
    static constexpr std::size_t kBytes = sizeof(std::uint64_t);
    static constexpr std::size_t kShort = 4 * kBytes;

    Words(const std::byte* from, std::size_t count)
        : text(reinterpret_cast<const char*>(from)), size(count), first(word_at(text)) {
      if (size < kBytes) first &= (std::uint64_t{1} << (8 * size)) - 1;
    }
    static std::uint64_t word_at(const char* at) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, kBytes);
      return word;
    }
    // Where the further words of a text of kBytes to kShort bytes lie.
    std::size_t second() const { return std::min(kBytes, size - kBytes); }
    std::size_t third() const { return std::max(size, 2 * kBytes) - 2 * kBytes; }
    std::size_t last() const { return size - kBytes; }

    std::uint64_t hash() const {
      std::uint64_t sum = (first ^ size) * 0x9E3779B97F4A7C15u;
      if (size > kBytes) {
        sum += word_at(text + last()) * 0xD6E8FEB86659FD93u;
        if (size <= kShort) {
          sum += word_at(text + second()) * 0xA0761D6478BD642Fu;
          sum += word_at(text + third()) * 0x8EBC6AF09C88C6E3u;
        } else {
          for (std::size_t at = kBytes; at < last(); at += kBytes) {
            sum = (sum ^ word_at(text + at)) * 0xA0761D6478BD642Fu;
            sum ^= sum >> 32;
          }
        }
      }
      sum ^= sum >> 32;
      sum *= 0xE7037ED1A0B428DBu;
      return sum ^ (sum >> 29);
    }
    // Whether the `size` bytes at `other` are these, their first word being the same.
    bool same_rest(const char* other) const {
      if (size <= kBytes) return true;
      if (size > kShort) return std::memcmp(text, other, size) == 0;
      const auto differing = [&](std::size_t at) {
        return word_at(text + at) ^ word_at(other + at);
      };
      return (differing(second()) | differing(third()) | differing(last())) == 0;
    }

    const char* text;
    std::size_t size;
    std::uint64_t first;
  };

  StringId remember(const Words& words, StringPool& pool) {
    if (misses_ * 2 >= entries_.size() && entries_.size() < kMostEntries) {
      const std::size_t larger = std::max(kFewestEntries, entries_.size() * 4);
      entries_.assign(larger, Entry{});
      misses_ = 0;
    }
    ++misses_;
    const std::uint64_t hash = words.hash();
    const StringId id = pool.intern({words.text, words.size});
    std::size_t slot = hash & (entries_.size() - 1);
    for (std::size_t i = 0; i < kProbes; ++i) {
      const std::size_t probed = (hash + i) & (entries_.size() - 1);
      if (entries_[probed].size == kFree) {
        slot = probed;
        break;
      }
    }
    entries_[slot] = {hash, words.first, pool.text(id).data(),
                      static_cast<std::uint32_t>(words.size), id};
    return id;
  }

  std::vector<Entry> entries_;
  std::size_t misses_ = 0;
};

}  // namespace cinderscope::spall
