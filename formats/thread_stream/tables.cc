#include "formats/thread_stream/tables.h"

#include <algorithm>

namespace cinderscope::thread_stream {
namespace {

// The least size of an entry by its tag, its header included.
constexpr std::uint32_t least_bytes(Tag tag) {
  switch (tag) {
    case Tag::fact:
    case Tag::string:
      return 16;
    case Tag::site:
      return 36;
    case Tag::symbol:
    case Tag::managed_class:
    case Tag::method:
      return 24;
    case Tag::assembly:
      return 32;
    case Tag::clock:
      return 40;
    case Tag::thread:
    case Tag::module:
      return 64;
    case Tag::pad:
    case Tag::end:
      break;
  }
  return 8;
}

constexpr std::uint64_t kEntryAlignment = 8;
constexpr std::uint32_t kMostFrames = 1024, kMostBuildIdBytes = 32, kFrameBytes = 16;

}  // namespace

class Tables::EntryReader {
 public:
  EntryReader(Tables& tables, std::span<const std::byte> entry, std::uint64_t at, OddityCounts& odd)
      : tables_(tables), body_(entry.subspan(kEntryHeaderBytes)), at_(at), odd_(odd) {}

  // False if what lies inside does not fit.
  bool take(Tag tag) {
    switch (tag) {
      case Tag::pad:
        return true;
      case Tag::fact:
        return take_fact();
      case Tag::string:
        return take_string();
      case Tag::site:
        take_site();
        return true;
      case Tag::thread:
        take_thread();
        return true;
      case Tag::clock:
        take_clock();
        return true;
      case Tag::module:
        return take_module();
      case Tag::symbol:
        return take_symbol();
      case Tag::assembly:
        tables_.assemblies.insert_or_assign(u32(0), u32(4));
        return true;
      case Tag::managed_class:
        tables_.classes.insert_or_assign(pair_of(u32(0), u32(4)), u32(8));
        return true;
      case Tag::method:
        tables_.methods.insert_or_assign(pair_of(u32(0), u32(4)),
                                         MethodEntry{.class_token = u32(8), .name = u32(12)});
        return true;
      case Tag::end:
        tables_.finished = true;
        return true;
    }
    odd_.count(Oddity::unknown_entry, at_);
    return true;
  }

 private:
  std::uint32_t u32(std::size_t at) const { return load_value<std::uint32_t>(body_.data() + at); }
  std::uint64_t u64(std::size_t at) const { return load_value<std::uint64_t>(body_.data() + at); }
  std::int64_t i64(std::size_t at) const { return load_value<std::int64_t>(body_.data() + at); }
  std::string_view text(std::size_t at, std::size_t size) const {
    return {reinterpret_cast<const char*>(body_.data()) + at, size};
  }

  bool take_fact() {
    const std::uint64_t key_bytes = u32(0), value_bytes = u32(4);
    if (key_bytes > kMostTextBytes || value_bytes > kMostTextBytes) return false;
    if (8 + key_bytes + value_bytes > body_.size()) return false;
    tables_.facts.insert_or_assign(std::string(text(8, key_bytes)),
                                   std::string(text(8 + key_bytes, value_bytes)));
    return true;
  }

  bool take_string() {
    const std::uint32_t id = u32(0), size = u32(4);
    if (size > kMostTextBytes || 8 + std::uint64_t{size} > body_.size()) return false;
    if (id == 0) return true;
    const std::string_view now = text(8, size);
    if (const auto known = tables_.string(id)) {
      if (*known == now) return true;
      odd_.count(Oddity::duplicate_id, at_);
    }
    tables_.strings_.set(id, {tables_.texts_.size(), size});
    tables_.texts_.append(now);
    return true;
  }

  void take_site() {
    const std::uint32_t id = u32(0);
    if (id == 0) return;
    const Site site{.name = u32(4),
                    .category = u32(8),
                    .file = u32(12),
                    .line = u32(16),
                    .colour = u32(20),
                    .flags = u32(24)};
    const Site* known = tables_.sites.find(id);
    if (known != nullptr && *known != site) odd_.count(Oddity::duplicate_id, at_);
    tables_.sites.set(id, site);
  }

  void take_thread() {
    tables_.threads.insert_or_assign(u32(0), ThreadEntry{.name = u32(4),
                                                         .flags = u32(48),
                                                         .tid = u64(8),
                                                         .first_tick = u64(16),
                                                         .last_tick = u64(24),
                                                         .records = u64(32),
                                                         .dropped = u64(40)});
  }

  void take_clock() {
    const ClockSample sample{.tick = u64(0), .monotonic_ns = i64(8), .wall_ns = i64(16)};
    std::vector<ClockSample>& good = tables_.clock;
    if (!good.empty() &&
        (sample.tick <= good.back().tick || sample.monotonic_ns < good.back().monotonic_ns)) {
      odd_.count(Oddity::bad_clock, at_);
      return;
    }
    good.push_back(sample);
  }

