// Reads an event straight from its text where it is written in the usual way; the fast path.
#pragma once

#include <cstdint>

#include "formats/google_json/event_walker.h"

namespace cinderscope::google_json {

// An event longer than this is left to the walker.
inline constexpr std::uint64_t kScanBytes = 64u << 10;

// Reads the event whose `{` is at `text[0]`; positions in `out` are relative to `text`, `end_token`
// is not set. `size` bytes, at most kScanBytes, are the event's to use, and 64 more are readable.
// False where the walker has to look: at damage, at the end of the bytes, and at what is legal but
// rare (escaped keys, values more than 64 levels deep). Where it is true, the walker would find the
// same.
bool scan_event(const char* text, std::uint32_t size, RawEvent& out);

}  // namespace cinderscope::google_json
