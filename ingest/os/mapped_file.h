// A regular file, or a part of one, mapped for reading, with zero bytes after its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "ingest/os/file.h"
#include "ingest/os/mapping_guard.h"
#include "ingest/os/unique_fd.h"

namespace cinderscope {

class MappedFile {
 public:
  // `size_bytes` > 0 from `offset` on, within what fstat() said. Check `ok()`: some file systems
  // cannot map.
  MappedFile(UniqueFd file, std::uint64_t size_bytes, std::uint64_t offset = 0);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Whether a file of so many bytes, all of it, is mapped. Others are read as a whole, if they are
  // ok() at all.
  static bool maps(std::uint64_t size_bytes);

  bool ok() const { return data_ != nullptr; }
  UniqueFd give_back() { return std::move(file_); }  // of a mapping that is not ok

  // Followed by a readable page of zeros.
  std::span<const std::byte> bytes() const {
    return {data_, static_cast<std::size_t>(size_bytes_)};
  }

  std::optional<FileStatus> status() const;  // as it is now

  // Where the part ends now if the file became shorter since; the rest reads as zeros.
  std::optional<std::uint64_t> shrunk_to() const;

 private:
  bool end_with_zeros(std::uint64_t end, std::uint64_t page);

  UniqueFd file_;
  std::uint64_t size_bytes_, offset_;
  std::byte* region_ = nullptr;  // whole pages
  std::size_t region_bytes_ = 0;
  std::byte* data_ = nullptr;
  std::optional<MappingGuard> guard_;
};

}  // namespace cinderscope
