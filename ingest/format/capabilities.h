// What some trace sources can do beside being read. A source hands each of them out, or null; names
// in a file of their own are in symbols.h, the survey of what stayed on disk in name_index.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/model/ids.h"

namespace cinderscope {

class FieldReader;
class FieldWriter;
class LoadContext;
class StringPool;

// A file beside the trace that lets it open faster.
class IndexFile {
 public:
  virtual ~IndexFile() = default;
  // After load(): the trace has a place where such a file could lie.
  virtual bool can_write() const = 0;
  // After load(): there is such a place, and the file is missing, cut or wrong.
  virtual bool is_wanted() const = 0;
  // Writes it anew and returns its path. Of a source that nobody else uses; needs no load() before.
  virtual Result<std::string> write(LoadContext& context) const = 0;
};

struct TreeRequest {
  std::uint64_t depth = 0;                          // deepest level; 0 for all
  std::string thread;                               // id or name; empty for all
  std::int64_t begin = INT64_MIN, end = INT64_MAX;  // only what happens in this range
  bool verbose = false;                             // with places in the source code
  bool tidy = false;  // without what compilers and tools added, as far as the format's tools can
};
using TreeSink = std::function<bool(std::string_view lines)>;  // false: wants no more

// The calls as the tools print them that recorded the trace.
class TreeText {
 public:
  virtual ~TreeText() = default;
  // Of a source that nobody else uses; needs no load() before.
  virtual Status print(const TreeRequest& request, const TreeSink& write, LoadContext& context) = 0;
};

// A text that calls ran, e.g. an SQL statement, over all of them.
struct StatementTotal {
  std::string text;
  std::uint64_t count = 0;    // how often it was run
  std::int64_t total_ns = 0;  // of the calls that ran it
};

class Statements {
 public:
  virtual ~Statements() = default;
  // Equal texts together. After load(), on any thread. Reads all of the input that may hold some;
  // ends early once cancelled.
  virtual std::vector<StatementTotal> totals(const std::atomic<bool>& cancelled) const = 0;
};

// Numbers that a recorder summed up of whole calls, each a slice on a track of calls.
class CallFacts {
 public:
  struct Column {
    std::string_view name, help;
    bool is_duration = false;
  };
  virtual ~CallFacts() = default;
  virtual std::span<const Column> columns() const = 0;
  // One for each column, of the slice with this record; empty: nothing is known. After load(), any
  // thread.
  virtual std::vector<std::int64_t> facts_of(RecordOffset record) const = 0;
};

// What files with symbols are looked for, and where the names go.
struct SymbolRequest {
  std::string names_path;  // a file with names; empty: the one beside the trace
  std::string copy_path;   // not empty: a copy of the trace that has the names in itself
  // Takes what would be written to one of these, piece by piece.
  std::function<bool(std::string_view bytes)> sink;
  std::vector<std::string> debug_folders;  // beside the usual ones
  std::string root;                        // paths of the recorded program lie below it
  std::vector<std::pair<std::string, std::string>> module_files;  // by name or path
  bool debuginfod = false;
  bool replace = false;  // a file that exists, but for the one beside the trace
  std::function<void(std::size_t done, std::size_t modules)> progress;  // any thread
};

struct SymbolReport {
  struct Module {
    std::string path, file;  // as recorded; that was read, if another
    std::uint64_t addresses = 0, named = 0;
    bool debug_info = false;
    std::string reason;  // why some have no name
  };
  std::vector<Module> modules;
  std::uint64_t outside = 0;  // addresses in no module
  bool cut = false;           // there were too many addresses
  std::string written;        // path; empty: nothing could be named
};

// Native functions that a trace knows by address: their names are in the files they come from.
class NativeSymbols {
 public:
  virtual ~NativeSymbols() = default;
  virtual bool can_read() const = 0;  // false: what reads symbols was not built in
  // After load(): there are addresses, none of them has a symbol yet, and files are there to ask.
  virtual bool wanted() const = 0;
  // Names what it can and writes that. Any thread, but not while the source loads.
  virtual Result<SymbolReport> write(const SymbolRequest& request, LoadContext& context) const = 0;
};

// The other threads of the recording that a file holds one thread of.
class Siblings {
 public:
  virtual ~Siblings() = default;
  // How many threads the recording has, this one included. Any thread but the UI's: reads a folder.
  virtual std::size_t thread_count() const = 0;
  virtual std::string recording_path() const = 0;  // opens all of them as one trace
};

// What a load finds out beside the timeline, so that a source of the same bytes can do without one:
// a prepared copy of the trace keeps it.
class LoadedState {
 public:
  virtual ~LoadedState() = default;
  // Raised whenever a load makes something else of the same bytes.
  virtual std::uint32_t reader_version() const = 0;
  // After load().
  virtual void save(FieldWriter& out) const = 0;
  // Instead of load(), on the loader thread; `names` are those of the timeline. False: it was not
  // written by save() of this version.
  virtual bool restore(FieldReader& in, const std::shared_ptr<const StringPool>& names) = 0;
};

}  // namespace cinderscope
