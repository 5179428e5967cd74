// Survivable problems of one load, counted by kind with the place of the first.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "ingest/base/diagnostic_kinds.h"
#include "ingest/base/result.h"

namespace cinderscope {

struct Diagnostic {
  std::uint64_t count = 0;
  std::int64_t first_offset = kNoOffset;  // smallest byte offset seen, or kNoOffset
  Severity severity = Severity::odd;
  std::string text;         // what happened and what was done about it, in the first case
  std::string advice;       // of its kind
  bool ends_early = false;  // of some case
};

class Diagnostics {
 public:
  using ByCode = std::map<std::string, Diagnostic, std::less<>>;

  // `text` stands for the sentence of the kind where that needs names or numbers.
  void count(const DiagnosticKind& kind, std::int64_t offset = kNoOffset,
             std::string_view text = {}, std::uint64_t cases = 1);

  // Adds those of an input of several: `label` leads each sentence, and from the second input on
  // its number stands behind each code.
  void merge(const Diagnostics& other, std::string_view label = {}, unsigned number = 1);
  void forget(std::string_view code, unsigned number = 1);

  // Adds what was counted under this code before.
  void add(std::string_view code, const Diagnostic& cases);

  const ByCode& by_code() const { return by_code_; }
  bool has(const DiagnosticKind& kind) const { return by_code_.contains(kind.code); }
  std::uint64_t total(Severity at_least = Severity::harmless) const;  // cases of all such codes
  // What was recorded goes on where reading had to end.
  bool ends_early() const;

 private:
  ByCode by_code_;
};

}  // namespace cinderscope
