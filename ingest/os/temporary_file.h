// An unlinked temporary file that is written at its end and read through a mapping that never
// moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>

#include "ingest/base/result.h"
#include "ingest/os/unique_fd.h"

namespace cinderscope {

class TemporaryFile {
 public:
  // In $TMPDIR, else /var/tmp, else /tmp, else in memory. A large range of addresses is reserved at
  // once, so that bytes never move: `most_bytes`, or less where that is not allowed.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 42;
  static Result<std::unique_ptr<TemporaryFile>> create(std::uint64_t most_bytes = kMostBytes);
  // Where it would be made now; empty: in memory.
  static std::filesystem::path folder();
  // There is neither a disk nor memory that costs nothing until it is written to: it takes a part
  // of the heap, all that it may become at once. So in a page.
  static bool is_on_heap();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Readable up to the file's length.
  const std::byte* data() const { return data_; }
  std::uint64_t reserved_bytes() const { return reserved_bytes_; }  // the longest it may become
  std::uint64_t size_bytes() const { return size_bytes_; }

  // One thread. Makes the file that long if the disk has the space and no limit on the length of
  // files (ulimit -f) is in the way; a longer one is not cut.
  std::error_code lengthen(std::uint64_t size_bytes);
  // Gives the space of these bytes back, which read as zeros from then on, while the file stays as
  // long as it is. Any thread. Not every file system can.
  bool drop(std::uint64_t begin, std::uint64_t end);
  // How much its disk, or the memory where it has none, can still take; the largest number if that
  // is not known.
  std::uint64_t free_bytes() const;
  // How many bytes were written within the file's length: all unless there is an error.
  std::size_t write(std::uint64_t offset, std::span<const std::byte> bytes, std::error_code& error);

 private:
  TemporaryFile(UniqueFd file, std::byte* data, std::uint64_t reserved_bytes)
      : file_(std::move(file)), data_(data), reserved_bytes_(reserved_bytes) {}

  UniqueFd file_;
  std::byte* data_;
  std::uint64_t reserved_bytes_, size_bytes_ = 0;
};

}  // namespace cinderscope