  bool take_module() {
    constexpr std::size_t kBuildIdAt = 56;
    const auto build_id_bytes = load_value<std::uint8_t>(body_.data() + 53);
    if (build_id_bytes > kMostBuildIdBytes || kBuildIdAt + build_id_bytes > body_.size()) {
      return false;
    }
    const auto [found, added] =
        tables_.snapshot_numbers_.try_emplace(u32(0), tables_.snapshots.size());
    if (added) tables_.snapshots.push_back({.tick = u64(8)});
    tables_.snapshots[found->second].segments.push_back({.module = u32(4),
                                                         .path = u32(48),
                                                         .begin = u64(16),
                                                         .end = u64(24),
                                                         .elf_begin = u64(32)});
    const std::string build_id(text(kBuildIdAt, build_id_bytes));
    const Module* known = tables_.modules.find(u32(4));
    Module module = known != nullptr ? *known : Module{.path = u32(48), .build_id = build_id};
    module.differs = module.differs || module.build_id != build_id;
    if (known == nullptr || module.differs) tables_.modules.set(u32(4), module);
    return true;
  }

  bool take_symbol() {
    const std::uint32_t count = u32(4);
    constexpr std::size_t kFramesAt = 16;
    if (count > kMostFrames || kFramesAt + std::uint64_t{count} * kFrameBytes > body_.size()) {
      return false;
    }
    tables_.symbols.insert_or_assign(Address{u32(0), u64(8)},
                                     FrameRange{tables_.frames.size(), count});
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = kFramesAt + i * kFrameBytes;
      tables_.frames.push_back({u32(at), u32(at + 4), u32(at + 8), u32(at + 12)});
    }
    return true;
  }

  Tables& tables_;
  std::span<const std::byte> body_;
  std::uint64_t at_;
  OddityCounts& odd_;
};

void for_each_entry(
    const Chunk& chunk, const Payload& payload, OddityCounts& odd,
    const std::function<bool(Tag, std::span<const std::byte>, std::uint64_t at)>& take) {
  const std::span<const std::byte> bytes = payload.bytes;
  const std::uint64_t declared = chunk.packed_lz4() ? chunk.full_bytes : chunk.stored_bytes;
  std::size_t at = 0;
  while (bytes.size() - at >= kEntryHeaderBytes) {
    const auto size = load_value<std::uint32_t>(bytes.data() + at);
    const auto tag = static_cast<Tag>(load_value<std::uint16_t>(bytes.data() + at + 4));
    const std::uint64_t place = chunk.packed_lz4() ? chunk.at : chunk.payload_at() + at;
    if (size == 0) return;
    const bool sound =
        size % kEntryAlignment == 0 && size >= least_bytes(tag) && size <= declared - at;
    if (sound && size > bytes.size() - at) return;  // the end of the file cuts it
    if (!sound || !take(tag, bytes.subspan(at, size), place)) {
      odd.count(Oddity::bad_entry, place);
      return;
    }
    at += size;
  }
}

void Tables::read(const Chunk& chunk, const Payload& payload, OddityCounts& odd) {
  for_each_entry(chunk, payload, odd,
                 [&](Tag tag, std::span<const std::byte> entry, std::uint64_t at) {
                   return EntryReader(*this, entry, at, odd).take(tag);
                 });
}

void Tables::sort_snapshots() {
  std::ranges::stable_sort(snapshots, {}, &Snapshot::tick);
}

std::optional<std::string_view> Tables::string(std::uint32_t id) const {
  if (id == 0) return std::string_view();
  const Text* text = strings_.find(id);
  if (text == nullptr) return std::nullopt;
  return std::string_view(texts_).substr(static_cast<std::size_t>(text->at), text->size);
}

void Tables::for_each_string(
    const std::function<void(std::uint32_t, std::string_view)>& use) const {
  strings_.for_each([&](std::uint32_t id, const Text& text) {
    use(id, std::string_view(texts_).substr(static_cast<std::size_t>(text.at), text.size));
  });
}

std::string_view Tables::fact(std::string_view key) const {
  const auto found = facts.find(key);
  return found == facts.end() ? std::string_view() : std::string_view(found->second);
}

std::uint64_t Tables::kept_bytes() const {
  constexpr std::uint64_t kNode = 5 * sizeof(void*);  // of a hashed entry, about
  std::uint64_t segments = 0;
  for (const Snapshot& snapshot : snapshots) segments += snapshot.segments.capacity();
  return texts_.capacity() + strings_.kept_bytes() + sites.kept_bytes() +
         threads.size() * (sizeof(ThreadEntry) + kNode) + clock.capacity() * sizeof(ClockSample) +
         segments * sizeof(Segment) + modules.kept_bytes() +
         frames.capacity() * sizeof(SymbolFrame) +
         (symbols.size() + classes.size() + methods.size() + assemblies.size()) * 2 * kNode;
}

}  // namespace cinderscope::thread_stream
