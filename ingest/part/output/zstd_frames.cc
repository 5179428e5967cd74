#include "ingest/part/output/zstd_frames.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "ingest/input/ordered_windows.h"

namespace cinderscope {
namespace {

constexpr std::uint64_t kFrameBytes = 4u << 20;
constexpr int kLevel = 3;
constexpr std::uint32_t kSkippableMagic = 0x184d2a5e, kSeekableMagic = 0x8f92eab1;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
using Context = std::unique_ptr<ZSTD_CCtx, FreeContext>;

Context new_context() {
  Context context(ZSTD_createCCtx());
  if (context) {
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  }
  return context;
}

struct Frame {
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
};
struct Packed {
  std::vector<std::byte> bytes;
  std::string trouble;
};

// One worker's memory, used again for each frame.
struct Worker {
  Context context = new_context();
  std::vector<std::byte> plain;

  Packed pack(const FramesInput& input, const Frame& frame) {
    Packed packed;
    plain.resize(frame.bytes);
    std::error_code error;
    if (input.read(frame.offset, plain, error) != frame.bytes) {
      packed.trouble = error ? error.message() : "it became shorter meanwhile";
      return packed;
    }
    if (!context) return packed.trouble = "there is no memory", packed;
    packed.bytes.resize(ZSTD_compressBound(frame.bytes));
    const std::size_t size = ZSTD_compress2(context.get(), packed.bytes.data(), packed.bytes.size(),
                                            plain.data(), plain.size());
    if (ZSTD_isError(size) != 0) return packed.trouble = ZSTD_getErrorName(size), packed;
    packed.bytes.resize(size);
    packed.bytes.shrink_to_fit();
    return packed;
  }
};

void put32(std::vector<std::byte>& out, std::uint64_t value) {
  for (int i = 0; i < 4; ++i, value >>= 8) out.push_back(static_cast<std::byte>(value & 0xff));
}

std::vector<std::byte> seek_table(const std::vector<std::pair<std::size_t, std::size_t>>& frames) {
  std::vector<std::byte> out;
  put32(out, kSkippableMagic);
  put32(out, frames.size() * 8 + 9);
  for (const auto& [packed, plain] : frames) {
    put32(out, packed);
    put32(out, plain);
  }
  put32(out, frames.size());
  out.push_back(std::byte{0});  // without checksums: the frames have them
  put32(out, kSeekableMagic);
  return out;
}

}  // namespace

std::uint64_t most_packed_bytes(std::uint64_t bytes) {
  const std::uint64_t frames = bytes / kFrameBytes + 1;
  return frames * (ZSTD_compressBound(kFrameBytes) + 8) + 17;
}

Status pack_in_frames(const FramesInput& input, unsigned jobs,
                      const std::function<bool(std::span<const std::byte>, std::uint64_t)>& sink) {
  std::vector<Worker> workers(std::max(1u, jobs));
  std::vector<std::pair<std::size_t, std::size_t>> frames;
  std::uint64_t at = 0;
  bool first = true;
  std::string trouble;
  bool stopped = false;
  for_windows_in_order<Frame, Packed>(
      std::max(1u, jobs),
      [&]() -> std::optional<Frame> {
        if (at == input.bytes && !first) return std::nullopt;
        first = false;  // nothing at all is a frame, too
        const Frame frame{at, static_cast<std::size_t>(std::min(kFrameBytes, input.bytes - at))};
        at += frame.bytes;
        return frame;
      },
      [&](unsigned worker, const Frame& frame) { return workers[worker].pack(input, frame); },
      [&](const Frame& frame, Packed packed) {
        trouble = std::move(packed.trouble);
        if (!trouble.empty()) return false;
        frames.emplace_back(packed.bytes.size(), frame.bytes);
        stopped = !sink(packed.bytes, frame.offset + frame.bytes);
        return !stopped;
      },
      [] {});
  if (!trouble.empty()) {
    return Error{ErrorCode::cannot_read, fmt::format("Packing failed: {}.", trouble), {}};
  }
  if (!stopped) stopped = !sink(seek_table(frames), input.bytes);
  if (stopped) return Error{ErrorCode::cancelled, "Packing was cancelled.", {}};
  return ok();
}

std::uint64_t estimated_packed_bytes(const FramesInput& input) {
  constexpr std::uint64_t kSampleBytes = 256u << 10, kSamples = 8;
  Worker worker;
  std::uint64_t plain = 0, packed = 0;
  const std::uint64_t step = std::max(input.bytes / kSamples, kSampleBytes);
  for (std::uint64_t at = 0; at < input.bytes; at += step) {
    const auto bytes = static_cast<std::size_t>(std::min(kSampleBytes, input.bytes - at));
    packed += worker.pack(input, {at, bytes}).bytes.size();
    plain += bytes;
  }
  if (plain == 0) return 0;
  return static_cast<std::uint64_t>(static_cast<double>(input.bytes) *
                                    (static_cast<double>(packed) / static_cast<double>(plain)));
}

}  // namespace cinderscope
