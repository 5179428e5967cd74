#include "ingest/os/unique_fd.h"

#include <unistd.h>

namespace cinderscope {

UniqueFd::~UniqueFd() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace cinderscope
