// Metadata events (M): names, labels and order of processes and threads, and facts of the trace.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "formats/google_json/events/stack_frames.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::google_json {

// Section 4, "Metadata names". Of several values for one thing the last one in the file counts.
class MetadataEvents {
 public:
  MetadataEvents(TimelineBuilder& out, StackFrames& frames) : out_(&out), frames_(&frames) {}

  // `args` raw. An event without a usable value is counted and otherwise left out.
  void add(std::string_view name, ThreadId thread, std::string_view args, RecordOffset record);
  void finish();

 private:
  TimelineBuilder* out_;
  StackFrames* frames_;
  std::unordered_map<std::string, std::string> notes_;  // facts of the trace, by name
  std::vector<std::string> note_order_;
};

}  // namespace cinderscope::google_json
