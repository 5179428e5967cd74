#include "ingest/model/string_pool.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "ingest/model/demangle.h"

namespace cinderscope {

namespace {

constexpr std::uint64_t kMaxDemangledBytes = std::uint64_t{64} << 20;
constexpr std::size_t kBlockBytes = std::size_t{64} * 1024;

std::atomic<std::uint64_t> next_serial{1};

}  // namespace

std::uint32_t stable_hash(std::string_view text) {
  // Eight bytes a step; multiply and fold. Written out rather than std::hash, whose values may
  // differ between libraries: colours must not.
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ull;
  std::uint64_t state = text.size() * kMultiplier;
  const char* data = text.data();
  std::size_t left = text.size();
  for (; left >= 8; data += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, data, 8);
    state = (state ^ word) * kMultiplier;
    state ^= state >> 29;
  }
  std::uint64_t tail = 0;
  if (left != 0) std::memcpy(&tail, data, left);
  state = (state ^ tail) * kMultiplier;
  state ^= state >> 32;
  state *= 0xD6E8FEB86659FD93ull;
  return static_cast<std::uint32_t>(state >> 32);
}

StringPool::StringPool() : serial_(next_serial++), table_(1024, 0) {
  intern({});  // id 0
}

StringPool::StringPool(std::span<const Known> known, std::shared_ptr<const void> owner)
    : serial_(next_serial++),
      table_(std::bit_ceil(std::max<std::size_t>(known.size() * 2, 1024)), 0),
      owner_(std::move(owner)) {
  std::uint32_t id = 0;
  for (const Known& each : known) {
    const Look look{each.label.data(), static_cast<std::uint32_t>(each.label.size()), each.colour};
    set_entry(id, {each.text.data(), static_cast<std::uint32_t>(each.text.size()), each.hash},
              each.has_label ? &look : nullptr);
    kept_text_bytes_ += each.text.size() + each.label.size();
    std::size_t at = each.hash & (table_.size() - 1);
    while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
    table_[at] = ++id;
  }
  size_.store(id, std::memory_order_release);
  if (id == 0) intern({});
}

StringPool::~StringPool() {
  for (auto& segment : segments_) delete[] segment.load();
  for (auto& segment : looks_) delete[] segment.load();
}

std::string_view StringPool::text(StringId id) const {
  if (index(id) >= size()) return {};
  const Entry& found = entry(id);
  return {found.data, found.size};
}

// Index into table_ of the text's id, or of the free entry where it belongs. Call with the lock.
std::size_t StringPool::table_index(std::string_view text, std::uint32_t hash) const {
  std::size_t at = hash & (table_.size() - 1);
  for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1)) {
    const Entry& known = entry(StringId{table_[at] - 1});
    if (known.hash == hash && std::string_view(known.data, known.size) == text) break;
  }
  return at;
}

std::optional<StringId> StringPool::find(std::string_view text) const {
  const std::lock_guard lock(mutex_);
  const std::size_t at = table_index(text, stable_hash(text));
  if (table_[at] == 0) return std::nullopt;
  return StringId{table_[at] - 1};
}

std::string_view StringPool::label(StringId id) const {
  if (index(id) >= size()) return {};
  const Look* look = look_of(id);
  return look == nullptr ? text(id) : std::string_view(look->label, look->label_size);
}

StringPool::Known StringPool::known(StringId id) const {
  const Entry& of = entry(id);
  Known known{.text = {of.data, of.size}, .hash = of.hash};
  if (const Look* look = look_of(id)) {
    known.has_label = true;
    known.label = {look->label, look->label_size};
    known.colour = look->colour;
  }
  return known;
}

StringId StringPool::intern(std::string_view text) {
  if (!looks_mangled(text)) return intern(text, nullptr);
  if (const std::optional<StringId> known = find(text)) return *known;
  // Names of a hostile file could keep it busy for hours.
  if (demangled_bytes_.load(std::memory_order_relaxed) > kMaxDemangledBytes) {
    return intern(text, nullptr);
  }
  const std::optional<std::string> name = demangled(text);
  // One that became too long took as much time.
  demangled_bytes_.fetch_add(name ? name->size() : text.size(), std::memory_order_relaxed);
  if (!name) return intern(text, nullptr);
  return intern(text, *name, stable_hash(text));
}

