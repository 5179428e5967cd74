#include "ingest/part/output/stream_packer.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace cinderscope {
namespace {

constexpr std::size_t kStepBytes = std::size_t{1} << 16;

class GzipPacker final : public StreamPacker {
 public:
  GzipPacker() {
    constexpr int kGzip = 15 + 16;  // the largest window, with gzip's head
    constexpr int kMemory = 8, kLevel = 6;
    ok_ = deflateInit2(&state_, kLevel, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) == Z_OK;
    started_ = ok_;
  }
  ~GzipPacker() override {
    if (started_) deflateEnd(&state_);
  }

  bool add(std::string_view bytes, const Sink& sink) override {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    while (!bytes.empty() && ok_) {
      const std::string_view part = bytes.substr(0, kMost);
      state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
      state_.avail_in = static_cast<uInt>(part.size());
      run(Z_NO_FLUSH, sink);
      bytes.remove_prefix(part.size());
    }
    return ok_;
  }
  bool finish(const Sink& sink) override {
    state_.avail_in = 0;
    if (ok_) run(Z_FINISH, sink);
    return ok_;
  }

 private:
  void run(int flush, const Sink& sink) {
    do {
      state_.next_out = reinterpret_cast<Bytef*>(out_.data());
      state_.avail_out = static_cast<uInt>(out_.size());
      const int status = deflate(&state_, flush);
      if (status == Z_STREAM_ERROR) {
        ok_ = false;
        return;
      }
      sink({out_.data(), out_.size() - state_.avail_out});
    } while (state_.avail_out == 0);
  }

  z_stream state_{};
  bool ok_ = false, started_ = false;
  std::array<char, kStepBytes> out_;
};

class ZstdPacker final : public StreamPacker {
 public:
  ZstdPacker() : state_(ZSTD_createCCtx()) {}
  ~ZstdPacker() override { ZSTD_freeCCtx(state_); }
  ZstdPacker(const ZstdPacker&) = delete;
  ZstdPacker& operator=(const ZstdPacker&) = delete;

  bool add(std::string_view bytes, const Sink& sink) override {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    while (in.pos < in.size && state_ != nullptr && !failed_) step(in, ZSTD_e_continue, sink);
    return state_ != nullptr && !failed_;
  }
  bool finish(const Sink& sink) override {
    ZSTD_inBuffer in{nullptr, 0, 0};
    std::size_t left = 1;
    while (left != 0 && state_ != nullptr && !failed_) left = step(in, ZSTD_e_end, sink);
    return state_ != nullptr && !failed_;
  }

 private:
  std::size_t step(ZSTD_inBuffer& in, ZSTD_EndDirective directive, const Sink& sink) {
    ZSTD_outBuffer out{out_.data(), out_.size(), 0};
    const std::size_t left = ZSTD_compressStream2(state_, &out, &in, directive);
    failed_ = ZSTD_isError(left) != 0;
    sink({out_.data(), out.pos});
    return left;
  }

  ZSTD_CCtx* state_;
  bool failed_ = false;
  std::array<char, kStepBytes> out_;
};

}  // namespace

std::unique_ptr<StreamPacker> stream_packer(OutputPacking packing) {
  if (packing == OutputPacking::gzip) return std::make_unique<GzipPacker>();
  if (packing == OutputPacking::zstd) return std::make_unique<ZstdPacker>();
  return nullptr;
}

}  // namespace cinderscope
