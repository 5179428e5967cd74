#include "ingest/os/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
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
  constexpr std::size_t kDroppedPieceBytes = 64 << 20;
  const std::size_t pieces =
      bytes / kDroppedPieceBytes;  // the last one and the rest are left to munmap
  if (pieces < 2) return;
  try {
    parallel_for(pieces, core_count(), [data](std::size_t i) {
      madvise(data + i * kDroppedPieceBytes, kDroppedPieceBytes, MADV_DONTNEED);
    });
  } catch (const std::bad_alloc&) {
    return;  // it only takes longer
  }
}

}  // namespace

MappedFile::MappedFile(UniqueFd file, std::uint64_t size_bytes, std::uint64_t offset)
    : file_(std::move(file)), size_bytes_(size_bytes), offset_(offset) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;
  if (size_bytes > kMost || offset > kMost) return;
  const std::uint64_t lead = offset % page;  // mappings begin with a page
  const std::uint64_t rounded = (lead + size_bytes + page - 1) / page * page;
  // The page after the file has to be ours before the file is laid over the pages before it.
  const auto region_bytes = static_cast<std::size_t>(rounded + page);
  void* region =
      mmap(nullptr, region_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) return;
  region_ = static_cast<std::byte*>(region);
  region_bytes_ = region_bytes;
  void* mapped = mmap(region, static_cast<std::size_t>(rounded), PROT_READ, MAP_PRIVATE | MAP_FIXED,
                      file_.get(), static_cast<off_t>(offset - lead));
  if (mapped == MAP_FAILED || !end_with_zeros(lead + size_bytes, page)) return;
  data_ = region_ + lead;
  guard_.emplace(region_, static_cast<std::size_t>(rounded));
}

// Behind the end of a file its last page is zeros; behind that of a part of one lies what follows,
// in whose place a page of our own comes.
bool MappedFile::end_with_zeros(std::uint64_t end, std::uint64_t page) {
  const std::uint64_t used = end % page, page_at = end - used;
  const std::optional<FileStatus> now = status();
  if (used == 0 || (now && now->size_bytes <= offset_ + size_bytes_)) return true;
  void* last = mmap(region_ + page_at, static_cast<std::size_t>(page), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (last == MAP_FAILED) return false;
  const std::uint64_t lead = offset_ % page;
  const std::uint64_t skipped = page_at == 0 ? lead : 0;  // what lies before the part
  std::error_code error;
  read_at(file_, offset_ - lead + page_at + skipped,
          std::span(static_cast<std::byte*>(last), static_cast<std::size_t>(used))
              .subspan(static_cast<std::size_t>(skipped)),
          error);
  mprotect(last, static_cast<std::size_t>(page), PROT_READ);
  return !error;
}

bool MappedFile::maps(std::uint64_t) {
  return true;
}

MappedFile::~MappedFile() {
  guard_.reset();
  if (region_ == nullptr) return;
  if (data_ != nullptr) let_go_of_pages(region_, region_bytes_);
  munmap(region_, region_bytes_);
}

std::optional<FileStatus> MappedFile::status() const {
  std::error_code ignored;
  return file_status(file_, ignored);
}

std::optional<std::uint64_t> MappedFile::shrunk_to() const {
  const std::optional<FileStatus> now = status();
  const std::uint64_t end_now = now ? now->size_bytes : offset_ + size_bytes_;
  const std::uint64_t size_now = end_now - std::min(end_now, offset_);
  if (size_now < size_bytes_ || (guard_ && guard_->tripped())) return size_now;
  return std::nullopt;
}

}  // namespace cinderscope
