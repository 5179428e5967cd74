// Writes a ZIP archive of stored entries that appears once it is whole. The same entries give the
// same bytes: all are of 1980-01-01.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/os/atomic_file.h"

namespace cinderscope {

class ZipWriter {
 public:
  // An older file of that name is replaced by commit().
  static Result<ZipWriter> create(const std::filesystem::path& path);

  // Begins an entry, which lasts until end(). `most_bytes`: it will not be longer.
  void begin(std::string name, std::uint64_t most_bytes);
  void append(std::span<const std::byte> bytes);
  std::uint64_t end();  // how long it has become

  // An entry of at most so many bytes whose content is known only after those that follow. The
  // difference, at most 60 000 bytes, lies as padding in its head.
  void reserve(std::string name, std::size_t most_bytes);
  bool fill(std::string_view content);  // false: it does not fit

  bool ok() const { return file_.ok(); }  // false: the disk does not take it
  Status commit();

 private:
  struct Entry {
    std::string name;
    std::uint64_t header_at = 0, bytes = 0;
    std::uint32_t crc = 0;
    bool is_long = false;  // its head has room for sizes of 64 bits
  };
  explicit ZipWriter(AtomicFile file) : file_(std::move(file)) {}
  std::string header_of(const Entry& entry, std::size_t padding) const;
  void write(std::string_view bytes);

  AtomicFile file_;
  std::vector<Entry> entries_;
  std::uint64_t at_ = 0;
  std::size_t reserved_ = 0, reserved_bytes_ = 0;  // which entry, and how much it may be
};

}  // namespace cinderscope
