// Reading a recording's data from end to end: in the layout that fits, beside its index.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "formats/lincheck/lincheck_wire.h"
#include "formats/lincheck/recording_files.h"
#include "formats/lincheck/trace_map.h"
#include "ingest/format/load_context.h"
#include "ingest/input/growing_file.h"

namespace cinderscope::lincheck {

struct ScannedRecording {
  TraceMap map;  // what is odd about the index is among its diagnostics
  Layout layout;
  bool index_is_bad = false;                   // missing, cut or wrong
  std::unique_ptr<GrowingFile> rebuilt_index;  // without its footer; null unless it was asked for
};

// Two versions were written in two layouts without a mark: of these the one is taken in which the
// data can be read to their end, else the one that gets further. `tick` gets the bytes done; false
// ends early, with an Error `cancelled`.
Result<ScannedRecording> scan_recording(const RecordingFiles& files, std::int64_t version,
                                        const LoadContext& context,
                                        const std::function<bool(std::uint64_t)>& tick,
                                        bool rebuild_index);

}  // namespace cinderscope::lincheck
