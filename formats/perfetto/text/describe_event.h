// What the packet of an event says beyond the columns.
#pragma once

#include "formats/perfetto/text/epoch_texts.h"
#include "formats/perfetto/text/message_types.h"
#include "formats/perfetto/wire/packet.h"
#include "ingest/model/record_text.h"

namespace cinderscope::perfetto {

// A packet that is read again, with what its interned ids mean.
struct EventRecord {
  Packet packet;
  EpochTexts texts;
};

// `end` null: no end with arguments. Of equal names those of the end win.
RecordText describe_event(const EventRecord& begin, const EventRecord* end,
                          const MessageTypes& types);
std::string category_of_event(const EventRecord& event);

// An event of the kernel's tracer, as it lies within its packet.
RecordText describe_ftrace_event(std::string_view event);

}  // namespace cinderscope::perfetto
