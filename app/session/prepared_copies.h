// Prepared copies of opened traces: when one is taken, written, listed and removed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/opened_source.h"
#include "ingest/model/timeline.h"
#include "ingest/prepared/copy_writer.h"

namespace cinderscope {

struct LoadOptions;
struct PrecomputedTotals;
struct Settings;

struct LoadedTimeline {
  Timeline timeline;
  bool prepared = false;                                 // it was not read, but taken from a copy
  std::shared_ptr<const PrecomputedTotals> totals = {};  // of all its slices, if the copy has them
};

// read_timeline(), or a prepared copy where the context's options name a folder that has one that
// fits. A copy that does not fit any more, or is damaged, is removed. Loader thread, once for each
// source.
Result<LoadedTimeline> load_timeline(const OpenedSource& opened, LoadContext& context);

// A copy could be made of what these options load of it, and would be taken the next time: the
// trace is one file that is mapped as it is, all of it is loaded, its format can.
bool can_have_copy(const OpenedSource& opened, const LoadOptions& options);

// By default those that a new user has.
struct CopyLimits {
  std::uint64_t most_bytes = 10'000'000'000;  // all copies together
  double share_of_free = 0.1;                 // of what the disk has free, the copies not counted
};
CopyLimits copy_limits(const Settings& settings);

// Writes a copy of what was loaded with these options, which name the folder; others go, the least
// recently used first, if there is no room for it. Blocks while another process writes one; a copy
// that is there already stays. Any thread.
Status write_copy(const OpenedSource& opened, const Timeline& timeline, const LoadOptions& options,
                  CopyProgress& progress, const CopyLimits& limits);

struct KnownCopy {
  std::filesystem::path file;
  std::string trace;  // path; empty: the copy is damaged
  std::uint64_t bytes = 0;
  std::filesystem::file_time_type used;  // written, or taken for a load
};
// The most recently used first. Reads a page of each.
std::vector<KnownCopy> known_copies(const std::string& folder);

// Whether nothing about the copy is damaged, whatever became of its trace. Reads all of it.
Status check_copy(const KnownCopy& copy, unsigned jobs);

// False if it cannot be removed. Whoever has it open goes on.
bool remove_copy(const KnownCopy& copy);

}  // namespace cinderscope
