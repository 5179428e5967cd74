// The bytes of a file as they lie on disk, also of one in a ZIP archive: nothing is unpacked but
// what the archive itself deflated.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>

#include "ingest/base/result.h"
#include "ingest/input/growing_file.h"
#include "ingest/input/unpack/decoders.h"
#include "ingest/os/unique_fd.h"

namespace cinderscope {

class StoredBytes {
 public:
  // A regular file; an Error for anything else.
  static Result<StoredBytes> open(const std::filesystem::path& path);

  std::uint64_t size() const { return size_; }
  Packing packing() const { return packing_; }  // none: plain
  // As read_at() of files does; any thread.
  std::size_t read(std::uint64_t offset, std::span<std::byte> bytes, std::error_code& error) const;

 private:
  UniqueFd file_;
  std::uint64_t begin_ = 0, size_ = 0;
  std::unique_ptr<GrowingFile> inflated_;  // or this has them
  Packing packing_ = Packing::none;
};

}  // namespace cinderscope
