// Kinds of oddities of Perfetto's traces, and limits.
#pragma once

#include <cstdint>

#include "ingest/base/diagnostic_kinds.h"

namespace cinderscope::perfetto {

inline constexpr std::int64_t kMaxTimeNs = std::int64_t{1} << 62;

using enum Severity;
using Kind = const DiagnosticKind;

inline constexpr Kind kCutPacket{
    "truncated",
    damage,
    "The input ends in the middle of a packet; all before it is shown.",
    {},
    true};
inline constexpr Kind kNoPackets{
    "data_damaged", damage,
    "Bytes that are no packets were skipped. Times after them may be early until the next clock "
    "snapshot of their sequence."};
inline constexpr Kind kBadPacket{"bad_packet", damage,
                                 "Packets that cannot be decoded were left out."};
inline constexpr Kind kBadBundle{
    "bad_packet", damage, "A compressed bundle is damaged; what could be unpacked of it is shown."};
inline constexpr Kind kLongBundle{
    "bad_packet", lost,
    "A compressed bundle unpacks to more than a thousand times its size; the rest was left out."};
// Of sampled stacks; a file may name far more functions than it has bytes.
inline constexpr Kind kLongStacks{
    "samples_cut", lost,
    "Sampled stacks have far more functions than this trace has room for; what lies further in was "
    "left out."};
inline constexpr Kind kManyInlined{
    "symbols_cut", lost,
    "More than 256 functions are inlined at one address; the outermost ones were left out."};
inline constexpr Kind kManySymbols{
    "symbols_cut", lost,
    "Symbols of more than 4 million addresses: functions at the others are shown by address."};
inline constexpr Kind kNestedBundle{"bad_packet", odd, "Bundles within bundles were not unpacked."};
inline constexpr Kind kMissingState{
    "missing_state",
    lost,
    {},
    "Record with incremental_state_config { clear_period_ms } in the configuration, so that the "
    "state is sent again while a ring buffer overwrites its start."};
inline constexpr Kind kMissingInterned{
    "missing_interned", lost, "Names that the trace does not hold are shown as (no name) or #id."};
inline constexpr Kind kInternedRedefined{
    "interned_redefined", odd, "An interned id got a second meaning; the first one was kept."};
inline constexpr Kind kPacketLoss{"packet_loss", lost,
                                  "The recorder lost packets of a sequence before this one."};
inline constexpr Kind kDataLoss{"data_loss", lost};
inline constexpr Kind kLostEvents{"data_loss", lost,
                                  "The kernel lost events because its buffer was full."};
inline constexpr Kind kClockMissing{
    "clock_missing", odd,
    "The trace does not tell how a clock relates to the others: times of a sequence's own clock "
    "were left out, others taken as they are."};
inline constexpr Kind kMissingTime{"missing_ts", odd,
                                   "Events without a usable time were left out."};
inline constexpr Kind kUnsortedEvents{
    "unsorted", odd, "Events that come later than others of their track were sorted by time."};
inline constexpr Kind kBadTrack{"bad_track", damage,
                                "A track's descriptor is incomplete or contradicts another one."};
inline constexpr Kind kLostParent{"bad_track", damage,
                                  "A track's parent is not described; it is shown without one."};
inline constexpr Kind kBadCounter{
    "bad_counter", damage,
    "Counter values without a counter track, or without a value, were left out."};
inline constexpr Kind kBadAsyncId{"bad_async_id", damage,
                                  "Asynchronous events without an id were left out."};
inline constexpr Kind kBadPrint{
    "bad_print", damage, "Trace marks that are not written as they should be were left out."};
inline constexpr Kind kDuplicateBegin{
    "duplicate_begin", odd, "An asynchronous slice began again while it was open; ignored."};
inline constexpr Kind kNotShown{"not_shown", harmless};
inline constexpr Kind kUntypedEvent{"unknown_phase", odd,
                                    "Events without a type or of an unknown phase were left out."};

}  // namespace cinderscope::perfetto
