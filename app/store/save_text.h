// Saving a table that was made of a trace.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope {

// Where a table goes when there is no dialog to ask with: beside the trace, else into the home
// folder; never over another file. "trace.json.statistics.csv". Empty where nothing can be written.
std::string free_path_beside(const std::string& trace, std::string_view what);

// Written aside and renamed, so that a full disk leaves no half of it; false if that failed.
bool save_text(const std::string& path, std::string_view text);

}  // namespace cinderscope
