#include "formats/thread_stream/chunk_payload.h"

#include <algorithm>
#include <utility>

#include "ingest/input/crc32.h"
#include "ingest/input/unpack/decoders.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::uint64_t kMostPackedShare = 256;  // no LZ4 byte stands for more
constexpr std::size_t kReadAhead = 64;

// How many bytes of a cut frame are its header and whole blocks.
std::size_t whole_blocks(std::span<const std::byte> frame) {
  constexpr std::size_t kFlagsAt = 4, kFewestHeaderBytes = 7;
  if (frame.size() < kFewestHeaderBytes) return 0;
  const auto flags = std::to_integer<unsigned>(frame[kFlagsAt]);
  const bool has_content_size = (flags & 0x08u) != 0, has_dictionary = (flags & 0x01u) != 0;
  const std::size_t checksum_bytes = (flags & 0x10u) != 0 ? 4 : 0;
  std::size_t at = kFewestHeaderBytes + (has_content_size ? 8 : 0) + (has_dictionary ? 4 : 0);
  while (at + 4 <= frame.size()) {
    const std::size_t size = load_value<std::uint32_t>(frame.data() + at) & 0x7fffffffu;
    const std::size_t end = at + 4 + size + checksum_bytes;
    if (size == 0 || end > frame.size()) break;
    at = end;
  }
  return std::min(at, frame.size());
}

bool unpack(std::span<const std::byte> frame, std::uint32_t full_bytes, Payload& into) {
  const std::uint64_t room =
      std::min<std::uint64_t>(full_bytes, frame.size() * kMostPackedShare + 65'536);
  into.unpacked = std::make_unique_for_overwrite<std::byte[]>(room + kReadAhead);
  std::span<std::byte> out(into.unpacked.get(), room);
  std::size_t made = 0;
  const std::unique_ptr<Decoder> decoder = make_decoder(Packing::lz4);
  if (!decoder || packing_of(frame) != Packing::lz4) return false;
  if (into.cut) frame = frame.first(whole_blocks(frame));
  // One byte more than is due would be found to be too many.
  std::byte beyond{};
  while (true) {
    const bool full = made == out.size();
    const std::span<std::byte> to = full ? std::span(&beyond, 1) : out.subspan(made);
    const Decoder::Step step = decoder->step(frame, to);
    if (step.state == Decoder::State::damaged || (full && step.produced_bytes > 0)) return false;
    made += step.produced_bytes;
    frame = frame.subspan(step.consumed_bytes);
    if (step.state == Decoder::State::member_end) break;
    if (step.consumed_bytes == 0 && step.produced_bytes == 0) {
      if (into.cut) break;
      return false;
    }
  }
  std::fill_n(into.unpacked.get() + made, kReadAhead, std::byte{0});
  into.bytes = out.first(made);
  return into.cut || made == full_bytes;
}

}  // namespace

std::optional<Payload> read_payload(const Input& input, const Chunk& chunk, OddityCounts& odd) {
  const auto refuse = [&]() -> std::optional<Payload> {
    odd.count(Oddity::data_damaged, chunk.at);
    return std::nullopt;
  };
  const bool lz4 = chunk.packed_lz4();
  if (chunk.open() && (lz4 || chunk.kind == kPackedChunk)) return refuse();
  if (lz4 && chunk.full_bytes > kMostFullBytes) return refuse();
  Result<Pin> pin = input.pin(chunk.payload_at(), chunk.there_bytes);
  if (!pin) return std::nullopt;  // reading was stopped
  Payload payload;
  payload.pin = std::move(*pin);
  payload.bytes = payload.pin.bytes();
  payload.cut = chunk.cut();
  if (!chunk.open() && !payload.cut && crc32_of(payload.bytes) != chunk.crc) {
    if (lz4 || chunk.kind == kPackedChunk) return refuse();
    odd.count(Oddity::data_damaged, chunk.at);
    payload.damaged = true;
  }
  if (lz4 && !unpack(payload.bytes, chunk.full_bytes, payload)) return refuse();
  return payload;
}

std::optional<Payload> read_again(const Input& input, const Chunk& chunk) {
  Result<Pin> pin = input.pin(chunk.payload_at(), chunk.there_bytes);
  if (!pin) return std::nullopt;
  Payload payload;
  payload.pin = std::move(*pin);
  payload.bytes = payload.pin.bytes();
  payload.cut = chunk.cut();
  if (chunk.packed_lz4() && !unpack(payload.bytes, chunk.full_bytes, payload)) return std::nullopt;
  return payload;
}

}  // namespace cinderscope::thread_stream
