#include "formats/qubership/collector/agent_protocol.h"

#include <cstring>

#include "ingest/base/utf8.h"

namespace cinderscope::qubership {
namespace {

// Fields of one command; once one is too long, nothing more is read.
class Fields {
 public:
  explicit Fields(WireCursor& in) : in_(in) {}

  // Each is at most 1024 bytes long; a longer one is an error for both sides.
  std::span<const std::byte> field() {
    if (too_long_) return {};
    const std::uint32_t size_bytes = in_.u32();
    too_long_ = size_bytes > kMostFieldBytes;
    return too_long_ ? std::span<const std::byte>() : in_.take(size_bytes);
  }
  std::string text() {
    const auto bytes = field();
    return valid_utf8(text_of_bytes(bytes));
  }
  bool too_long() const { return too_long_; }

 private:
  WireCursor& in_;
  bool too_long_ = false;
};

Handle read_handle(WireCursor& in) {
  Handle handle{};
  const auto bytes = in.take(handle.size());
  if (!bytes.empty()) std::memcpy(handle.data(), bytes.data(), handle.size());
  return handle;
}

void append_number(std::vector<std::byte>& out, std::uint64_t value, int size_bytes) {
  for (int shift = 8 * (size_bytes - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<std::byte>(value >> shift & 0xff));
  }
}

}  // namespace

CommandFault read_command(WireCursor& in, AgentCommand& out) {
  Fields fields(in);
  out.kind = static_cast<Command>(in.u8());
  if (in.cut()) return CommandFault::incomplete;
  switch (out.kind) {
    case Command::ack:
    case Command::flush:
    case Command::keep_alive:
    case Command::close:
    case Command::version:
      break;
    case Command::version_v2:
      out.version = static_cast<std::uint64_t>(in.i64());
      out.pod = fields.text();
      out.service = fields.text();
      out.name_space = fields.text();
      break;
    case Command::init_stream:
      out.name_space = fields.text();
      out.service = fields.text();
      out.pod = fields.text();
      [[fallthrough]];
    case Command::init_stream_v2:
      out.stream = fields.text();
      if (fields.too_long()) break;
      out.sequence = in.u32();
      out.reset = in.u32() == 1;
      break;
    case Command::data:
      out.handle = read_handle(in);
      out.data = fields.field();
      break;
    case Command::command_result:
      in.skip(sizeof(Handle) + 1);
      break;
    default:
      return CommandFault::unknown;
  }
  if (fields.too_long()) return CommandFault::long_field;
  return in.cut() ? CommandFault::incomplete : CommandFault::none;
}

StreamAnswer read_stream_answer(WireCursor& in) {
  StreamAnswer answer{.handle = read_handle(in)};
  if (answer.refused()) return answer;
  answer.most_ms = in.i64();
  answer.most_bytes = in.i64();
  answer.sequence = in.u32();
  return answer;
}

void append_answer(std::vector<std::byte>& out, const StreamAnswer& answer) {
  out.insert(out.end(), answer.handle.begin(), answer.handle.end());
  if (answer.refused()) return;
  append_number(out, static_cast<std::uint64_t>(answer.most_ms), 8);
  append_number(out, static_cast<std::uint64_t>(answer.most_bytes), 8);
  append_number(out, answer.sequence, 4);
}

void append_answer(std::vector<std::byte>& out, std::uint64_t version) {
  append_number(out, version, 8);
}

}  // namespace cinderscope::qubership
