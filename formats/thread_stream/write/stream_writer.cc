#include "formats/thread_stream/write/stream_writer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "formats/thread_stream/write/bytes.h"
#include "formats/thread_stream/write/chunk_header.h"

namespace cinderscope::thread_stream {
namespace {

// As much as a recorder's chunks hold.
constexpr std::size_t kChunkBytes = 256 << 10;
constexpr std::uint64_t kMostStep = (std::uint64_t{1} << 61) - 1;
// How records of the packed form begin.
constexpr unsigned kFormEnter = 1, kFormExit = 2, kFormInstant = 4, kFormOther = 5;

}  // namespace

void PackedStream::timed(std::uint64_t tick, unsigned form) {
  if (!has_tick_) {
    first_tick_ = last_tick_ = tick;
    has_tick_ = true;
  }
  tick = std::max(tick, last_tick_);
  if (payload_.size() >= kChunkBytes || (count_ > 0 && tick - last_tick_ > kMostStep)) write();
  if (count_ == 0) chunk_first_tick_ = last_tick_ = tick;
  append_leb(payload_, (tick - last_tick_) << 3 | form);
  last_tick_ = tick;
  ++count_;
}

void PackedStream::enter(std::uint64_t tick, std::uint32_t site) {
  timed(tick, kFormEnter);
  append_leb(payload_, site);
}

void PackedStream::exit(std::uint64_t tick) {
  timed(tick, kFormExit);
}

void PackedStream::instant(std::uint64_t tick, std::uint32_t site) {
  timed(tick, kFormInstant);
  append_leb(payload_, site);
}

void PackedStream::valued(std::uint64_t tick, std::uint16_t kind, std::uint32_t site,
                          std::uint16_t aux, std::uint64_t value) {
  timed(tick, kFormOther);
  append_leb(payload_, kind);
  append_leb(payload_, site);
  append_leb(payload_, aux);
  attach(value, 0, 0, kind::kValue);
}

void PackedStream::argument(std::uint32_t key, ArgType type, std::string_view bytes) {
  attach_bytes(bytes, key | static_cast<std::uint32_t>(type) << kArgKeyBits, kind::kArg);
}

void PackedStream::stack(std::string_view entries) {
  attach_bytes(entries, kJavaStack, kind::kStack);
}

void PackedStream::attach(std::uint64_t data, std::uint32_t site, std::uint16_t aux,
                          std::uint16_t kind) {
  payload_ += '\0';
  append_value(payload_, data);
  append_value(payload_, site);
  append_value(payload_, aux);
  append_value(payload_, kind);
  ++count_;
}

void PackedStream::attach_bytes(std::string_view bytes, std::uint32_t site, std::uint16_t kind) {
  std::uint64_t first = 0;
  const std::size_t in_first = std::min<std::size_t>(bytes.size(), kFirstValueBytes);
  std::memcpy(&first, bytes.data(), in_first);
  attach(first, site, static_cast<std::uint16_t>(bytes.size()), kind);
  bytes.remove_prefix(in_first);
  while (!bytes.empty()) {
    std::array<char, kContBytes> more{};
    const std::size_t taken = std::min<std::size_t>(bytes.size(), kContBytes);
    std::memcpy(more.data(), bytes.data(), taken);
    payload_ += '\0';
    payload_.append(more.data(), more.size());
    append_value(payload_, kind::kCont);
    ++count_;
    bytes.remove_prefix(taken);
  }
}

void PackedStream::write() {
  if (count_ == 0) return;
  out_.append(whole_chunk({.kind = kPackedChunk,
                           .stream = number_,
                           .sequence = sequence_++,
                           .count = count_,
                           .ordinal = ordinal_,
                           .first_tick = chunk_first_tick_,
                           .last_tick = last_tick_},
                          payload_));
  ordinal_ += count_;
  count_ = 0;
  payload_.clear();
}

}  // namespace cinderscope::thread_stream
