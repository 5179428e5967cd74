// Symbols: names of a trace that lie in a file of their own, and how a loaded timeline takes others
// without being read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/format/load_context.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

// The names that the slices of one trace get.
struct LoadedSymbols {
  std::vector<StringId> by_old;  // by id in the shown pool: in the new one, for every name it gave
  // Old ids (1) that gave several names; which of them a slice gets its record says, on any thread.
  std::vector<std::uint8_t> split;
  std::function<StringId(RecordOffset record, StringId usual)> name_of_record;
  std::vector<std::uint8_t> nameless;  // by new id: 1 if it only stands for a number; may end early
  std::string nameless_text;           // of the diagnostic of slices whose name is such a number
  Diagnostics diagnostics;             // of the file with the names
  // All kinds that such a file may cause; those of the names so far are dropped.
  std::vector<const DiagnosticKind*> their_kinds;
  // From now on the trace describes its records by these names; how many of its slices have none.
  std::function<void(std::uint64_t nameless_calls)> take_effect;
};

// The tracks of a timeline that came from one trace, and their names.
struct RenamedTracks {
  static constexpr std::size_t kAll = SIZE_MAX;
  std::size_t first_track = 0, track_count = kAll;
  LoadedSymbols names;
  std::string label;    // of the trace's file; empty: there is no other
  unsigned number = 1;  // of the file, as merge_timelines() counts them
};

// Of a trace whose slices get their names from a file of their own, which may be beside it.
class Symbols {
 public:
  virtual ~Symbols() = default;
  virtual std::string_view file_ending() const = 0;  // of such files, e.g. ".properties"
  virtual bool has_beside() const = 0;               // loader thread: looks at the disk
  // Reads the file with names, and nothing else; the names are put into `now`. `shown` is the pool
  // of the timeline that is shown. Loader thread, after load(), any number of times.
  virtual Result<std::vector<RenamedTracks>> load(const StringPool& shown,
                                                  const SymbolOptions& wanted,
                                                  const std::shared_ptr<StringPool>& now) const = 0;
};

// `shown` with the names that `symbols` has by `wanted`. Loader thread.
Result<Timeline> renamed(const Timeline& shown, const Symbols& symbols, const SymbolOptions& wanted,
                         LoadContext& context);

// `shown` with some tracks renamed and all else as it was, in `pool`, which has the new names.
// Children that came from disk are left out as if they were evicted: read again, into `pool`, they
// come with the new names. An Error once cancelled, and then nothing took effect.
Result<Timeline> with_new_names(const Timeline& shown, const std::shared_ptr<StringPool>& pool,
                                std::vector<RenamedTracks> renamed, LoadContext& context);

}  // namespace cinderscope
