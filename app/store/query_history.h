// Which queries were run on this machine: the last ones to go back to, and whether a text is known.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"

namespace cinderscope {

class QueryHistory {
 public:
  static constexpr std::size_t kMostRuns = 100, kMostKnown = 10'000;

  // The oldest first. A text that is run again moves to the end.
  const std::deque<std::string>& runs() const { return runs_; }
  void add(std::string_view text);
  // Exactly this text was run before; compared by SHA-256.
  bool knows(std::string_view text) const;
  // What another window has added since goes before.
  void merge(const QueryHistory& older);

  std::string json() const;
  static QueryHistory from_json(std::string_view text);  // what is damaged in it is left out

 private:
  void remember(std::string digest);
  void bound();

  std::deque<std::string> runs_;
  std::deque<std::string> known_;  // digests, the oldest first
};

// Reads and writes the file, under a lock.
QueryHistory read_query_history(const std::string& path);
Status add_to_query_history(const std::string& path, std::string_view text);

}  // namespace cinderscope
