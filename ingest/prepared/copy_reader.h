// Maps a prepared copy back and makes a timeline of it, whose columns stay in the file.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"
#include "ingest/totals/segment_totals.h"

namespace cinderscope {

namespace prepared {
class MappedCopy;
}

struct PreparedCopy {
  Timeline timeline;
  std::string state;  // for the source (LoadedState)
  // Keeps the file mapped; the timeline's chunks and names do so, too.
  std::shared_ptr<const prepared::MappedCopy> mapped;
};

// What a copy says about itself.
struct CopyFacts {
  std::string path;  // of the trace
  std::string key;
};

// Any thread. An Error `damaged` if the file is no whole copy of this version; its columns are not
// looked at yet.
Result<CopyFacts> prepared_copy_facts(const std::filesystem::path& path);

// Any thread, with `jobs` more. An Error `refused` if the copy is of a trace with another key,
// `damaged` if anything about it is wrong. All but columns and totals has been looked at: before
// check_columns() the timeline may be drawn, of chunks that are at hand, and nothing else.
Result<PreparedCopy> open_prepared_copy(const std::filesystem::path& path, std::string_view key,
                                        unsigned jobs);

// Whether the columns are as they were written. Reads all of them, on `jobs` threads. An Error
// `damaged`, or `cancelled`; else what statistics of all its slices add up to, null where that is
// not in the copy.
Result<std::shared_ptr<const PrecomputedTotals>> check_columns(const PreparedCopy& copy,
                                                               unsigned jobs,
                                                               const std::atomic<bool>& cancelled);

}  // namespace cinderscope
