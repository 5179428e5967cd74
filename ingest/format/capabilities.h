// What some trace sources can do beside being read. A source hands each of them out, or null; names
// in a file of their own are in symbols.h, the survey of what stayed on disk in name_index.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"

namespace cinderscope {

class LoadContext;

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

// The other threads of the recording that a file holds one thread of.
class Siblings {
 public:
  virtual ~Siblings() = default;
  // How many threads the recording has, this one included. Any thread but the UI's: reads a folder.
  virtual std::size_t thread_count() const = 0;
  virtual std::string recording_path() const = 0;  // opens all of them as one trace
};

}  // namespace cinderscope
