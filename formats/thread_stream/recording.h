// What is kept of a loaded thread stream to tell about its records, and the names it has now.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/thread_stream/code_names.h"
#include "formats/thread_stream/names_file.h"
#include "formats/thread_stream/stream_load.h"
#include "formats/thread_stream/tables.h"
#include "ingest/model/string_pool.h"

namespace cinderscope::thread_stream {

struct Recording {
  FileHeader header;
  WalkedChunks walked;
  Tables tables;
  StreamCounts counts;
  std::uint64_t used_streams = 0;
  bool has_module_files = false;          // some that were mapped are on this disk
  OddityCounts odd;                       // of the trace alone
  std::vector<std::uint32_t> lz4_chunks;  // indices of those with records, by place
  std::vector<ChunkLink> links;           // by the first of both
  std::vector<ClockStep> clock_steps;     // by chunk and place
};

// What calls are named by; replaced as a whole.
struct Names {
  Names(const Recording& recording, std::optional<NamesFile> with)
      : file(std::move(with)),
        code(recording.tables, file && file->readable ? &file->tables : nullptr,
             file && file->symbols_fit) {}
  Names(const Names&) = delete;  // `code` refers to `file`
  Names& operator=(const Names&) = delete;

  std::optional<NamesFile> file;
  CodeNames code;
  std::shared_ptr<const StringPool> pool;  // of the names of `called`
  std::vector<CalledCode> called;          // each once
  std::uint64_t unnamed_addresses = 0, unnamed_methods = 0;

  void count_unnamed();  // by `called`
};

}  // namespace cinderscope::thread_stream
