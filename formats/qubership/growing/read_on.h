// How far the last file of a stream was read, which may grow.
#pragma once

#include <cstdint>

namespace cinderscope::qubership {

// What follows a file's end.
enum class AtEnd : std::uint8_t {
  nothing,  // what is not complete at the end is cut off, and reported
  more,     // that is left until more has come
};

// Where to read on: before the first thing that was not complete.
struct ReadOn {
  std::uint64_t at = 0;       // in the file; 0: nothing of it was read
  std::int64_t time_ms = 0;   // of the last record, where times are told as distances
  std::uint32_t threads = 0;  // named so far, of calls
};

}  // namespace cinderscope::qubership
