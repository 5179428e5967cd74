// What the tables of a thread stream say: names, threads, clock, modules, symbols, methods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/thread_stream/chunk_payload.h"
#include "formats/thread_stream/id_map.h"
#include "formats/thread_stream/oddities.h"

namespace cinderscope::thread_stream {

struct Site {
  std::uint32_t name = 0, category = 0, file = 0, line = 0, colour = 0, flags = 0;
  bool operator==(const Site&) const = default;
};

struct ThreadEntry {
  std::uint32_t name = 0, flags = 0;
  std::uint64_t tid = 0, first_tick = 0, last_tick = 0;
  std::uint64_t records = 0, dropped = 0;
};

struct ClockSample {
  std::uint64_t tick = 0;
  std::int64_t monotonic_ns = 0, wall_ns = 0;  // wall 0: unknown
};

struct Segment {
  std::uint32_t module = 0, path = 0;
  std::uint64_t begin = 0, end = 0;  // of addresses
  std::uint64_t elf_begin = 0;       // what `begin` is in the module's file
};

// A file that code was mapped from.
struct Module {
  std::uint32_t path = 0;
  std::string build_id;  // its bytes
  bool differs = false;  // the recording tells several build ids of it
};

// The memory map of one moment.
struct Snapshot {
  std::uint64_t tick = 0;
  std::vector<Segment> segments;
};

struct SymbolFrame {
  std::uint32_t function = 0, file = 0, line = 0, flags = 0;
};

struct MethodEntry {
  std::uint32_t class_token = 0, name = 0;
};

inline std::uint64_t pair_of(std::uint32_t high, std::uint32_t low) {
  return std::uint64_t{high} << 32 | low;
}

// Calls `take` with the tag and all bytes of each entry, and where it lies, up to the first that is
// damaged; one that `take` refuses is, too.
void for_each_entry(
    const Chunk& chunk, const Payload& payload, OddityCounts& odd,
    const std::function<bool(Tag, std::span<const std::byte>, std::uint64_t at)>& take);

// Of one file. Strings are its own.
class Tables {
 public:
  // Entries of a TABLE chunk, up to the first that is damaged.
  void read(const Chunk& chunk, const Payload& payload, OddityCounts& odd);
  void sort_snapshots();  // once all is read

  // nullopt: not defined.
  std::optional<std::string_view> string(std::uint32_t id) const;
  std::string_view text(std::uint32_t id) const { return string(id).value_or(std::string_view()); }
  std::string_view fact(std::string_view key) const;
  bool has_fact(std::string_view key) const { return facts.contains(key); }
  std::size_t string_count() const { return strings_.count(); }
  void for_each_string(const std::function<void(std::uint32_t, std::string_view)>& use) const;

  struct Address {
    std::uint32_t module = 0;
    std::uint64_t elf = 0;
    auto operator<=>(const Address&) const = default;
  };
  struct AddressHash {
    std::size_t operator()(const Address& a) const {
      return static_cast<std::size_t>(
          (a.elf ^ std::uint64_t{a.module} << 40) * 0x9E3779B97F4A7C15u >> 16);
    }
  };
  struct FrameRange {
    std::size_t first = 0, count = 0;
  };

  std::map<std::string, std::string, std::less<>> facts;
  IdMap<Site> sites;
  std::map<std::uint32_t, ThreadEntry> threads;  // by stream
  std::vector<ClockSample> clock;                // good ones
  std::vector<Snapshot> snapshots;               // by tick
  IdMap<Module> modules;
  std::unordered_map<Address, FrameRange, AddressHash> symbols;
  std::vector<SymbolFrame> frames;
  std::unordered_map<std::uint32_t, std::uint32_t> assemblies;  // ordinal: name
  std::unordered_map<std::uint64_t, std::uint32_t> classes;     // ordinal, token: name
  std::unordered_map<std::uint64_t, MethodEntry> methods;       // ordinal, token
  bool finished = false;

  std::uint64_t kept_bytes() const;

 private:
  struct Text {
    std::uint64_t at = 0;  // in texts_
    std::uint32_t size = 0;
  };
  class EntryReader;

  IdMap<Text> strings_;
  std::string texts_;
  std::unordered_map<std::uint32_t, std::size_t> snapshot_numbers_;
};

}  // namespace cinderscope::thread_stream
