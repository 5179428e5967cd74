#include "ingest/os/program_start.h"

#include <emscripten.h>

namespace cinderscope {

// In node a pipe that is full for a moment would fail what is written to it.
void open_console() {
  MAIN_THREAD_EM_ASM({
    if (typeof process != 'object') return;
    for (const stream of[process.stdout, process.stderr]) {
      if (stream._handle && stream._handle.setBlocking) stream._handle.setBlocking(true);
    }
  });
}

std::vector<std::string> program_arguments(int argc, char** argv) {
  return {argv, argv + argc};
}

}  // namespace cinderscope
