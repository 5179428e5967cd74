// Survivable problems of one load, counted by kind with the place of the first.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "ingest/base/result.h"

namespace cinderscope {

struct Diagnostic {
  std::uint64_t count = 0;
  std::int64_t first_offset = kNoOffset;  // smallest byte offset seen, or kNoOffset
  std::string text;                       // what happened and what was done about it
};

// Keyed by code ("stray_end", "truncated", ...: shared vocabulary, see kDiagnosticTexts in the
// .cc).
class Diagnostics {
 public:
  // `text` replaces the standard sentence of `code` when the first case is counted.
  void count(std::string_view code, std::int64_t offset = kNoOffset, std::string_view text = {},
             std::uint64_t cases = 1);
  void merge(const Diagnostics& other);
  void forget(std::string_view code) { by_code_.erase(std::string(code)); }
  const std::map<std::string, Diagnostic>& by_code() const { return by_code_; }
  std::uint64_t total() const;  // all cases of all codes

 private:
  std::map<std::string, Diagnostic> by_code_;
};

}  // namespace cinderscope
