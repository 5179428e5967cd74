#include "ingest/os/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <limits>
#include <new>
#include <system_error>

#include "ingest/base/parallel.h"
#include "ingest/os/file.h"

namespace cinderscope {

namespace {

// The system takes pages of a mapping back one by one, 50 ms for a GB of them: all cores share
// that.
void let_go_of_pages(std::byte* data, std::size_t bytes) {
  constexpr std::size_t kPieceBytes = 64 << 20;
  const std::size_t pieces = bytes / kPieceBytes;  // the last one and the rest are left to munmap
  if (pieces < 2) return;
  try {
    parallel_for(pieces, core_count(), [data](std::size_t i) {
      madvise(data + i * kPieceBytes, kPieceBytes, MADV_DONTNEED);
    });
  } catch (const std::bad_alloc&) {
    return;  // it only takes longer
  }
}

}  // namespace

MappedFile::MappedFile(UniqueFd file, std::uint64_t size_bytes)
    : file_(std::move(file)), size_bytes_(size_bytes) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (size_bytes > std::numeric_limits<std::int64_t>::max() - 2 * page) return;
  const std::uint64_t rounded = (size_bytes + page - 1) / page * page;
  // The page after the file has to be ours before the file is laid over the pages before it.
  const auto region_bytes = static_cast<std::size_t>(rounded + page);
  void* region =
      mmap(nullptr, region_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) return;
  void* data = mmap(region, static_cast<std::size_t>(rounded), PROT_READ, MAP_PRIVATE | MAP_FIXED,
                    file_.get(), 0);
  if (data == MAP_FAILED) {
    munmap(region, region_bytes);
    return;
  }
  region_bytes_ = region_bytes;
  data_ = static_cast<std::byte*>(data);
  guard_.emplace(data_, static_cast<std::size_t>(rounded));
}

MappedFile::~MappedFile() {
  guard_.reset();
  if (data_ == nullptr) return;
  let_go_of_pages(data_, region_bytes_);
  munmap(data_, region_bytes_);
}

std::optional<FileStatus> MappedFile::status() const {
  std::error_code ignored;
  return file_status(file_, ignored);
}

std::optional<std::uint64_t> MappedFile::shrunk_to() const {
  const std::optional<FileStatus> now = status();
  const std::uint64_t size_now = now ? now->size_bytes : size_bytes_;
  if (size_now < size_bytes_ || (guard_ && guard_->tripped())) return size_now;
  return std::nullopt;
}

}  // namespace cinderscope
