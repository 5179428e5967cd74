// Any bytes as the streams of a Qubership recording: put into a session whose frame is sound, so
// that what is tried are the streams' readers.
//
// The input is a list of parts: a byte that names the stream, a byte of its sequence, two bytes of
// length, so many bytes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tests/fuzz/look_at.h"

namespace cinderscope {
const Format& qubership_format();
}

namespace {

using namespace cinderscope;

void append(std::vector<std::byte>& out, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<std::byte>(value >> shift & 0xff));
  }
}

void append_field(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
  append(out, bytes.size(), 4);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void append_part(std::vector<std::byte>& out, std::string_view stream, std::uint8_t sequence,
                 std::uint8_t handle, std::span<const std::byte> bytes) {
  out.push_back(std::byte{0x15});
  append_field(out, std::as_bytes(std::span(stream)));
  append(out, 0, 8);
  append(out, 0, 8);
  append(out, std::uint64_t{handle} + 1, 8);
  append(out, 0, 8);
  append(out, 0, 8);
  append(out, sequence, 4);
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min<std::size_t>(bytes.size(), 1024));
    bytes = bytes.subspan(piece.size());
    out.push_back(std::byte{0x02});
    append(out, 0, 8);
    append(out, std::uint64_t{handle} + 1, 8);
    append_field(out, piece);
  }
}

std::vector<std::byte> session_of(std::span<const std::byte> parts) {
  constexpr std::array<std::string_view, 8> kStreams = {
      "dictionary", "posDictionary", "params", "suspend", "calls", "trace", "sql", "xml"};
  constexpr std::size_t kHeadBytes = 4;
  std::vector<std::byte> out;
  out.push_back(std::byte{0x14});
  append(out, 100705, 8);
  for (int i = 0; i < 3; ++i) append(out, 0, 4);
  append(out, 100605, 8);
  for (std::uint8_t handle = 0; parts.size() >= kHeadBytes && handle < 100; ++handle) {
    const auto number = [&](std::size_t i) { return std::to_integer<std::size_t>(parts[i]); };
    const std::string_view stream = kStreams[number(0) % kStreams.size()];
    const auto sequence = static_cast<std::uint8_t>(number(1) % 4);
    const std::size_t size = number(2) << 8 | number(3);
    parts = parts.subspan(kHeadBytes);
    const auto bytes = parts.first(std::min(parts.size(), size));
    parts = parts.subspan(bytes.size());
    append_part(out, stream, sequence, handle, bytes);
  }
  return out;
}

}  // namespace

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  load_and_look(qubership_format(),
                Input::from_memory("fuzz", session_of(std::as_bytes(std::span(data, size)))),
                {.jobs = 1});
  return 0;
}
