// Standard output as a stream of bytes.
#pragma once

#include <string_view>
#include <system_error>

namespace cinderscope {

// All of it, or `error`: broken_pipe where its reader has gone.
void write_standard_output(std::string_view bytes, std::error_code& error);

// Somebody looks at it.
bool output_is_terminal();
bool error_is_terminal();

}  // namespace cinderscope
