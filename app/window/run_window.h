// Opens the window and stays until it is closed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/places/show_options.h"
#include "ingest/format/load_context.h"

namespace cinderscope {

struct WindowOptions {
  std::vector<std::string> files;    // files, folders, places, "-" for standard input
  std::vector<ShowWord> show;        // what of the first one is shown
  bool merge = false;                // all files on one timeline; FILE@OFFSET moves one
  bool compare = false;              // the two files side by side
  std::string pair_by;               // of compare: the argument that pairs calls; empty: none
  std::string play_script;           // a --play script; empty: none
  bool new_window = false;           // do not hand them over
  std::vector<std::string> look_in;  // folders where traces of a session are looked for
  bool absolute = false;             // sessions are saved with absolute paths
  bool reuse = false;                // hand the files to a window that is open already
  LoadOptions load;
  std::optional<std::uint64_t> lazy_above_bytes;  // else by the settings
};

// Main thread only. Returns the exit status: 0, 1 (no display), 2 (the script is wrong).
int run_window(const WindowOptions& options);

}  // namespace cinderscope