StringId StringPool::intern(std::string_view text, std::string_view label, std::uint32_t colour) {
  label = label.substr(0, std::numeric_limits<std::uint32_t>::max());
  const Look look{label.data() == nullptr ? "" : label.data(),
                  static_cast<std::uint32_t>(label.size()), colour};
  return intern(text, &look);
}

StringId StringPool::intern(std::string_view text, const Look* look) {
  text = text.substr(0, std::numeric_limits<std::uint32_t>::max());
  const std::uint32_t wanted = stable_hash(text);
  const std::lock_guard lock(mutex_);
  const std::size_t at = table_index(text, wanted);
  if (table_[at] != 0) return StringId{table_[at] - 1};
  const std::uint32_t id = size_.load(std::memory_order_relaxed);
  const Entry added{store(text), static_cast<std::uint32_t>(text.size()), wanted};
  Look shown;
  if (look != nullptr) {
    shown = *look;
    shown.label = store({look->label, look->label_size});
  }
  set_entry(id, added, look != nullptr ? &shown : nullptr);
  size_.store(id + 1, std::memory_order_release);
  table_[at] = id + 1;
  if (std::size_t{id} * 2 > table_.size()) grow_table();
  return StringId{id};
}

// The letters stay where they are. Call with the lock, or before anybody else knows the pool.
void StringPool::set_entry(std::uint32_t id, const Entry& entry, const Look* look) {
  const Slot slot = slot_of(StringId{id});
  const std::uint64_t segment_size = 1ull << (slot.segment + kFirstSegmentBits);
  Entry* entries = segments_[slot.segment].load(std::memory_order_relaxed);
  if (entries == nullptr) {
    entries = new Entry[segment_size];
    segments_[slot.segment].store(entries, std::memory_order_release);
  }
  entries[slot.index] = entry;
  if (look != nullptr) {
    Look* looks = looks_[slot.segment].load(std::memory_order_relaxed);
    if (looks == nullptr) {
      looks = new Look[segment_size];
      looks_[slot.segment].store(looks, std::memory_order_release);
    }
    looks[slot.index] = *look;
  }
  if (id < kNearColours) {
    const std::uint32_t colour = colour_from_hash(look != nullptr ? look->colour : entry.hash);
    near_colours_[id] = static_cast<std::uint8_t>(colour);
  }
}

const char* StringPool::store(std::string_view text) {
  if (text.empty()) return "";
  if (text.size() > kBlockBytes / 8) {  // a block of its own
    kept_text_bytes_ += text.size();
    auto block = std::make_unique<char[]>(text.size());
    std::memcpy(block.get(), text.data(), text.size());
    const char* data = block.get();
    long_texts_.push_back(std::move(block));
    return data;
  }
  if (block_size_ - block_used_ < text.size()) {
    text_blocks_.push_back(std::make_unique<char[]>(kBlockBytes));
    block_size_ = kBlockBytes;
    block_used_ = 0;
    kept_text_bytes_ += kBlockBytes;
  }
  char* data = text_blocks_.back().get() + block_used_;
  std::memcpy(data, text.data(), text.size());
  block_used_ += text.size();
  return data;
}

void StringPool::grow_table() {
  std::vector<std::uint32_t> larger(table_.size() * 2, 0);
  for (const std::uint32_t stored : table_) {
    if (stored == 0) continue;
    std::size_t slot = entry(StringId{stored - 1}).hash & (larger.size() - 1);
    while (larger[slot] != 0) slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = stored;
  }
  table_.swap(larger);
}

std::uint64_t StringPool::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes =
      kept_text_bytes_ + kNearColours + table_.capacity() * sizeof(std::uint32_t) +
      (text_blocks_.capacity() + long_texts_.capacity()) * sizeof(text_blocks_[0]);
  for (std::uint32_t k = 0; k < segments_.size(); ++k) {
    if (segments_[k].load() != nullptr) bytes += (1ull << (k + kFirstSegmentBits)) * sizeof(Entry);
    if (looks_[k].load() != nullptr) bytes += (1ull << (k + kFirstSegmentBits)) * sizeof(Look);
  }
  return bytes;
}

}  // namespace cinderscope
