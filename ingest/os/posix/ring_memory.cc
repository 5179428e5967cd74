#include "ingest/os/ring_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace cinderscope {
namespace {

// A small content takes little.
constexpr std::uint64_t kStepBytes = std::uint64_t{2} << 20;
// A signal undoes a step; a timer may send them for ever.
constexpr int kMostTries = 100;

}  // namespace

std::shared_ptr<RingMemory> RingMemory::create(std::size_t bytes) {
  UniqueFd memory(memfd_create("cinderscope ring", MFD_CLOEXEC));
  if (!memory || ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0) return nullptr;
  void* both =
      mmap(nullptr, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (both == MAP_FAILED) return nullptr;
  auto* const data = static_cast<std::byte*>(both);
  const int file = memory.get();
  std::shared_ptr<RingMemory> ring(new RingMemory(std::move(memory), data, bytes));
  for (std::byte* half : {data, data + bytes}) {
    if (mmap(half, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
      return nullptr;
    }
  }
  return ring;
}

bool RingMemory::reach(std::uint64_t end) {
  end = std::min<std::uint64_t>(end, size_bytes_);
  if (end <= reached_bytes_) return true;
  end = std::min<std::uint64_t>((end + kStepBytes - 1) / kStepBytes * kStepBytes, size_bytes_);
  const std::uint64_t more_bytes = end - reached_bytes_;
  const auto from = static_cast<off_t>(reached_bytes_), length = static_cast<off_t>(more_bytes);
  for (int tries = 0; tries < kMostTries; ++tries) {
    if (fallocate(memory_.get(), 0, from, length) == 0) {
      reached_bytes_ = end;
      return true;
    }
    if (errno != EINTR) return false;
  }
  return false;
}

RingMemory::~RingMemory() {
  munmap(data_, 2 * size_bytes_);
}

}  // namespace cinderscope
