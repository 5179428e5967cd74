// The commands of an agent and the answers of a collector as they lie on the wire, for a recorded
// session and a live one. Bytes only; what they mean for a stream is not known here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/qubership/qubership_wire.h"
#include "formats/qubership/wire_cursor.h"

namespace cinderscope::qubership {

// Names an open stream within its session; all zero: none.
using Handle = std::array<std::byte, 16>;

// What the agent sends. Only the fields of its kind are set; texts are UTF-8.
struct AgentCommand {
  Command kind = Command::ack;
  std::uint64_t version = 0;             // of version_v2
  std::string pod, service, name_space;  // of version_v2 and init_stream
  std::string stream;                    // of init_stream and init_stream_v2
  std::uint32_t sequence = 0;            // of the same: the number asked for
  bool reset = false;                    // of the same: all is sent from the start
  Handle handle{};                       // of data
  std::span<const std::byte> data;       // of data: a part of the bytes read
  bool opens() const { return kind == Command::init_stream || kind == Command::init_stream_v2; }
};

enum class CommandFault : std::uint8_t {
  none,
  incomplete,  // the bytes end within it; `in` is cut
  unknown,     // since commands have no length, nothing can be read behind it
  long_field,  // the same
};

// The longest command is an old init_stream: four fields of the most bytes they may have.
inline constexpr std::size_t kMostCommandBytes = 1 + 4 * (4 + std::size_t{kMostFieldBytes}) + 8;

// Reads the next command, into one that is reused.
CommandFault read_command(WireCursor& in, AgentCommand& out);

// What is answered to a stream that was opened.
struct StreamAnswer {
  Handle handle{};              // none: refused, and nothing follows it
  std::int64_t most_ms = 0;     // a file is ended after this time, 0: when the agent likes
  std::int64_t most_bytes = 0;  // ... after about so many bytes
  std::uint32_t sequence = 0;   // references name its file by this number + 1
  bool refused() const { return handle == Handle{}; }
};
StreamAnswer read_stream_answer(WireCursor& in);
void append_answer(std::vector<std::byte>& out, const StreamAnswer& answer);
// The answer to a handshake.
void append_answer(std::vector<std::byte>& out, std::uint64_t version);

}  // namespace cinderscope::qubership
