// What .spall bytes are: magics, headers and records of all versions; nothing of how they are read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ingest/input/load_value.h"

// Sections are those of the spall format specification. Everything is little endian and packed.
namespace cinderscope::spall {

// -- section 0: every file begins with u64 magic, u64 version, f64 timestamp_unit
inline constexpr std::uint64_t kManualMagic = 0x0BADF00D;
inline constexpr std::uint64_t kAutoMagic = 0xABADF00D;
inline constexpr std::size_t kVersionAt = 8;
inline constexpr std::size_t kUnitAt = 16;
inline constexpr std::size_t kShortHeaderBytes = 24;  // version 0 of the first days
inline constexpr std::size_t kHeaderBytes = 32;       // with u64 must_be_0

// -- sections 1 and 2: one flat stream of records that each name their process and thread
inline constexpr std::uint8_t kNoType = 0xff;

struct FlatLayout {
  const char* name;
  std::size_t header_bytes;
  std::size_t type_bytes;  // of the record's type, and
  std::size_t id_bytes;    // of pid and of tid: 4 or 8
  std::uint8_t begin, end;
  std::uint8_t complete = kNoType;      // a slice with its duration
  std::uint8_t cached_begin = kNoType;  // a begin whose name is a slot of the writer's cache
  bool has_args = false;                // begins have a category and args, as version 1
};

inline constexpr FlatLayout kV0A0{"0-a0", 24, 8, 8, 0, 1};
inline constexpr FlatLayout kV0A{"0-a", 24, 1, 4, 0, 1};
inline constexpr FlatLayout kV0ACache{"0-a-cache", 25, 1, 4, 0, 1, kNoType, 2};
inline constexpr FlatLayout kV0B{"0-b", 32, 1, 4, 2, 3};
inline constexpr FlatLayout kV0C{"0-c", 32, 1, 4, 3, 4, 2};
inline constexpr FlatLayout kV1{"1", 32, 1, 4, 3, 4, kNoType, kNoType, true};

// Version 1 only. Type 7 was a micro begin on a branch of 2022 and is Pad_Skip since 2023.
inline constexpr std::uint8_t kPadSkip = 7;
inline constexpr std::uint64_t kPadSkipBytes = 5;  // type, u32 size; then the bytes to skip
inline constexpr std::uint8_t kFlatMicroBegin = 7;
inline constexpr std::uint64_t kFlatMicroBeginBytes = 21;  // type, u32 tid, u64 address, u64 when
inline constexpr std::uint8_t kFlatMicroEnd = 8;
inline constexpr std::uint64_t kFlatMicroEndBytes = 13;  // type, u32 tid, u64 when

// -- sections 3 to 5: buffers of one thread each
inline constexpr std::uint8_t kBegin = 3;
inline constexpr std::uint8_t kEnd = 4;
inline constexpr std::uint8_t kNameProcess = 8;
inline constexpr std::uint8_t kNameThread = 9;
inline constexpr std::uint64_t kNameEventBytes = 2;    // type, u8 name_len; then the name
inline constexpr std::uint64_t kBufferEndBytes = 9;    // type, u64 time
inline constexpr std::uint8_t kMicroBegin = 1;         // top byte of the record's first u64,
inline constexpr std::uint8_t kMicroEnd = 2;           // whose lower 56 bits are the time
inline constexpr std::uint64_t kMicroBeginBytes = 24;  // time, u64 address, u64 caller
inline constexpr std::uint64_t kMicroEndBytes = 8;

struct BufferLayout {
  const char* name;
  std::uint64_t buffer_header_bytes;  // u32 size, u32 tid; version 3 also u32 pid, u64 first_ts
  bool has_pid;
  bool micro;                       // auto-tracing: addresses instead of names
  std::uint64_t begin_time_at = 1;  // of a Begin: version 2 has a category byte before
  std::uint64_t begin_bytes = 11;   // of a Begin without its texts; its last two are their lengths
};

inline constexpr BufferLayout kV2{"2", 8, false, false, 2, 12};
inline constexpr BufferLayout kV3{"3", 20, true, false};
inline constexpr BufferLayout kAuto{"auto", 8, false, true};

// Auto-tracing's header goes on with u64 known_address, u16 path length, path.
inline constexpr std::size_t kKnownAddressAt = 24;
inline constexpr std::size_t kPathBytesAt = 32;
inline constexpr std::size_t kAutoHeaderBytes = 34;

// No record but a skip is longer than this.
inline constexpr std::uint64_t kMostRecordBytes = 33 + 255 + 255;

}  // namespace cinderscope::spall
