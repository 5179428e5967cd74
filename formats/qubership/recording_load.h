// Reads the stream files of one recording, one after the other, into the timeline.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "formats/qubership/call_list.h"
#include "formats/qubership/recording.h"
#include "formats/qubership/trace_load.h"
#include "ingest/build/timeline_builder.h"

namespace cinderscope::qubership {

// Loader thread. Files come in the order of the streams (qubership_wire.h), then by index. Where
// files grow, what has come is taken in the same order, from the last file of each stream on.
class RecordingLoad {
 public:
  RecordingLoad(Recording& recording, TimelineBuilder& out, ProcessId process)
      : recording_(recording), out_(out), process_(process) {}
  // Goes on with copies of what the other works with, which may go on by itself.
  RecordingLoad(const RecordingLoad& other, Recording& recording, TimelineBuilder& out);
  RecordingLoad(const RecordingLoad&) = delete;
  RecordingLoad& operator=(const RecordingLoad&) = delete;

  // A file of the recording's store, or what has come to it since. The file before it is over.
  // `go_on` is asked now and then; false once it said no.
  bool take(const StreamFile& file, AtEnd end, const GoOn& go_on);
  // After what has come was taken: false if what was taken before would have other names by now, so
  // that all has to be read again.
  bool names_stay() {
    if (traces_) traces();
    return names_stay_;
  }
  // After the last file.
  void finish();
  // Beside the recording; about.
  std::uint64_t kept_bytes() const;

 private:
  bool take_part(const StreamFile& file, ReadOn& place, AtEnd end, const GoOn& go_on);
  TraceLoad& traces();  // from here on no words and no calls are taken, unless the files grow
  void take_suspensions(const StreamFile& file, ReadOn& place, AtEnd end, const GoOn& go_on);

  Recording& recording_;
  TimelineBuilder& out_;
  ProcessId process_;
  CallList calls_;
  std::optional<TraceLoad> traces_;
  bool words_came_ = false, calls_came_ = false, names_stay_ = true;
  // Of each stream: the file that was taken last, and how far.
  struct Taken {
    std::uint32_t index = 0;
    bool any = false, open = false;  // open: there may be more of it
    ReadOn place;
  };
  std::array<Taken, kStreams> taken_;
  std::vector<Pause> pauses_;
  std::vector<AsyncSlice> pause_slices_;
};

}  // namespace cinderscope::qubership
