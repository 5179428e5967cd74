#include "formats/thread_stream/oddities.h"

namespace cinderscope::thread_stream {
namespace {

using enum Severity;

// In the order of Oddity.
constexpr std::array<DiagnosticKind, static_cast<std::size_t>(Oddity::kinds)> kKinds = {{
    {"truncated",
     damage,
     "The file ends inside a chunk: the recording or a copy was cut short. All that is whole is "
     "shown.",
     {},
     true},
    {"header_damaged", damage,
     "The file's header is damaged: process, clock and alignment were not taken from it."},
    {"bad_chunk", damage,
     "Where a chunk should begin there is none; reading went on at the next one."},
    {"data_damaged", damage,
     "The content of a chunk is damaged: what can be told to be wrong was left out."},
    {"unknown_chunk", harmless, "A chunk of a kind that a newer version has was left out."},
    {"duplicate_chunk", odd, "A chunk is there twice; the first one in the file was taken."},
    {"bad_entry", damage, "An entry of a table is damaged; the rest of its chunk was not read."},
    {"unknown_entry", harmless, "A table entry of a kind that a newer version has was left out."},
    {"duplicate_id", odd, "An id is defined twice with other content; the last one was taken."},
    {"bad_clock", odd, "A clock sample steps back and was left out."},
    {"clock_disagrees", odd,
     "Between two clock samples the counter ran more than 1 % faster or slower than on the whole; "
     "times there may be off."},
    {"no_clock", odd, "The file does not tell how long a tick is; it was taken as 1 ns."},
    {"clock_back", odd, "Times of a thread step back; they were moved up to the time before."},
    {"clamped_time", odd, "A time lies beyond 146 years from zero and was moved to that limit."},
    {"unknown_record", harmless, "A record of a kind that a newer version has was left out."},
    {"bad_record", damage, "A record lacks the data that belong to it and was left out."},
    {"stray_attachment", odd, "Data without the record they belong to were left out."},
    {"torn", lost, "A record was begun and never finished."},
    {"lost", lost,
     "Records are missing: overwritten, not recorded for want of room, or in a damaged part."},
    {"stray_end", odd, "An end had no open call to close and was left out."},
    {"unwound", harmless,
     "A call was left by an exception or a jump; it ends with the call that went on."},
    {"stray_async_end", odd, "An asynchronous end had no begin and was left out."},
    {"stray_flow", odd, "A step or end of a flow had no begin and was left out."},
    {"unknown_name", odd, "A record's site is not described; its number is shown."},
    {"unknown_thread", odd, "A thread is not described; its stream's number is shown."},
    {"names_mismatch", odd,
     "The file with names is of another recording or build, or is no such file; symbols were not "
     "taken from it, names of managed methods may be wrong."},
    {"not_finished", harmless,
     "The program did not end its recording (it was killed, or still runs); all that it wrote is "
     "shown."},
}};

}  // namespace

const DiagnosticKind& kind_of(Oddity what) {
  return kKinds[static_cast<std::size_t>(what)];
}

void OddityCounts::report(Diagnostics& to, bool with_offsets) const {
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    to.count(kKinds[i], with_offsets ? cases_[i].first_at : kNoOffset, {}, cases_[i].count);
  }
}

}  // namespace cinderscope::thread_stream
