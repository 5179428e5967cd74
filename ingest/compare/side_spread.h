// What durations of calls say beyond sums: chance, and how steady they are within a recording.
#pragma once

#include <atomic>

#include "ingest/compare/compared_sides.h"

namespace cinderscope {

// Fill ComparedSides::chance and ::spread from what the runs kept; nothing where durations are
// still to come. Of no use once cancelled.
void find_chances(ComparedSides& sides, const std::atomic<bool>& cancelled);
void find_spreads(ComparedSides& sides, const std::atomic<bool>& cancelled);

}  // namespace cinderscope
