#include "ingest/os/unique_fd.h"

#include <io.h>

namespace cinderscope {

UniqueFd::~UniqueFd() {
  if (fd_ >= 0) _close(fd_);
}

}  // namespace cinderscope
