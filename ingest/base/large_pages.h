// A vector for what is looked up all over many megabytes.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace cinderscope {

// Asks the system to give this memory, which nothing was written to yet, in its largest pages. Does
// nothing where there are none.
void prefer_large_pages(void* begin, std::size_t bytes);

// In pages of 4 KiB each look at a place that was not looked at lately has to find its page first,
// which costs as much again as the look itself, and each page is a fault when it is first written.
template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}  // NOLINT(google-explicit-constructor): as allocators are

  T* allocate(std::size_t count) {
    T* made = std::allocator<T>().allocate(count);
    if (count * sizeof(T) >= kWorthIt) prefer_large_pages(made, count * sizeof(T));
    return made;
  }
  void deallocate(T* made, std::size_t count) { std::allocator<T>().deallocate(made, count); }

  template <class U>
  bool operator==(const LargePages<U>&) const {
    return true;
  }

 private:
  static constexpr std::size_t kWorthIt = std::size_t{8} << 20;
};

template <class T>
using LargePageVector = std::vector<T, LargePages<T>>;

}  // namespace cinderscope
