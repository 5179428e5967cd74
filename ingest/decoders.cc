#include "ingest/decoders.h"

#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

namespace cinderscope {
namespace {

class GzipDecoder : public Decoder {
 public:
  // 15: the largest window; + 16: a gzip header and trailer, which are checked.
  GzipDecoder() : ok_(inflateInit2(&stream_, 15 + 16) == Z_OK) {}
  ~GzipDecoder() override {
    if (ok_) inflateEnd(&stream_);
  }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;
  bool ok() const { return ok_; }

  Step step(std::span<const std::byte> in, std::span<std::byte> out) override {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    const auto in_bytes = static_cast<uInt>(std::min(in.size(), kMost));
    const auto out_bytes = static_cast<uInt>(std::min(out.size(), kMost));
    stream_.next_in = reinterpret_cast<z_const Bytef*>(const_cast<std::byte*>(in.data()));
    stream_.avail_in = in_bytes;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = out_bytes;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    Step step{in_bytes - stream_.avail_in, out_bytes - stream_.avail_out, State::more, {}};
    if (status == Z_STREAM_END) {
      step.state = State::member_end;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      step.state = State::damaged;
      step.problem = stream_.msg != nullptr ? stream_.msg : zError(status);
    }
    return step;
  }

 private:
  z_stream stream_{};
  bool ok_;
};

class ZstdDecoder : public Decoder {
 public:
  ~ZstdDecoder() override { ZSTD_freeDStream(stream_); }
  ZstdDecoder() = default;
  ZstdDecoder(const ZstdDecoder&) = delete;
  ZstdDecoder& operator=(const ZstdDecoder&) = delete;
  bool ok() const { return stream_ != nullptr; }

  Step step(std::span<const std::byte> in, std::span<std::byte> out) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t hint = ZSTD_decompressStream(stream_, &to, &from);
    Step step{from.pos, to.pos, State::more, {}};
    if (ZSTD_isError(hint) != 0) {
      step.state = State::damaged;
      step.problem = ZSTD_getErrorName(hint);
    } else if (hint == 0) {
      step.state = State::member_end;
    }
    return step;
  }

 private:
  ZSTD_DStream* stream_ = ZSTD_createDStream();
};

class Lz4Decoder : public Decoder {
 public:
  Lz4Decoder() : ok_(LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) == 0) {}
  ~Lz4Decoder() override { LZ4F_freeDecompressionContext(context_); }
  Lz4Decoder(const Lz4Decoder&) = delete;
  Lz4Decoder& operator=(const Lz4Decoder&) = delete;
  bool ok() const { return ok_; }

  Step step(std::span<const std::byte> in, std::span<std::byte> out) override {
    std::size_t in_bytes = in.size();
    std::size_t out_bytes = out.size();
    const std::size_t hint =
        LZ4F_decompress(context_, out.data(), &out_bytes, in.data(), &in_bytes, nullptr);
    if (LZ4F_isError(hint) != 0) return {0, 0, State::damaged, LZ4F_getErrorName(hint)};
    return {in_bytes, out_bytes, hint == 0 ? State::member_end : State::more, {}};
  }

 private:
  LZ4F_dctx* context_ = nullptr;
  bool ok_;
};

template <class T>
std::unique_ptr<Decoder> made() {
  auto decoder = std::make_unique<T>();
  if (!decoder->ok()) return nullptr;
  return decoder;
}

}  // namespace

Packing packing_of(std::span<const std::byte> start) {
  const auto byte = [&](std::size_t i) {
    return i < start.size() ? std::to_integer<unsigned>(start[i]) : 256u;
  };
  if (byte(0) == 0x1f && byte(1) == 0x8b && byte(2) == 8) return Packing::gzip;
  if (byte(0) == 0x28 && byte(1) == 0xb5 && byte(2) == 0x2f && byte(3) == 0xfd) {
    return Packing::zstd;
  }
  if (byte(0) == 0x04 && byte(1) == 0x22 && byte(2) == 0x4d && byte(3) == 0x18) return Packing::lz4;
  if ((byte(0) & ~15u) == 0x50 && byte(1) == 0x2a && byte(2) == 0x4d && byte(3) == 0x18) {
    return Packing::skippable;
  }
  return Packing::none;
}

bool may_be_packed(std::byte first) {
  return first == std::byte{0x1f} || first == std::byte{0x28} || first == std::byte{0x04} ||
         (first & std::byte{0xf0}) == std::byte{0x50};
}

std::unique_ptr<Decoder> make_decoder(Packing packing) {
  switch (packing) {
    case Packing::gzip:
      return made<GzipDecoder>();
    case Packing::zstd:
      return made<ZstdDecoder>();
    case Packing::lz4:
      return made<Lz4Decoder>();
    case Packing::none:
    case Packing::skippable:
      break;
  }
  return nullptr;
}

}  // namespace cinderscope
