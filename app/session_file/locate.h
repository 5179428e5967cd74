// Finds the traces of a session on this machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session_file/session_file.h"

namespace cinderscope {

enum class Location : std::uint8_t {
  found,
  grown,    // the beginning is the same, and there is more
  packed,   // of that name but packed in another way: once it is loaded its facts tell
  another,  // of that name, but another recording
  missing,
};

struct LocatedTrace {
  Location location = Location::missing;
  std::string path;               // absolute; empty: nothing was found
  std::uint64_t found_bytes = 0;  // its size
};

// It can be opened as what the session means.
bool is_there(const LocatedTrace& located);

struct LocateQuestion {
  std::string session_path;  // absolute
  std::vector<SessionTrace> traces;
  std::vector<std::string> look_in;  // folders, looked through one level deep
  std::vector<std::string> recent;   // absolute paths
};

// One for each trace. Looks at 2000 names at most, at regular files and folders only. Reads the
// disk: may take long.
std::vector<LocatedTrace> locate_traces(const LocateQuestion& question);

// `path` as a session in that file has it: from its folder where it lies below that or up to three
// levels above, on the same file system; else absolute.
std::string path_in_session(const std::string& session_path, const std::string& path);

}  // namespace cinderscope
