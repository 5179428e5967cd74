// Writes tables of a thread stream: names of native code, in a file of their own or for a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/thread_stream/symbols/elf_symbols.h"
#include "formats/thread_stream/tables.h"

namespace cinderscope::thread_stream {

// The header of a file with names alone.
std::vector<std::byte> names_file_header();

// Entries, gathered into chunks.
class NamesWriter {
 public:
  // Strings that the file has already; others get ids that it does not use.
  explicit NamesWriter(const Tables& known);

  void fact(std::string_view key, std::string_view value);
  void symbol(const Tables::Address& place, std::span<const FoundFrame> frames);
  void assembly(std::uint32_t ordinal, std::string_view name);
  void managed_class(std::uint32_t ordinal, std::uint32_t token, std::string_view name);
  void method(std::uint32_t ordinal, std::uint32_t token, std::uint32_t class_token,
              std::string_view name);
  void entry(std::span<const std::byte> whole);  // as it is in another file

  // TABLE chunks, each beginning at a multiple of `alignment` from the first.
  std::vector<std::byte> take_chunks(std::uint64_t alignment);

 private:
  std::uint32_t string(std::string_view text);
  void add(Tag tag, std::span<const std::uint32_t> words, std::string_view text = {});
  void end_chunk();

  struct Gathered {
    std::vector<std::byte> payload;
    std::uint32_t entries = 0;
  };
  const Tables& known_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::uint32_t last_id_ = 0;
  std::vector<Gathered> chunks_;
};

}  // namespace cinderscope::thread_stream
