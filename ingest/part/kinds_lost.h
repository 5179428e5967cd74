// What of a part a format loses that has slices of threads and samples alone.
#pragma once

#include "ingest/part/part_reader.h"

namespace cinderscope {

namespace loss {
inline constexpr LossKind kLabels{"labels", "label of a process", "labels of processes"};
inline constexpr LossKind kCalls{"calls", "call of a list", "calls of a list"};
inline constexpr LossKind kUnfinished{"unfinished", "unfinished slice", "unfinished slices",
                                      "{} got an end"};
}  // namespace loss

// Counts everything else: instants, counters, async slices, flows, lists of calls, pauses, the
// order and labels of their owners. Reads nothing.
void count_all_but_slices(const PartReader& part, LossReport& losses);

}  // namespace cinderscope
