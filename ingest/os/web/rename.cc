#include <emscripten.h>

#include <cstdio>
#include <string>

#include "ingest/os/file.h"
#include "ingest/os/new_file.h"

namespace cinderscope {
namespace {

// Settings and what is kept for later stay with the page; what the user saves, wherever that is,
// goes to the browser's downloads.
bool is_for_user(const std::filesystem::path& to) {
  const std::string& path = to.native();
  return !path.starts_with("/home/") && !path.starts_with("/tmp/");
}

}  // namespace

void replace_by_renaming(const std::filesystem::path& from, const std::filesystem::path& to,
                         std::error_code& error) {
  error = std::rename(from.c_str(), to.c_str()) == 0 ? std::error_code() : last_error();
  if (error || !is_for_user(to)) return;
  MAIN_THREAD_EM_ASM(
      {
        if (Module['download']) Module['download'](UTF8ToString($0));
      },
      to.c_str());
}

}  // namespace cinderscope
