// Writing that fails says so by an error instead of ending the process.
#pragma once

namespace cinderscope {

// A pipe whose reader has gone (SIGPIPE) and a file that becomes longer than a limit allows
// (SIGXFSZ) end a process without a word; from now on these are errors of the call that writes.
// Programs that this one starts are not affected. Once at the start of the program.
void take_write_signals_as_errors();

}  // namespace cinderscope
