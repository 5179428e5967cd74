#include "formats/perfetto/wire/bundles.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <span>

#include "formats/perfetto/wire/fields.h"
#include "ingest/input/unpack/decoders.h"

namespace cinderscope::perfetto {
namespace {

constexpr std::size_t kPieceBytes = 64u << 10;
using Piece = std::array<std::byte, kPieceBytes>;

Unpacked append_piece(std::span<const std::byte> piece, std::uint64_t& left, GrowingFile& out) {
  const bool fits = piece.size() <= left;
  if (!out.append(fits ? piece : piece.first(left))) return Unpacked::no_space;
  left -= fits ? piece.size() : left;
  return fits ? Unpacked::whole : Unpacked::too_long;
}

Unpacked inflate_bundle(std::string_view body, std::uint64_t left, GrowingFile& out) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return Unpacked::damaged;
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ends(&stream, inflateEnd);
  const auto piece = std::make_unique<Piece>();
  while (true) {
    if (stream.avail_in == 0) {
      const std::size_t some =
          std::min<std::size_t>(body.size(), std::numeric_limits<uInt>::max() / 2);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
      stream.avail_in = static_cast<uInt>(some);
      body.remove_prefix(some);
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece->data());
    stream.avail_out = static_cast<uInt>(piece->size());
    const int state = inflate(&stream, Z_NO_FLUSH);
    const std::span made = std::span(*piece).first(piece->size() - stream.avail_out);
    const Unpacked put = append_piece(made, left, out);
    if (put != Unpacked::whole) return put;
    if (state == Z_STREAM_END) return Unpacked::whole;
    if (state != Z_OK || (made.empty() && stream.avail_in == 0 && body.empty())) {
      return Unpacked::damaged;
    }
  }
}

Unpacked unzstd_bundle(std::string_view body, std::uint64_t left, GrowingFile& out) {
  const std::unique_ptr<Decoder> decoder = make_decoder(Packing::zstd);
  if (!decoder) return Unpacked::damaged;
  auto in = std::as_bytes(std::span(body));
  const auto piece = std::make_unique<Piece>();
  while (true) {
    const Decoder::Step step = decoder->step(in, *piece);
    in = in.subspan(step.consumed_bytes);
    const Unpacked put = append_piece(std::span(*piece).first(step.produced_bytes), left, out);
    if (put != Unpacked::whole) return put;
    if (step.state == Decoder::State::member_end) return Unpacked::whole;
    if (step.state == Decoder::State::damaged ||
        (step.consumed_bytes == 0 && step.produced_bytes == 0)) {
      return Unpacked::damaged;
    }
  }
}

}  // namespace

Unpacked unpack_bundle(std::uint32_t kind, std::string_view body, std::uint64_t most_bytes,
                       GrowingFile& out) {
  return kind == kZstdPackets ? unzstd_bundle(body, most_bytes, out)
                              : inflate_bundle(body, most_bytes, out);
}

CutBundle bundle_in_cut_packet(std::string_view bytes) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at != end) {
    std::uint64_t tag = 0, value = 0;
    if (!read_varint(at, end, tag)) return {};
    if (tag == bytes_field(kDeflatedPackets) || tag == bytes_field(kZstdPackets)) {
      if (!read_varint(at, end, value)) return {};
      const auto left = static_cast<std::uint64_t>(end - at);
      return {static_cast<std::uint32_t>(tag >> 3),
              {at, static_cast<std::size_t>(std::min(value, left))}};
    }
    // Before a bundle there are only numbers, if anything.
    if ((tag & 7) != 0 || !read_varint(at, end, value)) return {};
  }
  return {};
}

}  // namespace cinderscope::perfetto
