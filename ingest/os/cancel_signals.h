// Ctrl+C and the like as a wish to stop, for work that has to tidy up.
#pragma once

#include <atomic>

namespace cinderscope {

// While it lives, SIGINT, SIGTERM and SIGHUP set the flag instead of ending the process. A second
// one ends it all the same. One at a time.
class CancelSignals {
 public:
  explicit CancelSignals(std::atomic<bool>& flag);
  ~CancelSignals();
  CancelSignals(const CancelSignals&) = delete;
  CancelSignals& operator=(const CancelSignals&) = delete;
};

}  // namespace cinderscope
