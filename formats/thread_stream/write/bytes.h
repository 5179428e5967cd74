// Numbers as the format has them, at the end of a text of bytes.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>

namespace cinderscope::thread_stream {

template <class Number>
void append_value(std::string& out, Number number) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

template <class Number>
void put_value(std::string& out, std::size_t at, Number number) {
  std::memcpy(out.data() + at, &number, sizeof number);
}

// A number of the packed form: seven bits a byte, low ones first.
inline void append_leb(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}

}  // namespace cinderscope::thread_stream
