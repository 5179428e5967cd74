// Where the sources lie, for tests that read golden inputs and samples.
#pragma once

#include <string>

namespace cinderscope::test {

// The folder of the repository, without a slash at its end.
std::string source_dir();

}  // namespace cinderscope::test
