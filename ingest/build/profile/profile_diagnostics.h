// What may be wrong in profiles of any format, beside what diagnostic_kinds.h has.
#pragma once

#include "ingest/base/diagnostic_kinds.h"

namespace cinderscope::profile_diagnostic {

inline constexpr DiagnosticKind kCutProfile{
    "truncated",
    Severity::damage,
    "The profile ends, or is no longer readable, here; what is whole before is shown.",
    {},
    true};
inline constexpr DiagnosticKind kUnequalLists{
    "bad_profile", Severity::damage,
    "Lists of the profile that belong together are not equally long; what is over was left out."};
inline constexpr DiagnosticKind kMissingSampleTime{
    "missing_ts", Severity::odd, "Samples or markers without a usable time were left out."};
inline constexpr DiagnosticKind kUnsortedSamples{
    "unsorted", Severity::odd, "Samples of a thread step back in time; they were sorted."};

}  // namespace cinderscope::profile_diagnostic
