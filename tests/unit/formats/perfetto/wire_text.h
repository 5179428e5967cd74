// Fields of protobuf messages, written for tests.
#pragma once

#include <cstdint>
#include <string>

#include "formats/perfetto/wire/fields.h"

namespace cinderscope::perfetto {

inline std::string varint_text(std::uint64_t value) {
  std::string out;
  for (; value > 127; value >>= 7) out += static_cast<char>(0x80 | (value & 127));
  return out + static_cast<char>(value);
}

inline std::string number_text(std::uint32_t number, std::uint64_t value) {
  return varint_text(number_field(number)) + varint_text(value);
}

inline std::string message_text(std::uint32_t number, const std::string& bytes) {
  return varint_text(bytes_field(number)) + varint_text(bytes.size()) + bytes;
}

}  // namespace cinderscope::perfetto
