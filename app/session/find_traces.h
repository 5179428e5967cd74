// Which traces a path stands for: a file, or what a folder holds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ingest/base/result.h"

namespace cinderscope {

// The paths of all traces that `path` stands for: `path` itself, those of a session or a pack as
// far as they are found, or, for a folder that is no trace, the files in it that some format
// claims; if there are none, those of the folders below, within `limits` and without following
// links. If a limit left some out, `left_out` says so. An Error if there is no trace.
struct FolderLimits {
  std::size_t levels = 6, folders = 20'000, traces = 1'000;
};
Result<std::vector<std::string>> traces_of(const std::string& path, std::string* left_out = nullptr,
                                           const FolderLimits& limits = {});

// True if all paths are folders: parts of one recording rather than separate traces.
bool are_folders(const std::vector<std::string>& paths);

}  // namespace cinderscope
