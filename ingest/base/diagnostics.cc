#include "ingest/base/diagnostics.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cinderscope {

namespace {

// Sentences for codes that several writers share; a format gives its own text for its own codes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kDiagnosticTexts = {{
    {"stray_end", "An end had no open slice to close and was left out."},
    {"unfinished", "A slice has no end; it is drawn to the end of its thread."},
    {"overlap", "A slice partly overlaps an earlier one; it was moved to a free row below."},
    {"left_out", "A slice lies outside of what was asked for and was not loaded."},
    {"unsorted", "Times of a thread step back; its events were sorted by time."},
    {"truncated", "The input ends in the middle of an event; that event was left out."},
    {"missing_ts", "An event has no usable time and was left out."},
    {"negative_duration", "A duration is negative and was taken as 0."},
    {"bad_json", "Some text could not be read as an event and was skipped."},
    {"unknown_phase", "An event of an unknown kind was left out."},
    {"clamped_time", "A time lies beyond 146 years from zero and was moved to that limit."},
    {"stray_async_end", "An asynchronous end had no begin and was left out."},
    {"file_shrank", "The file became shorter while it was read; what is missing reads as empty."},
}};

}  // namespace

void Diagnostics::count(std::string_view code, std::int64_t offset, std::string_view text,
                        std::uint64_t cases) {
  if (cases == 0) return;
  auto found = by_code_.find(std::string(code));
  if (found == by_code_.end()) {
    if (text.empty()) {
      for (const auto& [known, sentence] : kDiagnosticTexts) {
        if (known == code) text = sentence;
      }
    }
    found = by_code_.emplace(std::string(code), Diagnostic{0, offset, std::string(text)}).first;
  }
  Diagnostic& diagnostic = found->second;
  diagnostic.count += cases;
  if (offset != kNoOffset &&
      (diagnostic.first_offset == kNoOffset || offset < diagnostic.first_offset)) {
    diagnostic.first_offset = offset;
    if (!text.empty()) diagnostic.text = text;  // so that text and offset are of the same case
  }
}

void Diagnostics::merge(const Diagnostics& other) {
  for (const auto& [code, diagnostic] : other.by_code_) {
    count(code, diagnostic.first_offset, diagnostic.text, diagnostic.count);
  }
}

std::uint64_t Diagnostics::total() const {
  std::uint64_t sum = 0;
  for (const auto& [code, diagnostic] : by_code_) sum += diagnostic.count;
  return sum;
}

}  // namespace cinderscope
