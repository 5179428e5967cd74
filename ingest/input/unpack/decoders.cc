#include "ingest/input/unpack/decoders.h"

#ifdef CINDERSCOPE_ISAL
#include <isa-l.h>
#else
#include <zlib.h>
#endif
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "ingest/input/unpack/lz4_decoder.h"

namespace cinderscope {
namespace {

#ifdef CINDERSCOPE_ISAL

// ISA-L unpacks two to three times as fast as zlib.
class GzipDecoder : public Decoder {
 public:
  GzipDecoder() {
    isal_inflate_init(state_.get());
    state_->crc_flag = ISAL_GZIP;  // header and trailer are checked
  }
  bool ok() const { return true; }

  Step step(std::span<const std::byte> in, std::span<std::byte> out) override {
    constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
    const auto in_bytes = static_cast<std::uint32_t>(std::min(in.size(), kMost));
    const auto out_bytes = static_cast<std::uint32_t>(std::min(out.size(), kMost));
    state_->next_in = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(in.data()));
    state_->avail_in = in_bytes;
    state_->next_out = reinterpret_cast<std::uint8_t*>(out.data());
    state_->avail_out = out_bytes;
    const int status = isal_inflate(state_.get());
    // Where it meets damage it gives back whole bytes that it had kept, of earlier steps, too.
    const std::uint32_t left_bytes = std::min(state_->avail_in, in_bytes);
    Step step{in_bytes - left_bytes, out_bytes - state_->avail_out, State::more, {}};
    if (status < 0) {
      step.state = State::damaged;
      step.problem = problem_of(status);
    } else if (state_->block_state == ISAL_BLOCK_FINISH) {
      step.state = State::member_end;
    }
    return step;
  }
  std::size_t kept_bytes() const override { return sizeof(inflate_state); }

  // The state is plain data: its two pointers are set at each step.
  std::vector<std::byte> saved() const override {
    inflate_state state = *state_;
    state.next_in = nullptr;
    state.next_out = nullptr;
    std::vector<std::byte> saved(sizeof kVersion + sizeof state);
    std::memcpy(saved.data(), &kVersion, sizeof kVersion);
    std::memcpy(saved.data() + sizeof kVersion, &state, sizeof state);
    return saved;
  }
  bool restore(std::span<const std::byte> saved) {
    if (saved.size() != sizeof kVersion + sizeof(inflate_state)) return false;
    if (std::memcmp(saved.data(), &kVersion, sizeof kVersion) != 0) return false;
    std::memcpy(state_.get(), saved.data() + sizeof kVersion, sizeof(inflate_state));
    return true;
  }

 private:
  static constexpr std::uint32_t kVersion = ISAL_VERSION;  // another one's state may be another

  static std::string problem_of(int status) {
    switch (status) {
      case ISAL_INCORRECT_CHECKSUM:
        return "incorrect data check";
      case ISAL_INVALID_LOOKBACK:
        return "invalid distance too far back";
      case ISAL_INVALID_SYMBOL:
        return "invalid code";
      case ISAL_INVALID_BLOCK:
        return "invalid block";
      default:
        return "incorrect header";
    }
  }

  std::unique_ptr<inflate_state> state_ = std::make_unique<inflate_state>();
};

#else

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
  std::size_t kept_bytes() const override {
    return std::size_t{44} << 10;
  }  // as zlib's manual says

 private:
  z_stream stream_{};
  bool ok_;
};

#endif

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
  std::size_t kept_bytes() const override { return ZSTD_sizeof_DStream(stream_); }

 private:
  ZSTD_DStream* stream_ = ZSTD_createDStream();
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
      return make_lz4_decoder();
    case Packing::none:
    case Packing::skippable:
      break;
  }
  return nullptr;
}

std::unique_ptr<Decoder> resumed_decoder(Packing packing, std::span<const std::byte> saved) {
  if (packing == Packing::lz4) return resumed_lz4_decoder(saved);
#ifdef CINDERSCOPE_ISAL
  if (packing != Packing::gzip) return nullptr;
  auto decoder = std::make_unique<GzipDecoder>();
  if (decoder->restore(saved)) return decoder;
#endif
  return nullptr;
}

}  // namespace cinderscope
