// A number from bytes at any place, in the machine's order of bytes.
#pragma once

#include <cstddef>
#include <cstring>

namespace cinderscope {

// `data` has sizeof(T) bytes at least; it need not be aligned.
template <class T>
T load_value(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

}  // namespace cinderscope
