// What calls are named by: sites, addresses looked up in the memory map of their time, methods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/thread_stream/tables.h"
#include "ingest/model/string_pool.h"

namespace cinderscope::thread_stream {

struct CallName {
  std::string text;
  bool known = false;      // false: it only says where the function lies
  std::uint32_t rgba = 0;  // of a site: bytes r, g, b, a; 0: none
};

// In the pool, in the colour that it wants, as near as the palette has one.
StringId interned(const CallName& name, StringPool& pool);

struct StackFrame {
  std::string function, file;
  std::uint32_t line = 0;
};

// The tables of a trace, and those of the file with names that belongs to it. Immutable.
class CodeNames {
 public:
  // `beside` may be null. Symbols of it count only if they are of the same recording.
  CodeNames(const Tables& trace, const Tables* beside, bool symbols_beside);

  // "site #17" if it is not described; `known` tells.
  CallName site(std::uint32_t id) const;
  // The last snapshot that is not after `tick`; the first one if all are.
  std::size_t snapshot_at(std::uint64_t tick) const;
  std::uint64_t snapshot_begin(std::size_t snapshot) const;
  std::uint64_t snapshot_end(std::size_t snapshot) const;  // the first tick of the next one
  // Where it lies in the file of its module; nullopt: in none.
  std::optional<Tables::Address> place(std::uint64_t address, std::size_t snapshot) const;
  CallName address(std::uint64_t address, std::size_t snapshot) const;
  CallName managed(std::uint32_t ordinal, std::uint32_t token, std::uint32_t class_token) const;
  // Innermost first: calls that were inlined, and the one that they were inlined into.
  std::vector<StackFrame> frames(std::uint64_t address, std::size_t snapshot) const;

  bool has_symbols() const {
    return !trace_.symbols.empty() || (symbols_beside_ && !beside_->symbols.empty());
  }
  std::size_t symbol_count() const;
  std::size_t method_count() const;

 private:
  struct Found {
    const Segment* segment = nullptr;
    Tables::Address place;
  };
  // Segments of a snapshot by begin, with the largest end so far, so that overlaps are found.
  struct Map {
    struct Entry {
      std::uint64_t begin, end, most_end;
      std::size_t segment;
    };
    std::vector<Entry> entries;
  };
  const Segment* in_snapshot(std::uint64_t address, std::size_t snapshot) const;
  Found find(std::uint64_t address, std::size_t snapshot) const;
  std::string place_text(const Found& found, std::uint64_t address) const;
  template <class Use>
  bool with_symbol(const Tables::Address& place, Use use) const;

  const Tables& trace_;
  const Tables* beside_;
  bool symbols_beside_;
  std::vector<Map> maps_;  // by snapshot
};

}  // namespace cinderscope::thread_stream
