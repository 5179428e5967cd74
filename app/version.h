// What --version prints.
#pragma once

#include <string>

namespace cinderscope {

const char* version();  // "1.0.0"
// Several lines: version, commit, compiler, libraries as they were when it was built.
std::string version_text();

}  // namespace cinderscope
