// The helper process that reads the symbols of native files, for `symbols` and the window.
#pragma once

#include <functional>
#include <string_view>

namespace cinderscope {

// The sub-command that this program starts itself with for that.
const char* symbol_worker_name();
// What that process does: a question on standard input, its answer to `write`. The process is
// limited from then on.
void answer_as_symbol_worker(const std::function<void(std::string_view)>& write);

}  // namespace cinderscope
