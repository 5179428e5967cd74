#include "ingest/os/ring_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include "ingest/os/unique_fd.h"

namespace cinderscope {

std::shared_ptr<RingMemory> RingMemory::create(std::size_t bytes) {
  const UniqueFd memory(memfd_create("cinderscope ring", MFD_CLOEXEC));
  if (!memory || ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0) return nullptr;
  void* both =
      mmap(nullptr, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (both == MAP_FAILED) return nullptr;
  auto* const data = static_cast<std::byte*>(both);
  std::shared_ptr<RingMemory> ring(new RingMemory(data, bytes));
  for (std::byte* half : {data, data + bytes}) {
    if (mmap(half, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory.get(), 0) ==
        MAP_FAILED) {
      return nullptr;
    }
  }
  return ring;
}

RingMemory::~RingMemory() {
  munmap(data_, 2 * size_bytes_);
}

}  // namespace cinderscope
