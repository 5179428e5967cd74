// What may be odd or wrong about a thread stream, counted cheaply while records are read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ingest/base/diagnostics.h"

namespace cinderscope::thread_stream {

enum class Oddity : std::uint8_t {
  truncated,
  header_damaged,
  bad_chunk,
  data_damaged,
  unknown_chunk,
  duplicate_chunk,
  bad_entry,
  unknown_entry,
  duplicate_id,
  bad_clock,
  clock_disagrees,
  no_clock,
  clock_back,
  clamped_time,
  unknown_record,
  bad_record,
  stray_attachment,
  torn,
  lost,
  stray_end,
  unwound,
  stray_async_end,
  stray_flow,
  unknown_name,
  unknown_thread,
  names_mismatch,
  not_finished,
  kinds,  // how many there are
};

// A count and the smallest offset of each. Records come by the hundred million, so that a case must
// cost no more than an addition.
class OddityCounts {
 public:
  void count(Oddity what, std::uint64_t at, std::uint64_t cases = 1) {
    count(what, static_cast<std::int64_t>(at), cases);
  }
  void count(Oddity what, std::int64_t at = kNoOffset, std::uint64_t cases = 1) {
    Cases& known = cases_[static_cast<std::size_t>(what)];
    known.count += cases;
    if (at != kNoOffset && (known.first_at == kNoOffset || at < known.first_at)) {
      known.first_at = at;
    }
  }
  void add(const OddityCounts& other) {
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      count(static_cast<Oddity>(i), other.cases_[i].first_at, other.cases_[i].count);
    }
  }
  std::uint64_t of(Oddity what) const { return cases_[static_cast<std::size_t>(what)].count; }
  std::int64_t first_at(Oddity what) const {
    return cases_[static_cast<std::size_t>(what)].first_at;
  }
  // Offsets in another file mean nothing in the trace.
  void report(Diagnostics& to, bool with_offsets = true) const;

 private:
  struct Cases {
    std::uint64_t count = 0;
    std::int64_t first_at = kNoOffset;
  };
  std::array<Cases, static_cast<std::size_t>(Oddity::kinds)> cases_{};
};

const DiagnosticKind& kind_of(Oddity what);

}  // namespace cinderscope::thread_stream
