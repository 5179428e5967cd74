// The records of the calls list: what the agent summed up of a root call when it ended.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/qubership/growing/read_on.h"
#include "formats/qubership/stream_store.h"
#include "formats/qubership/wire_cursor.h"

namespace cinderscope::qubership {

struct CallParameter {
  std::uint32_t id = 0;
  std::vector<WireText> values;
};

struct CallRecord {
  std::uint64_t at = 0;  // in the file
  std::int64_t start_ms = 0;
  std::uint32_t method = 0, duration_ms = 0, enters = 0, thread = 0;
  bool names_thread = false;                           // the record is the first of its thread
  WireText thread_name;                                // where names_thread
  std::uint64_t logs_written = 0, logs_generated = 0;  // bytes
  // Where the root's enter is: an event of a block of a trace file.
  std::uint32_t trace_file = 0, block_at = 0, event = 0;
  std::int64_t cpu_ms = 0, wait_ms = 0, memory_bytes = 0;
  std::int64_t file_read = 0, file_written = 0, net_read = 0, net_written = 0;  // bytes
  std::uint32_t transactions = 0, queue_ms = 0;
  std::vector<CallParameter> parameters;
};

// Reads the records of one file from its first to its last. Values are views of `bytes`.
class CallReader {
 public:
  explicit CallReader(std::span<const std::byte> bytes, const ReadOn& from = {});

  // Newer formats than are known cannot be read: then there are no records.
  std::uint32_t format() const { return format_; }
  bool known_format() const { return format_ <= kNewestCallsFormat; }
  // False at the end or where the record is not complete, which `cut()` tells. `record` is reused.
  bool next(CallRecord& record);
  bool cut() const { return in_.cut(); }
  // Where the record that next() reads begins.
  ReadOn place() const { return {in_.at(), time_ms_, threads_}; }
  // The record at an offset known from before, alone: without its start.
  bool read_at(std::uint64_t at, bool names_thread, CallRecord& record);

 private:
  void read_head();
  bool read(CallRecord& record, bool knows_thread, bool names_thread);
  void read_costs(CallRecord& record);

  std::span<const std::byte> bytes_;
  WireCursor in_;
  std::uint32_t format_ = 0;
  std::int64_t time_ms_ = 0;
  std::uint32_t threads_ = 0;  // named so far
};

}  // namespace cinderscope::qubership
