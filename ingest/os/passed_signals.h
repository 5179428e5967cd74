// Signals of the user that are meant for a program that was started.
#pragma once

#include <cstdint>

namespace cinderscope {

// While it lives, and until end(), Ctrl+C and the like do not end this process. The terminal sends
// them to the program as well; what was sent to this process alone is passed on. One at a time.
class PassedSignals {
 public:
  // Before the program is started: what comes from now on waits for pass_to().
  PassedSignals();
  ~PassedSignals() { end(); }
  PassedSignals(const PassedSignals&) = delete;
  PassedSignals& operator=(const PassedSignals&) = delete;

  void pass_to(std::int64_t process);
  void end();  // any thread: from now on they are ours again
};

}  // namespace cinderscope
