#include "formats/qubership/call_records.h"

#include <utility>

#include "ingest/base/saturating.h"

namespace cinderscope::qubership {
namespace {

constexpr std::uint32_t kMostKept = 1000;  // parameters, values of each; writers stop at 100

// The writer cut these to 32 bits.
std::int64_t signed_32(std::int64_t value) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 31;
  return value >= kHalf && value < 2 * kHalf ? value - 2 * kHalf : value;
}

}  // namespace

CallReader::CallReader(std::span<const std::byte> bytes, const ReadOn& from)
    : bytes_(bytes), in_(bytes) {
  if (bytes.empty()) return;
  read_head();
  if (from.at == 0 || !known_format()) return;
  in_ = WireCursor(bytes, from.at);
  time_ms_ = from.time_ms;
  threads_ = from.threads;
}

void CallReader::read_head() {
  const std::int64_t first = in_.i64();
  const auto bits = static_cast<std::uint64_t>(first);
  time_ms_ = first;
  if (bits >> 32 != kCallsMagic) return;  // format 0: it was the time
  format_ = static_cast<std::uint32_t>(bits);
  if (known_format()) time_ms_ = in_.i64();
}

void CallReader::read_costs(CallRecord& record) {
  record.cpu_ms = record.wait_ms = record.memory_bytes = 0;
  record.file_read = record.file_written = record.net_read = record.net_written = 0;
  record.transactions = record.queue_ms = 0;
  if (format_ >= 2) {
    record.cpu_ms = signed_32(in_.varint64());
    record.wait_ms = signed_32(in_.varint64());
    record.memory_bytes = in_.varint64();
  }
  if (format_ >= 3) {
    record.file_read = in_.varint64();
    record.file_written = in_.varint64();
    record.net_read = in_.varint64();
    record.net_written = in_.varint64();
  }
  if (format_ >= 4) {
    record.transactions = in_.varint32();
    record.queue_ms = in_.varint32();
  }
}

bool CallReader::read(CallRecord& record, bool knows_thread, bool names_thread) {
  record.at = in_.at();
  record.start_ms = time_ms_ = saturating_sum(time_ms_, in_.zigzag32());
  record.method = in_.varint32();
  record.duration_ms = in_.varint32();
  record.enters = in_.varint32();
  record.thread = 0;
  record.names_thread = false;
  record.thread_name = {};
  record.logs_written = record.logs_generated = 0;
  if (format_ >= 1) {
    record.thread = in_.varint32();
    record.names_thread = knows_thread ? names_thread : record.thread == threads_;
    if (record.names_thread) record.thread_name = in_.text();
    record.logs_written = in_.varint32();
    record.logs_generated = record.logs_written + in_.varint32();
  }
  record.trace_file = in_.varint32();
  record.block_at = in_.varint32();
  record.event = in_.varint32();
  read_costs(record);
  record.parameters.clear();
  const std::uint32_t parameters = in_.varint32();
  for (std::uint32_t i = 0; i < parameters && !in_.cut(); ++i) {
    CallParameter parameter{.id = in_.varint32()};
    const std::uint32_t values = in_.varint32();
    for (std::uint32_t k = 0; k < values && !in_.cut(); ++k) {
      const WireText value = in_.text();
      if (k < kMostKept) parameter.values.push_back(value);
    }
    if (i < kMostKept) record.parameters.push_back(std::move(parameter));
  }
  if (in_.cut()) return false;
  threads_ += record.names_thread ? 1 : 0;
  return true;
}

bool CallReader::next(CallRecord& record) {
  if (!known_format() || in_.at_end()) return false;
  return read(record, false, false);
}

bool CallReader::read_at(std::uint64_t at, bool names_thread, CallRecord& record) {
  if (!known_format()) return false;
  in_ = WireCursor(bytes_, at);
  return !in_.at_end() && read(record, true, names_thread);
}

}  // namespace cinderscope::qubership
