#include "ingest/os/write_signals.h"

#include <signal.h>

namespace cinderscope {

void take_write_signals_as_errors() {
  // Handled, not ignored: a started program inherits what is ignored, but no handlers.
  struct sigaction nothing {};
  nothing.sa_handler = [](int) {};
  nothing.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, &nothing, nullptr);
#ifdef SIGXFSZ
  sigaction(SIGXFSZ, &nothing, nullptr);
#endif
}

}  // namespace cinderscope
