// What some trace sources can do beside what all do: tell statements that calls ran, and how much
// memory is theirs.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace cinderscope {

// A text that calls ran, e.g. an SQL statement, over all of them.
struct StatementTotal {
  std::string text;
  std::uint64_t count = 0;    // how often it was run
  std::int64_t total_ns = 0;  // of the calls that ran it
};

// A TraceSource may be one as well. All of it is asked after load(), on any thread.
class StatementSource {
 public:
  virtual ~StatementSource() = default;
  virtual bool has_statements() const = 0;
  // Like ones together. Reads all of the input that may hold some; ends early once cancelled.
  virtual std::vector<StatementTotal> statements(const std::atomic<bool>& cancelled) const = 0;
};

// A TraceSource that keeps more than a timeline and a mapped file.
class MemoryOwner {
 public:
  virtual ~MemoryOwner() = default;
  virtual std::uint64_t own_bytes() const = 0;
};

class TraceSource;
const StatementSource* statements_of(const TraceSource* source);  // null: it has none now
std::uint64_t own_bytes_of(const TraceSource* source);

}  // namespace cinderscope
