#include "ingest/os/program_start.h"

namespace cinderscope {

void open_console() {}  // there from the start, if there is one

std::vector<std::string> program_arguments(int argc, char** argv) {
  return {argv, argv + argc};
}

}  // namespace cinderscope
