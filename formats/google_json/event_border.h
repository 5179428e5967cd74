// Where an event seems to begin, told by its bytes alone: to cut windows and to go on after damage.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/google_json/text/growing_text.h"

namespace cinderscope::google_json {

// Offset behind the value at `pos`, or nothing if the input ends inside it. Brackets are counted.
std::optional<std::uint64_t> skip_value(GrowingText& text, std::uint64_t pos);

// Offset of the first character at or behind `pos` that is no blank; the input's end if none is.
std::uint64_t skip_blanks(GrowingText& text, std::uint64_t pos);

// The first place in [from, until) where an event seems to begin: a `{` behind a comma, a
// bracket or a line feed, with a `ph` among its members. It may lie inside of another event's args
// or of a string.
std::optional<std::uint64_t> find_event(GrowingText& text, std::uint64_t from, std::uint64_t until);

// Where to go on after an event that begins at `event_begin` was found damaged at `error_at`:
// behind its closing bracket or at the next place behind the damage where an event seems to begin,
// whichever comes first; nothing if the input ends before. Linear in what is skipped.
std::optional<std::uint64_t> resume_after_damage(GrowingText& text, std::uint64_t event_begin,
                                                 std::uint64_t error_at);

}  // namespace cinderscope::google_json
