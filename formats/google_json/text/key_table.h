// Dense numbers for texts, in the order in which they first come; little memory for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cinderscope::google_json {

// Not stable over machines or versions; for tables that nobody else sees.
std::uint32_t hash_bytes(std::string_view text);

// One thread. A text costs its bytes and about 24 more.
class KeyTable {
 public:
  // Equal pairs of text and `part` give the equal number. `hash` is hash_bytes(text).
  std::uint32_t number_of(std::string_view text, std::uint32_t hash, std::uint32_t part);
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t end;  // of its text; it begins where the one before ends
    std::uint32_t hash, part;
  };
  std::string_view text(std::size_t i) const;
  void grow();

  std::string texts_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // open addressing, a power of two: number + 1, 0 is free
};

}  // namespace cinderscope::google_json
