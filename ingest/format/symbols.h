// Other names for a loaded timeline, of traces whose names lie in a file of their own: no trace is
// read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/format/load_context.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

// What the slices of one trace are called by other names.
struct LoadedSymbols {
  std::vector<StringId> by_old;  // by id in the shown pool: in the new one, for every name it gave
  std::vector<std::uint8_t> nameless;  // by new id: 1 if it only stands for a number; may end early
  std::string nameless_text;           // what is said of their calls, as unknown_name
  Diagnostics diagnostics;             // of the file with the names
  // All kinds that such a file may cause; those of the names so far are dropped.
  std::vector<const DiagnosticKind*> their_kinds;
  // The trace tells these names from now on; how many of its calls have none.
  std::function<void(std::uint64_t nameless_calls)> take_effect;
};

// A trace's part of a timeline.
struct RenamedPart {
  std::size_t first_track = 0, track_count = 0;
  LoadedSymbols names;
  std::string label;    // of its file; empty: there is no other
  unsigned number = 1;  // of its file, as merge_timelines() counts them
};

// `shown` with its parts renamed and all else as it was, in `pool`, which has the new names. Only
// for timelines without calls on disk. An Error once cancelled, and then nothing took effect.
Result<Timeline> with_new_names(const Timeline& shown, const std::shared_ptr<StringPool>& pool,
                                std::vector<RenamedPart> parts, LoadContext& control);

}  // namespace cinderscope
