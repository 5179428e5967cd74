#include "ingest/os/mapped_file.h"

#include <cstdlib>
#include <cstring>
#include <system_error>

#include "ingest/os/file.h"

namespace cinderscope {
namespace {

// Nothing is mapped in a page. A file of this size is read as a whole, of a longer one pieces are.
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kZerosBehind = 4096;

}  // namespace

MappedFile::MappedFile(UniqueFd file, std::uint64_t size_bytes, std::uint64_t offset)
    : file_(std::move(file)), size_bytes_(size_bytes), offset_(offset) {
  if (size_bytes > kMostBytes) return;
  const auto bytes = static_cast<std::size_t>(size_bytes + kZerosBehind);
  region_ = static_cast<std::byte*>(std::malloc(bytes));
  if (region_ == nullptr) return;
  region_bytes_ = bytes;
  const std::span<std::byte> wanted(region_, static_cast<std::size_t>(size_bytes));
  std::error_code error;
  const std::size_t got = read_at(file_, offset, wanted, error);
  if (error) return;
  std::memset(region_ + got, 0, bytes - got);
  data_ = region_;
}

bool MappedFile::maps(std::uint64_t) {
  return false;
}

MappedFile::~MappedFile() {
  std::free(region_);
}

std::optional<FileStatus> MappedFile::status() const {
  std::error_code ignored;
  return file_status(file_, ignored);
}

// What was read does not change with the file.
std::optional<std::uint64_t> MappedFile::shrunk_to() const {
  return std::nullopt;
}

}  // namespace cinderscope
