// Reads the stream files of one recording, one after the other, into the timeline.
#pragma once

#include <optional>
#include <vector>

#include "formats/qubership/call_list.h"
#include "formats/qubership/recording.h"
#include "formats/qubership/trace_load.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::qubership {

// Loader thread. Files come in the order of the streams (qubership_wire.h), then by index.
class RecordingLoad {
 public:
  RecordingLoad(Recording& recording, TimelineBuilder& out, ProcessId process)
      : recording_(recording), out_(out), process_(process) {}

  // A file of the recording's store. `go_on` is asked now and then; false once it said no.
  bool take(const StreamFile& file, const GoOn& go_on);
  // After the last file.
  void finish();

 private:
  TraceLoad& traces();  // from here on no words and no calls are taken
  void take_suspensions(const StreamFile& file, const GoOn& go_on);

  Recording& recording_;
  TimelineBuilder& out_;
  ProcessId process_;
  CallList calls_;
  std::optional<TraceLoad> traces_;
  std::vector<Pause> pauses_;
  std::vector<AsyncSlice> pause_slices_;
};

}  // namespace cinderscope::qubership
