// Reads an event straight from its text where it is written in the usual way; the fast path.
#pragma once

#include <array>
#include <cstdint>

#include "formats/google_json/event_walker.h"
#include "formats/google_json/text/known_text.h"

namespace cinderscope::google_json {

// An event longer than this is left to the walker.
inline constexpr std::uint64_t kScanBytes = 64u << 10;

// A writer writes each event the same way, and that is remembered. What was read before changes how
// fast it is, never what it says. One thread.
class EventScanner {
 public:
  // Reads the event whose `{` is at `text[0]`; positions in `out` are relative to `text`,
  // `end_token` is not set. `size` bytes, at most kScanBytes, are the event's to use, and 64 more
  // are readable. False where the walker has to look: at damage, at the end of the bytes, and at
  // what is legal but rare (escaped keys, values more than 64 levels deep). Where it is true, the
  // walker would find the same.
  bool scan(const char* text, std::uint32_t size, RawEvent& out);

 private:
  // By the phase, once that was read, as each has keys of its own. Phases that share a place only
  // cost each other time.
  static constexpr unsigned kPhases = 64, kFirst = kKeyCount, kMembers = 8;
  struct KnownOfPhase {
    std::array<KnownText, kKeyCount + 1> keys;  // by the value before; kFirst: none
    std::array<KnownText, kMembers> members;    // of args, by their place
  };

  std::array<KnownOfPhase, kPhases> known_;
};

}  // namespace cinderscope::google_json
