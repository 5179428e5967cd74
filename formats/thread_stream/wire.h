// What the bytes of a thread stream are: header, chunks, table entries, records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ingest/input/load_value.h"

// Sections are those of the format's specification. Everything is little endian.
namespace cinderscope::thread_stream {

// -- section 2: the file's header
inline constexpr std::string_view kMagic = "\x89TSD\r\n\x1a\n";
inline constexpr std::uint64_t kHeaderBytes = 64;
inline constexpr std::uint64_t kCheckedBytes = 60;  // of a header; then their CRC
inline constexpr std::uint8_t kExactRatio = 1, kLive = 2, kNamesOnly = 8;

// -- section 3: chunks
inline constexpr std::uint64_t kChunkHeaderBytes = 64;
inline constexpr std::string_view kChunkMagic = "TSCK";
inline constexpr std::uint64_t kPlaceBytes = 8;  // chunks begin at multiples of it
inline constexpr std::uint16_t kTableChunk = 1, kEventsChunk = 2, kPackedChunk = 3;
inline constexpr std::uint16_t kFirstPrivateChunk = 0x8000;
inline constexpr std::uint16_t kLz4Flag = 1, kOpenFlag = 2;
inline constexpr std::uint32_t kMostFullBytes = 64u << 20;

// -- section 5: entries of tables
inline constexpr std::uint64_t kEntryHeaderBytes = 8;
inline constexpr std::uint32_t kMostTextBytes = 1u << 20;
enum class Tag : std::uint16_t {
  pad,
  fact,
  string,
  site,
  thread,
  clock,
  module,
  symbol,
  assembly,
  managed_class,
  method,
  end,
};

// -- section 6: records
inline constexpr std::uint64_t kRecordBytes = 16;
inline constexpr std::uint64_t kMostEmptySlots = 64;  // so many in a row end a chunk
inline constexpr std::uint64_t kFirstValueBytes = 8, kContBytes = 14;
namespace kind {
inline constexpr std::uint16_t kEnter = 1, kExit = 2, kInstant = 3, kCounter = 4;
inline constexpr std::uint16_t kEnterAddress = 5, kExitAddress = 6;
inline constexpr std::uint16_t kEnterManaged = 7, kExitManaged = 8;
inline constexpr std::uint16_t kAsyncBegin = 9, kAsyncEnd = 10, kFlow = 11;
inline constexpr std::uint16_t kResume = 12, kClockStep = 13;
inline constexpr std::uint16_t kFirstAttachment = 64, kCont = 64, kArg = 65, kStack = 66;
inline constexpr std::uint16_t kClass = 67, kValue = 68;
inline constexpr std::uint16_t kFirstPrivate = 128;
}  // namespace kind
inline constexpr std::uint16_t kFlowBegin = 0, kFlowEnd = 2;

inline constexpr std::uint32_t kArgKeyBits = 24;  // of the site of an ARG; its type lies above
enum class ArgType : std::uint8_t { text, i64, u64, f64, boolean, pointer, string_id };
// Arguments by which this program marks a call of which only a part was written: what it was.
inline constexpr std::string_view kCutBeginKey = "cut.ts", kCutDurationKey = "cut.dur";
inline constexpr std::uint32_t kNativeStack = 1, kJavaStack = 2, kManagedStack = 3;
inline constexpr std::uint32_t kBeginsWithCounter = 0x100;  // of the site of a STACK

inline constexpr std::uint32_t kThreadExited = 1;  // of a THREAD entry
inline constexpr std::uint32_t kSiteLeftOut = 1;   // of a SITE entry

}  // namespace cinderscope::thread_stream
