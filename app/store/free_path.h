// Finds a free path for a table that is saved without a dialog.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope {

// A path beside the trace, else in the home folder, as "trace.json.statistics.csv"; never that of a
// file that exists. Empty if no folder can be written to.
std::string free_path_beside(const std::string& trace, std::string_view what);

}  // namespace cinderscope
