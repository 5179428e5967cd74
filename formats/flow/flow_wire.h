// The bytes of Flow traces: one event of the current layout and of the two single-file layouts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cinderscope::flow {

// Section 1. Bit 7: enter; bit 6: more bytes follow; bits 0 to 5: the low bits of the value.
inline constexpr std::uint8_t kEnterBit = 0x80, kMoreBit = 0x40, kLowBits = 0x3f;
inline constexpr std::size_t kMaxEventBytes = 10;

// Section 5. Byte 0 says whether each event names its thread; bits 7 and 6 of an event's first byte
// are what it is, bit 5: more bytes follow, bits 0 to 4: the low bits of the value.
inline constexpr std::uint8_t kOldOneThread = 0x01, kOldManyThreads = 0x02;
inline constexpr std::uint8_t kOldOpcodeBits = 0xc0, kOldMoreBit = 0x20, kOldLowBits = 0x1f;
inline constexpr std::uint8_t kOldNewName = 0xc0, kOldExits = 0x80, kOldKnownName = 0x40;
inline constexpr std::uint8_t kOldFirstEvent = kOldNewName | 1;  // what byte 1 always is

enum class ReadState : std::uint8_t {
  whole,
  cut,  // the bytes end within it
  bad,  // it is no such thing: more than 64 bits
};

// An unsigned LEB128 number whose bits are to stand above `shift` lower ones; `at` moves behind it
// if it is whole. Together they have 64 bits at most.
inline ReadState read_leb(const std::byte*& at, const std::byte* end, unsigned shift,
                          std::uint64_t& value) {
  for (const std::byte* next = at; next != end; shift += 7) {
    const auto byte = static_cast<std::uint64_t>(*next++);
    const std::uint64_t bits = byte & 0x7f;
    if (shift >= 64 || bits << shift >> shift != bits) return ReadState::bad;
    value |= bits << shift;
    if ((byte & 0x80) != 0) continue;
    at = next;
    return ReadState::whole;
  }
  return ReadState::cut;
}

}  // namespace cinderscope::flow
