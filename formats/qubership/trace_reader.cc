#include "formats/qubership/trace_reader.h"

#include "ingest/base/saturating.h"

namespace cinderscope::qubership {

TraceEvent event_at(std::span<const std::byte> file, std::uint64_t at) {
  BlockReader events(file, 0, 0);
  events.jump(at);
  TraceEvent event;
  return events.next(event) ? event : TraceEvent{.kind = EventKind::exit};
}

std::optional<std::uint64_t> next_block_after(std::span<const std::byte> file, std::uint64_t from,
                                              std::int64_t real_ms) {
  constexpr std::int64_t kNearMs = std::int64_t{30} * 86'400'000;
  constexpr std::uint8_t kEndMark = 3;
  for (std::uint64_t at = from + 1; at + kBlockHeaderBytes < file.size(); ++at) {
    const auto byte = [&](std::uint64_t i) {
      return std::to_integer<std::uint8_t>(file[static_cast<std::size_t>(i)]);
    };
    if (byte(at - 1) != kEndMark || byte(at) != 0 || byte(at + 1) != 0) continue;
    WireCursor in(file, at);
    const std::int64_t thread_id = in.i64(), time_ms = in.i64();
    const std::int64_t apart_ms = saturating_difference(time_ms, real_ms);
    const bool near = apart_ms > -kNearMs && apart_ms < kNearMs;
    if (near && thread_id > 0 && thread_id <= UINT32_MAX) return at;
  }
  return std::nullopt;
}

}  // namespace cinderscope::qubership
