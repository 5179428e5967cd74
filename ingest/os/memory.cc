#include "ingest/os/memory.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace cinderscope {

void give_back_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void keep_large_blocks_apart() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  // Above what drawing a frame by the CPU takes and gives back: some megabytes, of which each page
  // would be asked for anew in each frame.
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
#endif
}

}  // namespace cinderscope
