#include "ingest/os/standard_output.h"

#include <unistd.h>

#include <cerrno>

namespace cinderscope {

void write_standard_output(std::string_view bytes, std::error_code& error) {
  error.clear();
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      error = {written < 0 ? errno : ENOSPC, std::generic_category()};
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool output_is_terminal() {
  return isatty(STDOUT_FILENO) == 1;
}

bool error_is_terminal() {
  return isatty(STDERR_FILENO) == 1;
}

}  // namespace cinderscope
