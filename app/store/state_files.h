// Small files of the program's own: where they lie, and reading and writing them without harm.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ingest/base/result.h"

namespace cinderscope {

// Folders; empty: nowhere, so nothing of the kind is read or written.
struct StorePlaces {
  std::string config;  // settings.json
  std::string state;   // recent.json, and files/ with what is remembered of each trace
};

// $XDG_CONFIG_HOME/cinderscope and $XDG_STATE_HOME/cinderscope, by default below ~/.config and
// ~/.local/state. A scripted window (--play) uses only what these variables name, so that a script
// does the same for everybody. Variables that hold no absolute path do not count.
StorePlaces store_places(bool scripted);

// `path` from the root on, without "." parts; the file system is not asked.
std::string absolute_path(const std::string& path);

// Text of a regular file of at most `most_bytes`; empty if there is none.
Result<std::string> read_small_file(const std::string& path, std::size_t most_bytes);

// Makes the folders above, then replaces the file as a whole; only its owner may read it.
Status write_small_file(const std::string& path, std::string_view text);

}  // namespace cinderscope
