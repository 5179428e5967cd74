// What a sub-command prints, and whether it has arrived.
#pragma once

#include <exception>
#include <string_view>

namespace cinderscope {

// False once standard output could not be written: whoever has much to say ends then.
bool write_output(std::string_view text);
bool output_failed();

// The exit status of a command that ended with `status`: kExitCannotOpen if standard output could
// not be written, which is said on standard error. A reader that closed the pipe has all that it
// wants: 0. Once, after the last output.
int status_after_output(int status);

// The same for what ended a command early: fmt::print() throws where it cannot write.
int status_after(const std::exception& thrown);

}  // namespace cinderscope
