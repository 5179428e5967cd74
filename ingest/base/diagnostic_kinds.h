// The table of what may be odd or wrong about a trace without ending its load: a row is a kind.
#pragma once

#include <cstdint>
#include <string_view>

namespace cinderscope {

enum class Severity : std::uint8_t {
  harmless,  // as the format allows, or as it was asked for
  odd,       // the trace contradicts itself; the sentence says what was made of it
  damage,    // some bytes cannot be read as what they should be
  lost,      // something that was recorded is missing, or could not be kept
};
std::string_view severity_name(Severity severity);

// Kinds may share a code where formats say the same by other words.
struct DiagnosticKind {
  std::string_view code;
  Severity severity;
  std::string_view text = {};    // what happened and what was done; empty: said with its numbers
  std::string_view advice = {};  // what the user can do about it; mostly nothing
  bool ends_early = false;       // what follows in the file, if anything, could not be read
};

namespace diagnostic {

using enum Severity;
using Kind = const DiagnosticKind;

// Nesting.
inline constexpr Kind kStrayEnd{"stray_end", odd,
                                "An end had no open slice to close and was left out."};
inline constexpr Kind kStrayExit{"stray_end", odd,
                                 "An exit had no call to leave and was left out."};
inline constexpr Kind kStrayAsyncEnd{"stray_async_end", odd,
                                     "An asynchronous end had no begin and was left out."};
inline constexpr Kind kUnfinished{"unfinished", odd,
                                  "A slice has no end; it is drawn to the end of its thread."};
inline constexpr Kind kOverlap{
    "overlap", odd, "A slice partly overlaps an earlier one; it is drawn on its own row."};
// Of a recording that begins and ends in the midst of things nearly every one has some.
inline constexpr Kind kIncompleteFlow{"incomplete_flow", harmless,
                                      "Flow arrows without both ends are not drawn."};
inline constexpr Kind kStrayTag{"stray_tag", odd};
inline constexpr Kind kMissingTree{
    "missing_tree", lost, "The traces do not hold the tree of a call; only the call is shown."};

// Times.
inline constexpr Kind kUnsorted{"unsorted", odd,
                                "Times of a thread step back; its events were sorted by time."};
inline constexpr Kind kUnsortedNumbers{
    "unsorted", odd, "The event numbers of a thread step back; its order in the file is kept."};
inline constexpr Kind kMissingTime{"missing_ts", odd,
                                   "An event has no usable time and was left out."};
inline constexpr Kind kMissingTs{"missing_ts", odd,
                                 "Events without a time (ts missing or no number) were skipped."};
inline constexpr Kind kClampedTime{
    "clamped_time", odd, "A time lies beyond 146 years from zero and was moved to that limit."};
inline constexpr Kind kClampedTs{"clamped_time", odd,
                                 "Times beyond 2^62 ns were moved to that limit."};
inline constexpr Kind kBadTime{
    "bad_time", damage, "A time is not a number; the latest time of its thread was taken instead."};
inline constexpr Kind kEarlyEvent{"early_event", odd};
inline constexpr Kind kNegativeDuration{"negative_duration", odd,
                                        "A duration is negative and was taken as 0."};
inline constexpr Kind kNegativeDur{"negative_duration", odd, "Negative durations were taken as 0."};
inline constexpr Kind kBadDuration{
    "bad_duration", damage,
    "Durations that are not numbers (NaN, Infinity, text) were taken as 0."};
inline constexpr Kind kBadUnit{"bad_unit", damage};
inline constexpr Kind kSuspiciousUnit{"suspicious_unit", odd};

// Events that are not drawn.
inline constexpr Kind kLeftOut{"left_out", harmless,
                               "A slice lies outside of what was asked for and was not loaded."};
inline constexpr Kind kFileLeftOut{"left_out", lost};
inline constexpr Kind kUnknownPhase{"unknown_phase", odd,
                                    "An event of an unknown kind was left out."};
inline constexpr Kind kMissingPhase{"missing_phase", odd,
                                    "Elements without a phase (ph) were skipped."};
inline constexpr Kind kNotAnEvent{"not_an_event", odd,
                                  "Elements that are not objects were skipped."};
inline constexpr Kind kObjectWithoutBegin{
    "object_without_begin", harmless,
    "An object's creation is not recorded; it is drawn from where it is first seen."};
inline constexpr Kind kMemoryDumps{"memory_dumps", harmless, "Memory dumps (v, V) are not drawn."};
inline constexpr Kind kClockSync{"clock_sync", harmless,
                                 "Clock synchronisation events (c) are not used."};
inline constexpr Kind kContextEvents{"context_events", harmless, "Context events are not drawn."};
inline constexpr Kind kSystemTrace{"system_trace", harmless,
                                   "The kernel's events (systemTraceEvents) are not drawn."};
inline constexpr Kind kEventTooLong{"event_too_long", lost,
                                    "Events longer than 256 MiB were skipped."};
inline constexpr Kind kBadCounterValue{"bad_counter", damage,
                                       "Counter values that are not numbers were left out."};
inline constexpr Kind kEmptyCounter{"bad_counter", damage,
                                    "Counter events without values were left out."};
inline constexpr Kind kBadMetadata{"bad_metadata", damage,
                                   "Names or sort indices without a usable value were left out."};

// Samples.
inline constexpr Kind kSampleWithoutStack{"sample_without_stack", harmless,
                                          "Samples without a stack are counted but not drawn."};
inline constexpr Kind kUnknownCall{"unknown_call", odd,
                                   "Samples of a call that is in no profile were skipped."};
inline constexpr Kind kMissingCaller{
    "missing_caller", odd, "Calls of a profile whose caller is not in it were taken as outermost."};
inline constexpr Kind kMissingParentFrame{
    "missing_caller", odd, "Stack frames whose parent is missing were taken as outermost."};
inline constexpr Kind kStackCycle{"stack_cycle", odd, "Calls that are their own callers were cut."};
inline constexpr Kind kSamplesCut{
    "samples_cut", lost,
    "There are more slices of samples than 100 million; the rest was left out."};
inline constexpr Kind kBadProfile{
    "bad_profile", damage,
    "A profile has not as many times as samples; those without were skipped."};
inline constexpr Kind kNegativeWeight{
    "negative_weight", odd,
    "Weights are negative, as in a difference of profiles; they are as wide as if they were not."};

// Names.
inline constexpr Kind kUnknownName{"unknown_name", odd};
inline constexpr Kind kUndescribedName{
    "unknown_name", odd,
    "A trace point names a method, field or variable that the trace does not describe; its number "
    "is shown."};
inline constexpr Kind kNameCacheSlot{
    "unknown_name", odd,
    "A slice names only a slot of the writer's name cache, whose content cannot be told; the slot "
    "is shown as its name."};
inline constexpr Kind kBadMapping{"bad_mapping", damage,
                                  "A line of the mapping does not end in an id and was left out."};
inline constexpr Kind kDuplicateId{"duplicate_id", odd,
                                   "The mapping gives an id two methods; the first was taken."};
inline constexpr Kind kDuplicateName{"duplicate_name", odd,
                                     "The mapping gives a method two ids; the number was added."};

// The end of the trace.
inline constexpr Kind kTruncated{
    "truncated",
    damage,
    "The input ends in the middle of an event; that event was left out.",
    {},
    true};
inline constexpr Kind kTruncatedEvent{
    "truncated", damage, "The input ends inside an event; that event was dropped.", {}, true};
inline constexpr Kind kTruncatedBrackets{
    "truncated",
    damage,
    "The input ends before its closing brackets; all events before its end were read.",
    {},
    true};
inline constexpr Kind kTruncatedBufferHead{
    "truncated", damage, "The file ends within the header of a buffer.", {}, true};
inline constexpr Kind kTruncatedBlock{
    "truncated",
    damage,
    "The data end inside a block: the recording or a copy was cut short. All that is complete is "
    "shown.",
    {},
    true};
inline constexpr Kind kTruncatedSession{
    "truncated", damage, "The session ends in the middle of a command.", {}, true};
inline constexpr Kind kNoClosingBracket{
    "no_closing_bracket", harmless,
    "The array of events has no closing bracket, as the format allows."};
inline constexpr Kind kNoEndMark{
    "no_end_mark", harmless,
    "The data have no end mark, as after a crash of the recorded program. All that was written is "
    "shown."};
inline constexpr Kind kTrailingText{
    "trailing_text", odd, "There is more text behind the end of the trace; it was not read."};

// Bytes that are not what they should be.
inline constexpr Kind kBadJsonEvent{"bad_json", damage,
                                    "Events that are not valid JSON were skipped."};
inline constexpr Kind kBadJsonBetween{"bad_json", damage, "Text between the events was skipped."};
inline constexpr Kind kBadJsonFromHere{
    "bad_json", damage, "The text from here on is not JSON and was not read.", {}, true};
inline constexpr Kind kBadJsonEventList{"bad_json", damage,
                                        "A traceEvents that is not an array was skipped."};
inline constexpr Kind kBadJsonLine{"bad_json", damage, "A line is not an event and was left out."};
inline constexpr Kind kBadBuffer{
    "bad_buffer", damage,
    "Where a buffer should begin there is none; the next place that looks like one was taken "
    "instead."};
inline constexpr Kind kRecordOverEnd{"bad_buffer", damage,
                                     "A record runs over the end of its buffer; it was left out."};
inline constexpr Kind kUnknownRecord{"unknown_record", damage};
inline constexpr Kind kUnreadableRecord{"unknown_record", damage, {}, {}, true};
inline constexpr Kind kUnknownFormat{"unknown_format", lost};
inline constexpr Kind kAmbiguousLayout{"ambiguous_layout", odd};
inline constexpr Kind kDataDamaged{"data_damaged", damage};
inline constexpr Kind kDamagedFromHere{"data_damaged", damage, {}, {}, true};
inline constexpr Kind kFileChanged{"data_damaged", damage, "The file changed while it was read."};
inline constexpr Kind kBytesAfterEnd{"data_damaged", damage,
                                     "Bytes follow the end of the session; they were left out."};
inline constexpr Kind kDamagedCompression{"damaged_compression", damage};
inline constexpr Kind kUnpackedInPart{"damaged_compression", damage, {}, {}, true};
inline constexpr Kind kDamagedArchive{
    "damaged_compression", damage,
    "The archive's directory is missing or damaged; what lies before it was unpacked."};
inline constexpr Kind kTruncatedCompression{
    "truncated_compression", damage, {}, "Copy the file again if it comes from elsewhere.", true};

// The system, and other files of the trace.
inline constexpr Kind kFileShrank{"file_shrank", lost, {}, "Open the file again.", true};
inline constexpr Kind kFileChangedOnDisk{
    "file_changed", lost,
    "The file was written to while it was read: what is shown may be neither the old nor the new "
    "trace.",
    "Open the file again."};
inline constexpr Kind kReadError{"read_error", lost};
inline constexpr Kind kDiskFull{
    "disk_full", lost, {}, "Free some space, or set TMPDIR to a folder that has more."};
inline constexpr Kind kFileLimit{
    "file_limit", lost, {}, "Raise the limit on the length of files (ulimit -f)."};
// These three end a load; see read_timeline().
inline constexpr Kind kDiskShare{
    "disk_share",
    lost,
    {},
    "Free some space, set TMPDIR to a folder that has more, or load all of it anyway "
    "(--beyond-memory)."};
inline constexpr Kind kAddressSpace{
    "address_space", lost, {}, "Raise the limit on the address space (ulimit -v)."};
inline constexpr Kind kMemoryShare{
    "memory_share", lost, {}, "Close other traces, or open the file unpacked."};
inline constexpr Kind kUnreadableFile{"unreadable_file", lost};
inline constexpr Kind kMissingFile{"missing_file", lost};
inline constexpr Kind kIndexRebuilt{"index_rebuilt", harmless};
// Only opening takes longer: the trace itself is whole.
inline constexpr Kind kIndexDamaged{"index_damaged", odd};

// What came over the collector's connection.
inline constexpr Kind kRefusedStream{"refused_stream", lost, "The collector refused a stream."};
inline constexpr Kind kUnknownStream{"unknown_stream", odd,
                                     "A stream of an unknown name was left out."};
inline constexpr Kind kUnknownHandle{
    "unknown_handle", odd, "Data came for a stream that is not open; they were left out."};

}  // namespace diagnostic
}  // namespace cinderscope
