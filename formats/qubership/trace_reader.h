// Reads the blocks of a trace file: what each thread entered, left and noted, in order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "formats/qubership/qubership_wire.h"
#include "formats/qubership/wire_cursor.h"

namespace cinderscope::qubership {

struct TraceEvent {
  std::uint64_t at = 0;      // in the file
  std::int64_t time_ms = 0;  // Unix time
  EventKind kind{};
  std::uint32_t id = 0;  // of an enter the method, of a tag the parameter
  ValueKind value_kind{};
  WireText text;                       // of a tag that holds its value
  std::uint32_t file = 0, offset = 0;  // of a tag that refers to it
  bool refers() const { return value_kind == ValueKind::big || value_kind == ValueKind::shared; }
};

// The events of one block. Times are those of 32-bit arithmetic, so that they survive long uptimes.
class BlockReader {
 public:
  // `at` is the block's begin; times count from the file's epoch.
  BlockReader(std::span<const std::byte> file, std::int64_t epoch_ms, std::uint64_t at)
      : bytes_(file), in_(file, at) {
    thread_id_ = in_.i64();
    real_ms_ = in_.i64();
    clock_ms_ = static_cast<std::uint32_t>(epoch_ms) - static_cast<std::uint32_t>(real_ms_);
  }

  std::int64_t thread_id() const { return thread_id_; }
  std::int64_t real_ms() const { return real_ms_; }
  std::uint64_t at() const { return in_.at(); }  // behind the block once next() said so
  bool cut() const { return in_.cut(); }         // the file ends before the block does
  bool damaged() const { return damaged_; }      // a value of an unknown kind: where it ends?

  // Goes on at an event of the block, which counts its times from there.
  void jump(std::uint64_t at) { in_ = WireCursor(bytes_, at); }

  // False at the end of the block, or of what can be read of it.
  bool next(TraceEvent& event) {
    event.at = in_.at();
    const std::uint32_t head = in_.u8();
    event.kind = static_cast<EventKind>(head & 3);
    if (event.kind == EventKind::end_of_block || in_.cut()) return false;
    std::uint32_t delta_ms = head >> 2 & 31;
    if ((head & 0x80) != 0) delta_ms |= in_.varint32() << 5;
    clock_ms_ += delta_ms;
    const auto since_real = std::int64_t{static_cast<std::int32_t>(clock_ms_)};
    event.time_ms = static_cast<std::int64_t>(static_cast<std::uint64_t>(real_ms_) +
                                              static_cast<std::uint64_t>(since_real));
    if (event.kind != EventKind::exit) event.id = in_.varint32();
    if (event.kind == EventKind::tag && !read_value(event)) return false;
    return !in_.cut();
  }

 private:
  bool read_value(TraceEvent& event) {
    const std::uint8_t kind = in_.u8();
    damaged_ = kind > kMostValueKind;
    if (damaged_) return false;
    event.value_kind = static_cast<ValueKind>(kind);
    if (event.refers()) {
      event.file = in_.varint32();
      event.offset = in_.varint32();
    } else {
      event.text = in_.text();
    }
    return true;
  }

  std::span<const std::byte> bytes_;
  WireCursor in_;
  std::int64_t thread_id_ = 0, real_ms_ = 0;
  std::uint32_t clock_ms_ = 0;
  bool damaged_ = false;
};

// The event alone, without its time; an exit if there is none.
TraceEvent event_at(std::span<const std::byte> file, std::uint64_t at);

// After damage at `from`: where the next block seems to begin, told by an end mark, a small thread
// id and a time near `real_ms`. Looks on to the end of the file.
std::optional<std::uint64_t> next_block_after(std::span<const std::byte> file, std::uint64_t from,
                                              std::int64_t real_ms);

}  // namespace cinderscope::qubership
