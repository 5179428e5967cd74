// Writes what a trace has of one process as a thread stream file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "formats/thread_stream/write/stream_writer.h"
#include "formats/thread_stream/write/table_writer.h"
#include "formats/thread_stream/write/thread_ids.h"
#include "ingest/part/loss_report.h"
#include "ingest/part/part_reader.h"

namespace cinderscope::thread_stream {

// What all streams of a file share.
struct StreamFile {
  StreamFile(PartReader& of, OutputFile& file, LossReport& report);

  std::uint64_t tick(std::int64_t time) const {
    return time < base ? 0 : static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(base);
  }
  std::uint32_t next_stream() { return ++streams; }
  // Ends a stream and says what thread it is.
  void finish(PackedStream& stream, std::uint32_t number, std::string name, std::uint64_t tid,
              std::uint64_t last_tick = 0);

  PartReader& part;
  OutputFile& out;
  LossReport& losses;
  FileTables tables;
  ThreadIds tids;
  std::int64_t base = 0;  // the time of tick 0
  std::uint32_t streams = 0;
};

// The process with this index.
Status write_process(PartReader& part, std::size_t process, OutputFile& out, LossReport& losses);

// A file without anything.
void write_no_process(PartReader& part, OutputFile& out, LossReport& losses);

// -- its parts
// Threads: their calls with those that overlap in streams of their own, instants, points of flows.
Status write_threads(StreamFile& file, std::span<const PartTrack* const> threads);
// Instants of a whole process.
Status write_marks(StreamFile& file, const PartTrack& track);
// Asynchronous calls, lists of calls, pauses and counters of a process, as one stream. `thread` is
// one without anything of its own that takes it; null: it gets one if there is anything.
Status write_shared(StreamFile& file, std::size_t process, const PartTrack* thread);

std::string thread_name(const PartTrack& track);
Error cancelled_error();

}  // namespace cinderscope::thread_stream
