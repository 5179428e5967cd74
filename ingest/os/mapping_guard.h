// Keeps a mapped file that shrinks from ending the program: its lost pages read as zeros instead.
#pragma once

#include <cstddef>

namespace cinderscope {

struct GuardedRange;

// Watches one mapping for reads that fail (SIGBUS; EXCEPTION_IN_PAGE_ERROR) while it lives. The
// first guard of the program installs the handler; faults outside guarded ranges go to the handler
// that was there before.
class MappingGuard {
 public:
  // `data` and `size_bytes` are page aligned: the whole of a mapping that stays until after ~.
  MappingGuard(const void* data, std::size_t size_bytes);
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  // Any thread: a lost page was read; the mapping is zeros from there to its end.
  bool tripped() const;

 private:
  GuardedRange* range_;
};

}  // namespace cinderscope
