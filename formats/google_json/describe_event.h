// What the text of an event tells beyond the columns; read again from the input when it is shown.
#pragma once

#include <string>
#include <string_view>

#include "formats/google_json/event_batch.h"
#include "formats/google_json/events/stack_frames.h"
#include "ingest/format/trace_source.h"

namespace cinderscope::google_json {

// `begin` is the text from the event's `{` on, `end` that of the E event that closes it, or empty.
// Arguments of the E event are added to those of the B event and win where both have a key.
RecordText describe_event(std::string_view begin, std::string_view end, const StackFrames& frames,
                          const EventClock& clock = {});

// Its category alone, and how it is shown.
std::string category_of_event(std::string_view begin);
std::string category_text(std::string_view value);

}  // namespace cinderscope::google_json
