#include "tests/support/source_dir.h"

namespace cinderscope::test {

std::string source_dir() {
  return CINDERSCOPE_SOURCE_DIR;
}

}  // namespace cinderscope::test
