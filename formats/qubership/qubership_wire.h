// What the bytes of Qubership's streams and of its TCP protocol mean: constants only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cinderscope::qubership {

enum class Stream : std::uint8_t {
  dictionary,        // words by position
  pos_dictionary,    // id and word, of protocol V3
  calls_dictionary,  // id and word, of root methods and call parameters only
  params,
  suspend,
  calls,
  call_ranges,  // copies of `calls` by duration
  trace,
  sql,
  xml,
  gc,  // text of the JVM; of no use here
};
inline constexpr std::size_t kStreams = 11;

struct StreamName {
  std::string_view name;  // of the folder, of the loose file, and in the protocol
  Stream stream;
};
inline constexpr std::array kStreamNames = {
    StreamName{"dictionary", Stream::dictionary},
    StreamName{"posDictionary", Stream::pos_dictionary},
    StreamName{"callsDictionary", Stream::calls_dictionary},
    StreamName{"params", Stream::params},
    StreamName{"suspend", Stream::suspend},
    StreamName{"calls", Stream::calls},
    StreamName{"calls[100ms-500ms]", Stream::call_ranges},
    StreamName{"calls[500ms-3s]", Stream::call_ranges},
    StreamName{"calls[3s-60m]", Stream::call_ranges},
    StreamName{"calls[60m+]", Stream::call_ranges},
    StreamName{"trace", Stream::trace},
    StreamName{"sql", Stream::sql},
    StreamName{"xml", Stream::xml},
    StreamName{"gc", Stream::gc},
};

// The loose form of these streams is cut into blocks: a length and so many bytes.
constexpr bool has_blocks(Stream stream) {
  return stream == Stream::dictionary || stream == Stream::pos_dictionary ||
         stream == Stream::params || stream == Stream::suspend;
}
inline constexpr std::uint32_t kMostBlockBytes = 10240;

// -- trace
enum class EventKind : std::uint8_t { enter, exit, tag, end_of_block };  // low two bits
enum class ValueKind : std::uint8_t { in_line, big, indexed, shared };   // a tag's storage type
inline constexpr std::uint8_t kMostValueKind = 3;
inline constexpr std::size_t kTraceHeaderBytes = 8, kBlockHeaderBytes = 16;

// -- calls: the upper half of the first number where a format number follows
inline constexpr std::uint32_t kCallsMagic = 0xFFFEFDFC;
inline constexpr std::uint32_t kNewestCallsFormat = 4;

// -- the protocol; answers of the collector stand in line
enum class Command : std::uint8_t {
  ack = 0x00,  // no command: the collector's answer to data and to a flush
  init_stream = 0x01,
  data = 0x02,
  close = 0x04,
  version = 0x08,
  flush = 0x11,
  keep_alive = 0x12,
  command_result = 0x13,
  version_v2 = 0x14,
  init_stream_v2 = 0x15,
};
inline constexpr std::uint32_t kMostFieldBytes = 1024;
inline constexpr std::uint64_t kOldestProtocol = 100000, kNewestProtocol = 100999;
// Answers to a handshake: the old one, `dictionary` as a stream, `posDictionary` in its place.
inline constexpr std::uint64_t kProtocolV1 = 100505, kProtocolV2 = 100605, kProtocolV3 = 100705;
inline constexpr std::uint64_t kRefusedProtocol = 88888888;  // the agent is black-listed

// Unix times in ms that a recording may begin at: 2001 to 2100.
inline constexpr std::int64_t kEarliestMs = 978'307'200'000, kLatestMs = 4'102'444'800'000;

}  // namespace cinderscope::qubership
