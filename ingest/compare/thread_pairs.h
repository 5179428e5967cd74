// Which thread of one run is which of another: ids differ, names stay.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ingest/compare/measured_run.h"

namespace cinderscope {

struct ThreadPair {
  std::optional<std::uint32_t> a, b;  // in the runs' threads; one of them at least
};
// In order of A's threads, then those of B that are alone. First the pairs that are `given` (by
// hand; of threads that are there), then threads of the same process and thread name in order of
// their first calls, then those of the same thread name.
std::vector<ThreadPair> pair_threads(std::span<const RunThread> a, std::span<const RunThread> b,
                                     std::span<const ThreadPair> given = {});

}  // namespace cinderscope
