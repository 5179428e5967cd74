/* A program that records in what the recorder itself calls. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tsd.h"

int munmap(void* at, size_t bytes) {
  TSD_ZONE("munmap");
  return (int)syscall(SYS_munmap, at, bytes);
}

ssize_t pread64(int fd, void* to, size_t bytes, off64_t at) {
  TSD_ZONE("pread");
  return syscall(SYS_pread64, fd, to, bytes, at);
}

int main(void) {
  int i;
  for (i = 0; i < 100000; i++) {
    TSD_ZONE("zone");
  }
  usleep(20000); /* the helper closes what was recorded */
  return 0;
}
