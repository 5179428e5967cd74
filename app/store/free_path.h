// Where a table that was made of a trace is saved.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope {

// Where a table goes when there is no dialog to ask with: beside the trace, else into the home
// folder; never over another file. "trace.json.statistics.csv". Empty where nothing can be written.
std::string free_path_beside(const std::string& trace, std::string_view what);

}  // namespace cinderscope
