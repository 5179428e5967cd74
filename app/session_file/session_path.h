// Sessions on disk: whether a file is one by its content, and reading it, also out of a pack.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session_file/session_file.h"

namespace cinderscope {

// In the root of a pack.
inline constexpr std::string_view kSessionInPack = "session.cinder";

// A session, or a pack. Looks at the first bytes of a regular file, and at what is in an archive.
bool is_session_file(const std::string& path);
bool is_pack(const std::string& path);

// Where the session's own text lies, from whose folder its traces are counted: the path itself, or
// within a pack.
std::string session_text_path(const std::string& path);

struct ReadSession {
  std::string text_path;  // as above
  SessionFile file;
  std::vector<std::string> problems;  // a sentence for each thing in a pack that is not whole
};
Result<ReadSession> read_session(const std::string& path);

}  // namespace cinderscope
