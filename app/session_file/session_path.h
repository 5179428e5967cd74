// Whether a file is a session, by its content.
#pragma once

#include <string>

namespace cinderscope {

// Looks at the first bytes of a regular file.
bool is_session_file(const std::string& path);

}  // namespace cinderscope
