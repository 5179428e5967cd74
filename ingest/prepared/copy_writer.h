// Writes a prepared copy: all that the model holds of one trace, so that it can be mapped back.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "ingest/base/result.h"
#include "ingest/model/timeline.h"

namespace cinderscope {

struct CopyTexts {
  std::string key;    // of the trace as it was loaded: see trace_key.h
  std::string path;   // of the trace, for people
  std::string state;  // of its source (LoadedState)
};

struct CopyProgress {
  std::atomic<bool> cancelled{false};
  std::atomic<std::uint64_t> done_bytes{0}, total_bytes{0};
  std::function<void()> wake;  // called now and then, on the writing thread; may be null
};

// False while some of the trace is not in memory: calls stayed on disk, or it is a snapshot.
bool can_be_prepared(const Timeline& timeline);

// About how long the file will be.
std::uint64_t prepared_bytes(const Timeline& timeline);

// Any thread; the timeline is not changed meanwhile. The file is there once it is whole and for its
// owner alone; nothing is left of one that could not be written or was cancelled. Takes some 60 MB
// of memory, however large the trace is (write_totals()).
Status write_prepared_copy(const std::filesystem::path& path, const Timeline& timeline,
                           const CopyTexts& texts, CopyProgress& progress);

}  // namespace cinderscope
