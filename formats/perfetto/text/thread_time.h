// The CPU time of a slice, where the events of its thread tell the thread's time: what was added
// between its begin and its end, summed up when somebody asks.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/perfetto/state/interned.h"
#include "formats/perfetto/survey.h"

namespace cinderscope::perfetto {

using EpochsOfSequences = std::unordered_map<std::uint32_t, std::vector<Epoch>>;

// In nanoseconds. `begin` is the packet of the slice's begin. None where nothing is told, or the
// end lies too far away to look for it: more than some MB of packets. Any thread.
std::optional<std::int64_t> thread_time_of(const Packet& begin, const Survey& survey,
                                           const EpochsOfSequences& epochs);

// The epoch that the packet lies in; null if it is none's.
const Epoch* epoch_of(const Packet& packet, const EpochsOfSequences& epochs);

}  // namespace cinderscope::perfetto
