// The program's own small files: their folders, and how they are read and written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ingest/base/result.h"

namespace cinderscope {

// Folders of the program's own files; an empty one means that nothing of the kind is kept.
struct StorePlaces {
  std::string config;  // settings.json
  std::string state;   // recent.json, and files/ with the saved view state of each trace
};

// $XDG_CONFIG_HOME/cinderscope and $XDG_STATE_HOME/cinderscope, by default below ~/.config and
// ~/.local/state. A scripted window (--play) uses only the variables, so that a script does the
// same for every user. Variables without an absolute path are ignored.
StorePlaces store_places(bool scripted);

// `path` made absolute, without "." parts; does not ask the file system.
std::string absolute_path(const std::string& path);

// Text of a regular file of at most `most_bytes`; empty if there is none.
Result<std::string> read_small_file(const std::string& path, std::size_t most_bytes);

// Makes the folders above, then replaces the file as a whole; only its owner may read it.
Status write_small_file(const std::string& path, std::string_view text);

}  // namespace cinderscope
