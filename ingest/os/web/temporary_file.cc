#include "ingest/os/temporary_file.h"

#include <emscripten/heap.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "ingest/os/memory.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kLeastReservedBytes = 16u << 20;

}  // namespace

// There is no disk: a range of the heap is set aside at once, and what is never written to there
// costs addresses only. Half of those that are left, so that others find some.
Result<std::unique_ptr<TemporaryFile>> TemporaryFile::create(std::uint64_t most_bytes) {
  for (std::uint64_t bytes = std::min(most_bytes, free_memory_bytes() / 2);
       bytes >= kLeastReservedBytes; bytes /= 2) {
    void* data = std::malloc(static_cast<std::size_t>(bytes));
    if (data == nullptr) continue;
    return std::unique_ptr<TemporaryFile>(
        new TemporaryFile({}, static_cast<std::byte*>(data), bytes));
  }
  return Error{ErrorCode::no_memory,
               "The memory left to this page is too small to hold the unpacked trace.",
               "Close other traces, or use the program for the desktop."};
}

std::filesystem::path TemporaryFile::folder() {
  return {};
}

bool TemporaryFile::is_on_heap() {
  return true;
}

TemporaryFile::~TemporaryFile() {
  std::free(data_);
}

// Bytes that were not written yet are zeros, as in a file.
std::error_code TemporaryFile::lengthen(std::uint64_t size_bytes) {
  if (size_bytes > reserved_bytes_) return std::make_error_code(std::errc::no_space_on_device);
  if (size_bytes <= size_bytes_) return {};
  std::memset(data_ + size_bytes_, 0, static_cast<std::size_t>(size_bytes - size_bytes_));
  size_bytes_ = size_bytes;
  return {};
}

bool TemporaryFile::drop(std::uint64_t /*begin*/, std::uint64_t /*end*/) {
  return false;
}

// It may fill what was set aside for it.
std::uint64_t TemporaryFile::free_bytes() const {
  return UINT64_MAX;
}

std::size_t TemporaryFile::write(std::uint64_t offset, std::span<const std::byte> bytes,
                                 std::error_code& error) {
  error.clear();
  if (offset > size_bytes_ || bytes.size() > size_bytes_ - offset) {
    error = std::make_error_code(std::errc::invalid_argument);
    return 0;
  }
  std::memcpy(data_ + offset, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace cinderscope
