#include "formats/google_json/text/key_table.h"

#include <cstring>

namespace cinderscope::google_json {
namespace {

constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15u;

std::uint64_t load_bytes(const char* bytes, std::size_t count) {
  std::uint64_t value = 0;
  if (count >= 8) {
    std::memcpy(&value, bytes, 8);
  } else if (count >= 4) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::memcpy(&low, bytes, 4);
    std::memcpy(&high, bytes + count - 4, 4);
    value = low | std::uint64_t{high} << 32;
  } else if (count > 0) {
    value = static_cast<unsigned char>(bytes[0]) |
            std::uint64_t{static_cast<unsigned char>(bytes[count / 2])} << 8 |
            std::uint64_t{static_cast<unsigned char>(bytes[count - 1])} << 16;
  }
  return value;
}

}  // namespace

std::uint32_t hash_bytes(std::string_view text) {
  std::uint64_t hash = text.size() * kMix;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left > 8; at += 8, left -= 8) {
    hash = (hash ^ load_bytes(at, 8)) * kMix;
    hash ^= hash >> 29;
  }
  hash = (hash ^ load_bytes(at, left)) * kMix;
  return static_cast<std::uint32_t>(hash >> 32);
}

std::string_view KeyTable::text(std::size_t i) const {
  const std::uint64_t begin = i == 0 ? 0 : entries_[i - 1].end;
  return std::string_view(texts_).substr(begin, entries_[i].end - begin);
}

std::uint32_t KeyTable::number_of(std::string_view wanted, std::uint32_t hash, std::uint32_t part) {
  hash = static_cast<std::uint32_t>(((std::uint64_t{part} << 32 | hash) * kMix) >> 32);
  if (entries_.size() * 4 >= slots_.size() * 3) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const Entry& known = entries_[slots_[slot] - 1];
    if (known.hash == hash && known.part == part && text(slots_[slot] - 1) == wanted) {
      return slots_[slot] - 1;
    }
  }
  texts_ += wanted;
  entries_.push_back({texts_.size(), hash, part});
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  return slots_[slot] - 1;
}

void KeyTable::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = entries_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace cinderscope::google_json
