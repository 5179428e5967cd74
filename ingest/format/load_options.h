// How a trace is to be loaded: threads, limits, names, which part, how often to show something.
#pragma once

#include <cstdint>
#include <string>

#include "ingest/build/load_filter.h"
#include "ingest/os/memory.h"

namespace cinderscope {

// For formats whose names lie in a file of their own.
struct SymbolOptions {
  std::string mapping_path;         // that file; empty: the one that lies beside the trace
  bool colours_by_package = false;  // of a method: equal within a package, else by its name
  bool operator==(const SymbolOptions&) const = default;
};

// When a load hands out a snapshot: the first after a while, the next ones whenever the bytes read
// have doubled, so that all snapshots together cost less than the load.
struct SnapshotRhythm {
  std::int64_t first_after_ms = 40;
};

struct LoadOptions {
  unsigned jobs = 0;                      // worker threads; 0 = one per core
  std::uint64_t window_bytes = 4u << 20;  // input handled at a time; tests go down to 64
  // Formats that can leave inner calls on disk do so for inputs larger than this.
  std::uint64_t lazy_above_bytes = std::uint64_t{1} << 30;
  SymbolOptions names;
  // What lengths are to stand for, of the source's list (ingest/model/measure/weights.h): a name or
  // a number. A source that does not have it takes its usual one.
  std::string weight;
  // Frames that a profile leaves out by patterns of its own are shown as well.
  bool dropped_frames = false;
  LoadFilter keep;
  // Load although it will probably not fit into memory, or unpacked takes most of the free disk.
  bool beyond_memory = false;
  // Own memory to stay below: what would not fit of columns goes to disk while a trace is loaded.
  // 0: once memory runs short.
  std::uint64_t memory_limit_bytes = 0;
  // Files that are still written will be read on (TraceSource::read_on()): keep what that needs.
  bool reads_on = false;
  // What is loaded will be written: keep where the ends of calls are recorded, too.
  bool for_writing = false;
  // Where prepared copies of traces lie (ingest/prepared): one that fits is taken instead of a
  // load. Empty: none is looked for.
  std::string prepared_folder;
  std::uint64_t (*free_memory)() = free_memory_bytes;  // tests have others
  std::uint64_t (*own_memory)() = own_memory_bytes;
  SnapshotRhythm snapshots;
};

}  // namespace cinderscope
